import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// Says which packages a release contains: package.json and package-lock.json to install them, and the SBOM to list them.

/**
 * @typedef {{
 *   version?: string, integrity?: string, license?: string, dev?: boolean, link?: boolean, optional?: boolean,
 *   os?: string[], cpu?: string[], libc?: string[],
 * }} Locked
 * @typedef {Record<string, Locked>} Packages by path, as in package-lock.json
 * @typedef {{ name: string, version: string, license: string }} Bundled a package whose code is in files of the web app
 * @typedef {{ 'bom-ref': string, name: string, version: string, purl: string, [key: string]: unknown }} Component
 * @typedef {{
 *   metadata: { component: Component, [key: string]: unknown },
 *   components: Component[],
 *   dependencies: { ref: string, dependsOn: string[] }[],
 *   serialNumber?: string,
 *   [key: string]: unknown,
 * }} Sbom CycloneDX 1.5
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

const purl = (/** @type {{ name: string, version: string }} */ { name, version }) =>
  `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;

/** @param {string} license */
const licenseEntry = (license) =>
  /[ (]/.test(license) ? { expression: license.replace(/^\((.*)\)$/, '$1') } : { license: { id: license } };

/**
 * Returns the component of a package whose code is in the web app.
 *
 * @param {Bundled} bundled @param {Packages} packages
 * @returns {Component}
 */
function bundledComponent(bundled, packages) {
  const { name, version, license } = bundled;
  const [, locked] =
    Object.entries(packages).find(
      ([path, entry]) => path.endsWith(`node_modules/${name}`) && entry.version === version,
    ) ?? [];
  if (!locked?.integrity) throw new Error(`The web app contains ${name} ${version}, which package-lock.json lacks.`);
  return {
    'bom-ref': `${name}@${version}`,
    type: 'library',
    name,
    version,
    scope: 'required',
    purl: purl(bundled),
    properties: [{ name: 'cdx:npm:package:bundled', value: 'true' }],
    hashes: [
      { alg: 'SHA-512', content: Buffer.from(locked.integrity.replace('sha512-', ''), 'base64').toString('hex') },
    ],
    licenses: [licenseEntry(license)],
  };
}

/**
 * Returns npm's SBOM of a release without what changes at every run, and with the packages in the web app.
 *
 * @param {Sbom} sbom @param {Bundled[]} bundled @param {Packages} packages all that are locked
 * @returns {Sbom}
 */
export function releaseSbom(sbom, bundled, packages) {
  const { serialNumber: _, ...rest } = sbom;
  const { component } = sbom.metadata;
  const components = new Map(sbom.components.map((each) => [each['bom-ref'], each]));
  for (const each of components.values()) {
    const [, locked] =
      Object.entries(packages).find(
        ([path, entry]) => path.endsWith(`node_modules/${each.name}`) && entry.version === each.version,
      ) ?? [];
    each.licenses ??= [licenseEntry(spdxId(locked?.license ?? ''))];
  }
  const webOnly = bundled
    .map((each) => bundledComponent(each, packages))
    .filter((each) => !components.has(each['bom-ref']));
  return {
    ...rest,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: { ...component, type: 'application', name: component.purl.replace(/^pkg:npm\/|@[^@]*$/g, '') },
    },
    components: [...components.values(), ...webOnly].toSorted((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1)),
    dependencies: [
      ...sbom.dependencies.map((each) =>
        each.ref === component['bom-ref']
          ? { ...each, dependsOn: [...each.dependsOn, ...webOnly.map((one) => one['bom-ref'])].toSorted() }
          : each,
      ),
      ...webOnly.map((each) => ({ ref: each['bom-ref'], dependsOn: [] })),
    ],
  };
}

const PACKAGE = /^node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/@]+\/package\.json$/;

/**
 * Returns the packages by others in a folder's node_modules.
 *
 * @param {string} folder @param {string[]} files below it
 */
export function installedComponents(folder, files) {
  return files.filter((file) => PACKAGE.test(file)).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')));
}
