import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { root } from '../../scripts/processes.mjs';

/** A checkout with workspaces that take no time to build. */
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hourshare-build-'));
  // Others may read it, because one test runs as another user.
  chmodSync(folder, 0o755);
  cpSync(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true });
  const workspaces = ['contract', 'server', 'web'];
  write('package.json', JSON.stringify({ workspaces, engines: { node: '>=20.19.0' }, devDependencies: {} }));
  for (const name of ['package-lock.json', 'tsconfig.base.json']) write(name, '{}');
  mkdirSync(join(folder, 'node_modules'));
  for (const workspace of workspaces) {
    mkdirSync(join(folder, workspace));
    write(`${workspace}/package.json`, JSON.stringify({ name: workspace, scripts: { build: 'node build.mjs' } }));
    write(
      `${workspace}/build.mjs`,
      `import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
      const [, , , outDir] = process.argv;
      mkdirSync(outDir);
      for (const name of ['endpoints.js', 'main.js', 'index.html']) writeFileSync(outDir + '/' + name, 'new');
      console.log('old files while building: ' + existsSync('dist/old.js'));
      if (existsSync('fails')) process.exit(1);`,
    );
    mkdirSync(join(folder, workspace, 'dist'));
    write(`${workspace}/dist/old.js`, '');
  }
  return () => rmSync(folder, { recursive: true });
});

const write = (/** @type {string} */ file, /** @type {string} */ content) => writeFileSync(join(folder, file), content);
const filesOf = (/** @type {string} */ workspace) => readdirSync(join(folder, workspace, 'dist')).toSorted();
const build = (options = {}) =>
  spawnSync(process.execPath, ['scripts/build.mjs'], { cwd: folder, encoding: 'utf8', ...options });

it('keeps the files of the last build until those of the next are complete, and removes them then', () => {
  write('server/fails', '');
  const failed = build();
  expect([failed.status, failed.stderr]).toEqual([1, expect.stringContaining('The build of server failed.')]);
  expect(failed.stdout.match(/old files while building: true/g)).toHaveLength(2);
  expect(filesOf('server')).toEqual(['old.js']);
  expect(existsSync(join(folder, '.cache', 'build-stamp'))).toBe(false);

  rmSync(join(folder, 'server', 'fails'));
  expect(build().status).toBe(0);
  for (const workspace of ['contract', 'server', 'web'])
    expect(filesOf(workspace)).toEqual(['endpoints.js', 'index.html', 'main.js']);
  expect(readdirSync(join(folder, '.cache'))).toEqual(['build-stamp']);
  expect(readFileSync(join(folder, '.cache', 'build-stamp'), 'utf8')).toMatch(/^[\da-f]{64}$/);
});

it('says in one sentence that another user built it', () => {
  chmodSync(join(folder, 'contract', 'dist'), 0o555);
  // Permissions don't stop the root user.
  const { status, stderr } = build(process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {});
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^HourShare must be built, but this user can't read or change \S+\/contract\/dist \(E\w+\); run [^\n]+\n$/,
  );
});
