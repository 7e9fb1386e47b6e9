import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireTools } from './preflight.cjs';
import { isMain, onSignal, root, run } from './processes.mjs';

// Builds contract, server and web, in this order, when their sources have changed since the last build; `npm run
// build` always does. Hand-written because wireit, turbo and nx are development packages, without which a built
// server must start.

const STAMP = join(root, '.cache', 'build-stamp');
const WORKSPACES = ['contract', 'server', 'web'];
const SHARED_INPUTS = ['package.json', 'package-lock.json', 'tsconfig.base.json'];
const OUTPUTS = ['contract/dist/endpoints.js', 'server/dist/main.js', 'web/dist/index.html'];
const NOT_BUILT_FROM = new Set(['node_modules', 'dist']);

/** @param {string} folder @returns {string[]} paths from the root, in the same order on every file system */
function filesBelow(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => !NOT_BUILT_FROM.has(entry.name) && !/\.test\.(?:tsx?|mjs)$/.test(entry.name))
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`]))
    .toSorted();
}

function fingerprint() {
  const hash = createHash('sha256');
  for (const file of [...SHARED_INPUTS, ...WORKSPACES.flatMap(filesBelow)]) {
    // Without the length, moving text from the end of one file to the start of the next would keep the hash.
    const content = readFileSync(join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

const lastBuilt = () => (existsSync(STAMP) ? readFileSync(STAMP, 'utf8') : '');

/** @returns {Promise<boolean>} whether the build is complete */
export async function build({ force = false } = {}) {
  // Taken before the build, so that the next start notices changes made during it.
  const current = fingerprint();
  if (!force && lastBuilt() === current && OUTPUTS.every((file) => existsSync(join(root, file)))) return true;

  requireTools();
  const startedAt = performance.now();
  console.log('Building HourShare …');
  rmSync(STAMP, { force: true });
  for (const workspace of WORKSPACES) {
    // The compiler doesn't delete the output of removed sources, and the server would still find it.
    rmSync(join(root, workspace, 'dist'), { recursive: true, force: true });
    const { code, output } = await run('npm', ['run', 'build', '-w', workspace], { quiet: !force });
    if (code !== 0) {
      process.stderr.write(`${output}\nThe build of ${workspace} failed.\n`);
      return false;
    }
  }
  mkdirSync(join(root, '.cache'), { recursive: true });
  writeFileSync(STAMP, current);
  console.log(`Built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`);
  return true;
}

if (isMain(import.meta.filename)) {
  onSignal(() => {});
  process.exitCode = (await build({ force: true })) ? 0 : 1;
}
