import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

// Node 20 runs no TypeScript, so tests of the process need built files. They have their own build of server and
// contract, named after a hash of the source, because dist may be outdated or incomplete.

const root = fileURLToPath(new URL('../../../', import.meta.url));
const builds = join(root, 'node_modules/.cache/hourshare-server');
const parts = ['server/src', 'contract/src'];
/** Has the version, which the server reads. */
const manifest = join(root, 'package.json');
const KEPT_MILLISECONDS = 24 * 60 * 60 * 1000;

/** Builds the server if it has changed. Returns the URL of the folder with its main.js. */
export function builtServer(): URL {
  const hash = createHash('sha256');
  for (const file of parts.flatMap((part) => sourcesBelow(join(root, part))))
    hash.update(relative(root, file)).update(readFileSync(file));
  hash.update(readFileSync(manifest));
  const build = join(builds, hash.digest('hex').slice(0, 16));
  if (!existsSync(build)) buildInto(build);
  return pathToFileURL(`${build}/server/src/`);
}

function buildInto(build: string): void {
  removeOld();
  const unfinished = `${build}.${randomUUID()}`;
  mkdirSync(join(unfinished, 'node_modules/@hourshare'), { recursive: true });
  mkdirSync(join(unfinished, 'contract'));
  symlinkSync('../../contract', join(unfinished, 'node_modules/@hourshare/contract'), 'dir');
  const contract = { name: '@hourshare/contract', type: 'module', exports: { './*': './src/*.js' } };
  writeFileSync(join(unfinished, 'contract/package.json'), JSON.stringify(contract));
  copyFileSync(manifest, join(unfinished, 'package.json'));
  const config = {
    extends: join(root, 'tsconfig.base.json'),
    // Types are checked elsewhere.
    compilerOptions: { noCheck: true, rootDir: root, outDir: unfinished, customConditions: ['source'] },
    include: parts.map((part) => join(root, part)),
    exclude: [join(root, '**/*.test.ts'), join(root, '**/testing/**')],
  };
  writeFileSync(join(unfinished, 'tsconfig.json'), JSON.stringify(config));
  const { status, stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', unfinished], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The server can't be built for its tests:\n${stdout}`);
  try {
    renameSync(unfinished, build);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another run may have finished the same build first.
    if (!existsSync(build)) throw error;
  }
}

function removeOld(): void {
  if (!existsSync(builds)) return;
  for (const name of readdirSync(builds)) {
    const path = join(builds, name);
    if (Date.now() - statSync(path).mtimeMs > KEPT_MILLISECONDS) rmSync(path, { recursive: true, force: true });
  }
}

function sourcesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(
      ({ name, parentPath }) =>
        name.endsWith('.ts') && !name.endsWith('.test.ts') && !/[\\/]testing\b/.test(parentPath),
    )
    .map(({ name, parentPath }) => join(parentPath, name))
    .toSorted();
}
