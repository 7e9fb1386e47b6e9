import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { requireTools } from './preflight.cjs';
import { isMain, onSignal, root, run } from './processes.mjs';

// Builds contract, server and web, in this order, when their sources have changed since the last build; `npm run
// build` always does. Hand-written because wireit, turbo and nx are development packages, without which a built
// server must start.

const CACHE = join(root, '.cache');
const STAMP = join(CACHE, 'build-stamp');
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
  try {
    return await buildChanges(force);
  } catch (error) {
    const { code, path } = Object(error);
    if (!['EACCES', 'EPERM', 'EROFS'].includes(code)) throw error;
    console.error(
      `HourShare must be built, but this user can't read or change ${path} (${code}); run this as the user who built it before, or give that user the whole folder.`,
    );
    return false;
  }
}

/** @param {string} workspace */
const outputOf = (workspace) => join(root, workspace, 'dist');

/**
 * Builds a workspace in a new folder and swaps it in, so that a running server always has complete files, and no output of
 * removed sources stays.
 *
 * @param {string} workspace
 * @param {string} folder
 * @param {boolean} isShown
 * @returns {Promise<boolean>} whether it could be built
 */
async function buildWorkspace(workspace, folder, isShown) {
  const unfinished = join(folder, workspace);
  // Relative, because on Windows a shell reads it.
  const args = ['run', 'build', '-w', workspace, '--', '--outDir', `../.cache/${basename(folder)}/${workspace}`];
  const { code, output } = await run('npm', [...args, ...(workspace === 'web' ? ['--emptyOutDir'] : [])], {
    quiet: !isShown,
  });
  if (code !== 0) {
    process.stderr.write(`${output}\nThe build of ${workspace} failed.\n`);
    return false;
  }
  if (existsSync(outputOf(workspace))) renameSync(outputOf(workspace), `${unfinished}.old`);
  renameSync(unfinished, outputOf(workspace));
  return true;
}

/** @param {boolean} force @returns {Promise<boolean>} whether the build is complete */
async function buildChanges(force) {
  // Taken before the build, so that the next start notices changes made during it.
  const current = fingerprint();
  if (!force && lastBuilt() === current && OUTPUTS.every((file) => existsSync(join(root, file)))) return true;

  requireTools();
  for (const output of WORKSPACES.map(outputOf)) if (existsSync(output)) accessSync(output, constants.W_OK);
  mkdirSync(CACHE, { recursive: true });
  accessSync(CACHE, constants.W_OK);
  const startedAt = performance.now();
  console.log('Building HourShare …');
  rmSync(STAMP, { force: true });
  const folder = mkdtempSync(join(CACHE, 'build-'));
  try {
    for (const workspace of WORKSPACES) if (!(await buildWorkspace(workspace, folder, force))) return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  writeFileSync(STAMP, current);
  console.log(`Built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`);
  return true;
}

if (isMain(import.meta.filename)) {
  onSignal(() => {});
  process.exitCode = (await build({ force: true })) ? 0 : 1;
}
