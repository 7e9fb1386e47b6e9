import { defineConfig } from 'vitest/config';

// The tests of tools read the contract from its source, as the server does.
const conditions = ['source', 'node', 'development|production'];

// Start the product as deployed, behind proxies and in several versions.
const DEPLOYMENT = [
  'deploy/tests/{proxies,proxy-tls,rolling-upgrades,faults,hourshare}.test.mjs',
  'deploy/release/*.test.mjs',
];

const tools = (name: string, include: string[], exclude: string[] = []) => ({
  ssr: { resolve: { conditions } },
  test: { name, include, exclude: ['**/node_modules/**', ...exclude], testTimeout: 300_000, hookTimeout: 300_000 },
});

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
        // Rules and modules need no document; a test of one that does names its environment in its first line.
        resolve: { conditions: ['source'] },
        ssr: { resolve: { conditions: ['source', 'module', 'node', 'development|production'] } },
        test: {
          name: 'web-rules',
          root: 'web',
          environment: 'node',
          include: ['src/**/*.test.ts'],
          css: true,
          restoreMocks: true,
          unstubGlobals: true,
          unstubEnvs: true,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      tools('tools', ['{attack,deploy,docs,scripts,server,simulator,web}/**/*.test.mjs'], DEPLOYMENT),
      tools('deployment', DEPLOYMENT),
    ],
  },
});
