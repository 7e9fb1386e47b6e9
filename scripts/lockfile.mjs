import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import semver from 'semver';
import { isMain, root } from './processes.mjs';

// Checks what package-lock.json installs. Hand-written because lockfile-lint checks download addresses, which .npmrc omits,
// and hashes, but no versions, engines, or install scripts.

const OLDEST_NODE = '20.19.0';

/** @typedef {{ [key: string]: any, engines?: { node?: string } }} Package */

/** Returns what is wrong with the packages of a lock file. @param {Record<string, Package>} packages by path */
export const lockfileProblems = (packages) =>
  Object.entries(packages).flatMap(([path, entry]) => {
    const isInstalled = path.includes('node_modules/');
    const wanted = { ...entry.dependencies, ...entry.devDependencies, ...entry.optionalDependencies };
    const inexact = Object.entries(isInstalled ? {} : wanted).filter(
      ([, version]) => !semver.valid(version.replace(/^npm:.+@/, '')),
    );
    const node = entry.engines?.node ?? '*';
    const lacksHash = isInstalled && !entry.link && !entry.inBundle && !entry.integrity?.startsWith('sha512-');
    return [
      ...inexact.map(([name, version]) => `${path || '.'}: ${name} must be pinned exactly, not "${version}"`),
      /^[a-z+]+:/.test(entry.resolved) && `${path}: names a download address; .npmrc omits them, install it again`,
      // Without a hash, npm installs whatever it is served.
      lacksHash && `${path}: has no SHA-512 hash; install it again`,
      !semver.satisfies(OLDEST_NODE, node) && `${path}: needs Node.js ${node}; pin a version for ${OLDEST_NODE}`,
      entry.hasInstallScript && `${path}: has an install script; choose a package without one`,
    ].filter(Boolean);
  });

if (isMain(import.meta.filename)) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const problems = lockfileProblems(packages);
  for (const problem of problems) console.error(problem);
  console.log(`${Object.keys(packages).length} packages, ${problems.length} problems`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
