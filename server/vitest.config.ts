import { configDefaults, defineConfig } from 'vitest/config';

// The contract is read from its source, so that a test run needs no build of it first.
const conditions = ['source', 'node', 'development|production'];

// These start an engine of their own, or need PostgreSQL, so they run once.
const embeddedAlone = ['embedded', 'folder-lock'].map((name) => `src/platform/database/${name}.test.ts`);
const postgresqlAlone = [
  'src/**/*-postgresql.test.ts',
  'src/platform/database/{postgresql,replica}.test.ts',
  'src/main-{pgbouncer,pgbouncer-servers,replica}.test.ts',
];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    name: 'server',
    root: import.meta.dirname,
    environment: 'node',
    include: ['src/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(process.env['TEST_DATABASE_URL'] ? embeddedAlone : postgresqlAlone)],
    globalSetup: ['src/platform/database/testing/global-setup.ts'],
    pool: 'forks',
    // Loading the server again for each file took a fifth of the time. Files share no data: each opens its own API or
    // server.
    isolate: false,
    retry: 0,
    // For hangs alone: a test takes many times longer on a small machine with other work.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
