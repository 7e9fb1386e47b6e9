import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // As many files at once as there are processors; the default keeps one of them free, half of a small machine.
    maxWorkers: '100%',
    projects: [
      'contract',
      'server',
      'web',
      { test: { name: 'scripts', include: ['{attack,scripts}/**/*.test.mjs'], testTimeout: 60_000 } },
    ],
  },
});
