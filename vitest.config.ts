import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
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

/** Tests of the web app's modules that need a document, which their first line says. */
const withDocument = readdirSync(join(import.meta.dirname, 'web', 'src'), { recursive: true, encoding: 'utf8' })
  .map((file) => `src/${file.replaceAll(sep, '/')}`)
  .filter(
    (file) =>
      file.endsWith('.test.ts') &&
      readFileSync(join(import.meta.dirname, 'web', file), 'utf8').startsWith('// @vitest-environ'),
  );

// Without a document, files share a worker's modules: loading them again for each file took most of the time.
const rules = (name: string, which: { include?: string[]; exclude?: string[]; isolate?: boolean }) => ({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source', 'module', 'node', 'development|production'] } },
  test: {
    name,
    root: 'web',
    environment: 'node',
    include: ['src/**/*.test.ts'],
    css: true,
    restoreMocks: true,
    unstubGlobals: true,
    unstubEnvs: true,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    ...which,
  },
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
      rules('web-rules', { exclude: withDocument, isolate: false }),
      rules('web-documents', { include: withDocument }),
      tools('tools', ['{attack,deploy,docs,scripts,server,simulator,web}/**/*.test.mjs'], DEPLOYMENT),
      tools('deployment', DEPLOYMENT),
    ],
  },
});
