import { defineConfig } from 'vitest/config';

// The contract is read from its source, so that a test run needs no build of it first.
const conditions = ['source', 'module', 'node', 'development|production'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    name: 'server',
    root: import.meta.dirname,
    environment: 'node',
    include: ['src/**/*.test.ts'],
    globalSetup: ['src/platform/database/testing/global-setup.ts'],
    pool: 'forks',
    retry: 0,
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});
