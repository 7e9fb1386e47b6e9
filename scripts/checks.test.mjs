import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { auditDependencies } from './ci.mjs';
import { lockfileProblems } from './lockfile.mjs';
import { root, tool } from './processes.mjs';
import { structureProblems } from './structure.mjs';

// Shows that each check fails on a violation.

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hourshare-checks-'));
  return () => rmSync(folder, { recursive: true });
});

/** @param {Record<string, string>} files */
function write(files) {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
}

/** @param {string} name @param {string[]} args */
const outputOf = (name, ...args) => spawnSync(tool(name), args, { cwd: folder, encoding: 'utf8' }).stdout;

it('the type check rejects a wrong type and an index that may be missing', () => {
  const tsconfig = JSON.stringify({ extends: join(root, 'tsconfig.base.json'), compilerOptions: { noEmit: true } });
  write({ 'tsconfig.json': tsconfig, 'a.ts': "export const a: number = '1';\nexport const b: string = ['c'][0];\n" });
  expect(new Set(outputOf('tsc', '-p', '.').match(/a\.ts\(\d/g))).toEqual(new Set(['a.ts(1', 'a.ts(2']));
});

it.each([
  ['tools/run.mjs', '', "doesn't belong there"],
  ['server/src/features/assets/queries.ts', '', "doesn't belong there"],
  ['web/src/ui/Button.tsx', '', "doesn't belong there"],
  ['server/src/platform/date-helpers.ts', '', 'the name says nothing'],
  ['web/src/ui/index.ts', '', 'without a barrel'],
  ['e2e/a.spec.ts', ['test', 'fixme("later")'].join('.'), 'run a test or delete it'],
  ['web/src/ui/a.tsx', 'md:text-left', 'name the side by reading direction'],
  ['server/src/app.ts', '// Source: docs/gone.md', 'names docs/gone.md'],
  ['web/src/ui/a.tsx', 'ms-auto left-1/2 text-start min-w-0 border-line // docs/a.md', ''],
])('the structure check judges %s: %s', (file, content, problem) => {
  const problems = structureProblems(new Map(Object.entries({ [file]: content, 'docs/a.md': '' })));
  expect([problems.length, problems.join()]).toEqual([problem ? 1 : 0, expect.stringContaining(problem)]);
});

it.each([
  ['web', { devDependencies: { react: '^1.0.0' } }, 'must be pinned exactly'],
  ['node_modules/a', { resolved: 'https://host.example/a.tgz' }, 'names a download address'],
  ['node_modules/a', { integrity: 'sha1-xyz=' }, 'has no SHA-512 hash'],
  ['node_modules/a', { engines: { node: '>=20.19.1' } }, 'needs Node.js >=20.19.1'],
  ['node_modules/a', { hasInstallScript: true }, 'has an install script'],
  ['node_modules/a', { engines: { node: '>= 16' }, dependencies: { b: '^1.0.0' } }, ''],
])('the lock file check judges %s: %j', (path, entry, problem) => {
  const problems = lockfileProblems({ [path]: { integrity: 'sha512-xyz==', ...entry } });
  expect([problems.length, problems.join()]).toEqual([problem ? 1 : 0, expect.stringContaining(problem)]);
});

it.each([
  [200, 'high', { outcome: 'failed', output: expect.stringContaining('pg goes wrong') }],
  [200, 'moderate', { outcome: 'passed', output: expect.stringContaining('pg goes wrong') }],
  [405, '', { outcome: 'skipped', notRun: expect.stringMatching(/so nothing was checked: .*405/) }],
])('the audit judges a registry that answers %i with a %s advisory', async (status, severity, result) => {
  const advisory = { id: 1, title: 'pg goes wrong', url: 'https://a.example/pg', severity, vulnerable_versions: '<99' };
  const registry = createServer(({ url }, response) => {
    response
      .writeHead(url?.startsWith('/-/npm/v1/security/') ? status : 404, { 'content-type': 'application/json' })
      .end(JSON.stringify({ pg: [advisory] }));
  }).listen(0, '127.0.0.1');
  await once(registry, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (registry.address());
  onTestFinished(() => void (registry.close() && vi.unstubAllEnvs()));
  vi.stubEnv('npm_config_registry', `http://127.0.0.1:${port}/`);
  // npm caches advisories, and the fake one must not get into the real cache.
  vi.stubEnv('npm_config_cache', folder);
  expect(await auditDependencies()).toMatchObject(result);
});

it.each([
  ['code ETIMEDOUT', 3],
  ['code EINTEGRITY', 1],
])('.ci/run sets CI, and tries an installation that fails with "%s" %i times', (error, tries) => {
  const calls = join(folder, 'calls');
  const npm = `#!/bin/sh\necho "$CI $*" >> "${calls}"\necho "npm error ${error}" >&2\nexit 1\n`;
  writeFileSync(join(folder, 'npm'), npm, { mode: 0o755 });
  const PATH = [folder, process.env.PATH].join(delimiter);
  const { status, stdout } = spawnSync(join(root, '.ci', 'run'), { env: { ...process.env, PATH }, encoding: 'utf8' });
  expect(
    readFileSync(calls, 'utf8')
      .trim()
      .split('\n')
      .map((call) => call.slice(0, 7)),
  ).toEqual(Array(tries).fill('true ci'));
  expect(stdout).toContain(`  install: npm error ${error}\n`);
  expect([status, stdout.trimEnd().split('\n').at(-1)]).toEqual([1, '0 passed, 1 failed, 0 skipped']);
});
