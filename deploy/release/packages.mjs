import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// Says which packages a release contains: package.json and package-lock.json to install them, and to list them in an SBOM.

/**
 * @typedef {{
 *   version?: string, integrity?: string, license?: string, dev?: boolean, link?: boolean, optional?: boolean,
 *   os?: string[], cpu?: string[], libc?: string[],
 * }} Locked
 * @typedef {Record<string, Locked>} Packages by path, as in package-lock.json
 * @typedef {{ name: string, version: string, license: string }} Bundled a package whose code is in files of the web app
 */

/** What packages call their license, where SPDX calls it something else. @type {Record<string, string>} */
const LICENSE_IDS = { 'MPL 2.0': 'MPL-2.0' };

export const spdxId = (/** @type {string} */ license) => LICENSE_IDS[license] ?? license;

/**
 * Returns the package.json of a release.
 *
 * @param {{ name: string, version: string, description: string, license: string, engines: object }} project
 * @param {Record<string, string>} dependencies
 */
export function releaseManifest({ name, version, description, license, engines }, dependencies) {
  const start = 'node scripts/hourshare.mjs';
  return {
    name,
    version,
    // Never published: people install the archive that they verified.
    private: true,
    description,
    license,
    type: 'module',
    engines,
    bin: { hourshare: 'scripts/hourshare.mjs' },
    scripts: { start: `exec ${start} || ${start}`, admin: `${start} admin` },
    dependencies,
    // They are in the archive, so npx downloads nothing.
    bundleDependencies: Object.keys(dependencies),
  };
}

/**
 * Returns packages that ask for the versions that the overrides of the project choose, because a release has no overrides.
 *
 * @param {Record<string, any>} packages
 * @param {Record<string, unknown>} overrides
 */
export const withOverrides = (packages, overrides) =>
  Object.fromEntries(
    Object.entries(packages).map(([path, { dependencies, ...entry }]) => {
      if (dependencies === undefined) return [path, entry];
      const chosen = Object.entries(dependencies).map(([name, wanted]) => {
        const version = overrides[name];
        return [name, typeof version === 'string' ? version : wanted];
      });
      return [path, { ...entry, dependencies: Object.fromEntries(chosen) }];
    }),
  );

/**
 * Returns the locked packages that a release needs. For every platform, they no longer say for which one they are, because
 * npm would omit those for others.
 *
 * @param {{ packages: Packages }} lockfile
 * @param {{ isForHere: boolean }} options
 * @returns {Packages}
 */
export function productionPackages({ packages }, { isForHere }) {
  const production = Object.entries(packages).filter(
    ([path, entry]) => /(?:^|\/)node_modules\//.test(path) && !entry.dev,
  );
  const nested = production.find(([path]) => !path.startsWith('node_modules/'));
  if (nested) throw new Error(`${nested[0]} is a second version of a package; a release has only one at the top.`);
  return Object.fromEntries(
    production
      .filter(([, entry]) => !entry.link)
      .map(([path, entry]) => {
        const { os: _os, cpu: _cpu, libc: _libc, ...everywhere } = entry;
        return [path, isForHere ? entry : everywhere];
      }),
  );
}

/** Returns the packages that npm installed: it omits optional ones for other platforms. @param {Packages} packages @param {string} folder */
export function installedPackages(packages, folder) {
  return Object.fromEntries(Object.entries(packages).filter(([path]) => existsSync(join(folder, path))));
}

/** Returns the packages that the web app's list of licenses names. @param {string} list @returns {Bundled[]} */
export function bundledPackages(list) {
  return [...list.matchAll(/^## (\S+) - (\S+) \((.+)\)$/gm)].map(([, name = '', version = '', license = '']) => ({
    name,
    version,
    license,
  }));
}

/**
 * Returns the locked packages of which npm makes an SBOM: those in node_modules, and those in files of the web app, whose
 * own dependencies are in the list if they are there.
 *
 * @param {Packages} installed @param {Bundled[]} bundled @param {Packages} locked
 * @returns {Packages}
 */
export function listedPackages(installed, bundled, locked) {
  const inWeb = bundled.map(({ name, version }) => {
    const [, found] =
      Object.entries(locked).find(
        ([path, entry]) => path.endsWith(`node_modules/${name}`) && entry.version === version,
      ) ?? [];
    if (!found) throw new Error(`The web app contains ${name} ${version}, which package-lock.json lacks.`);
    const { integrity, license } = found;
    return [`node_modules/${name}`, { version, ...(integrity && { integrity }), ...(license && { license }) }];
  });
  const all = { ...Object.fromEntries(inWeb), ...installed };
  return Object.fromEntries(
    Object.entries(all).map(([path, { license, ...entry }]) => [path, { ...entry, license: spdxId(license ?? '') }]),
  );
}

/** Returns npm's SBOM without what changes at every run. @param {any} sbom CycloneDX 1.5 @param {string} name of the release */
export function releaseSbom(sbom, name) {
  const { serialNumber: _, metadata, ...rest } = sbom;
  const component = { ...metadata.component, name };
  // npm lists a package that is installed under another name by that.
  const components = sbom.components.map((/** @type {any} */ each) => ({ ...each, name: nameInPurl(each.purl) }));
  return { ...rest, components, metadata: { lifecycles: [{ phase: 'build' }], component } };
}

const nameInPurl = (/** @type {string} */ purl) => decodeURIComponent(/^pkg:npm\/(.+)@/.exec(purl)?.[1] ?? '');

const PACKAGE = /^node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/@]+\/package\.json$/;

/**
 * Returns the packages by others in a folder's node_modules.
 *
 * @param {string} folder @param {string[]} files below it
 */
export function installedComponents(folder, files) {
  return files.filter((file) => PACKAGE.test(file)).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')));
}
