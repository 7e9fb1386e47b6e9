import { defineConfig } from 'vitest/config';

// The scripts project reads the contract from its source, as the server does.
const conditions = ['source', 'node', 'development|production'];

export default defineConfig({
  test: {
    // As many files at once as there are processors; the default keeps one of them free, half of a small machine.
    maxWorkers: '100%',
    // Measured where asked for with --coverage. Prints the lines that no test reaches; processes that tests start don't count.
    coverage: {
      provider: 'v8',
      include: ['{contract,server}/src/**/*.ts'],
      exclude: ['**/testing/**'],
      reporter: [['text', { skipFull: true, maxCols: 160 }]],
      reportsDirectory: '.cache/coverage',
    },
    projects: [
      'contract',
      'server',
      'web',
      {
        ssr: { resolve: { conditions } },
        test: {
          name: 'scripts',
          include: ['{attack,scripts,simulator}/**/*.test.mjs'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
