import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { basename, join } from 'node:path';
import { requireTools } from './preflight.cjs';
import { isMain, onSignal, root, run } from './processes.mjs';

// Builds contract, server and web, in this order, when their sources have changed since the last build; `npm run
// build` always does. Hand-written because wireit, turbo and nx are development packages, without which a built
// server must start.

const STAMP = '.cache/build-stamp';
const WORKSPACES = ['contract', 'server', 'web'];
const SHARED_INPUTS = ['package.json', 'package-lock.json', 'tsconfig.base.json'];
const OUTPUTS = ['contract/dist/endpoints.js', 'server/dist/main.js', 'web/dist/index.html'];
const NOT_BUILT_FROM = new Set(['node_modules', 'dist']);

/** @param {string} folder @returns {string[]} paths from the root, in the same order on every file system */
function filesBelow(folder) {
  return fs
    .readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => !NOT_BUILT_FROM.has(entry.name) && !/\.test\.(?:tsx?|mjs)$/.test(entry.name))
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`]))
    .toSorted();
}

function fingerprint() {
  const hash = createHash('sha256');
  for (const file of [...SHARED_INPUTS, ...WORKSPACES.flatMap(filesBelow)]) {
    // Without the length, moving text from the end of one file to the start of the next would keep the hash.
    const content = fs.readFileSync(join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

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

/** @param {boolean} force @returns {Promise<boolean>} */
async function buildChanges(force) {
  // Taken before the build, so that the next start notices changes made during it.
  const current = fingerprint();
  const isComplete = [STAMP, ...OUTPUTS].every((file) => fs.existsSync(join(root, file)));
  if (!force && isComplete && fs.readFileSync(join(root, STAMP), 'utf8') === current) return true;

  requireTools();
  const outputs = WORKSPACES.map((workspace) => join(root, workspace, 'dist'));
  for (const output of outputs) if (fs.existsSync(output)) fs.accessSync(output, fs.constants.W_OK);
  fs.mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = fs.mkdtempSync(join(root, '.cache', 'build-'));
  const startedAt = performance.now();
  console.log('Building HourShare …');
  fs.rmSync(join(root, STAMP), { force: true });
  try {
    for (const [index, workspace] of WORKSPACES.entries()) {
      // A new folder that is swapped in, so that a running server always has complete files, and nothing of removed sources
      // stays. Relative, because on Windows a shell reads it.
      const args = ['run', 'build', '-w', workspace, '--', '--outDir', `../.cache/${basename(folder)}/${workspace}`];
      const { code, output } = await run('npm', args, { quiet: !force });
      if (code !== 0) {
        process.stderr.write(`${output}\nThe build of ${workspace} failed.\n`);
        return false;
      }
      const last = outputs[index] ?? '';
      if (fs.existsSync(last)) fs.renameSync(last, join(folder, `${workspace}.old`));
      fs.renameSync(join(folder, workspace), last);
    }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
  fs.writeFileSync(join(root, STAMP), current);
  console.log(`Built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`);
  return true;
}

if (isMain(import.meta.filename)) {
  onSignal(() => {});
  process.exitCode = (await build({ force: true })) ? 0 : 1;
}
