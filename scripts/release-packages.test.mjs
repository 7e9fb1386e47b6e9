import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  bundledPackages,
  installedComponents,
  installedPackages,
  productionPackages,
  releaseManifest,
  releaseSbom,
} from './release-packages.mjs';

const integrity = `sha512-${Buffer.from('content').toString('base64')}`;
const hash = Buffer.from('content').toString('hex');

function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'hourshare-packages-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

describe('the package.json of a release', () => {
  const project = {
    name: 'hourshare',
    version: '1.2.3',
    description: 'Share.',
    license: 'MIT',
    engines: { node: '>=20.19.0' },
    devDependencies: { vitest: '4.1.12' },
    workspaces: ['server'],
  };

  it('has the command and the packages of the server, all of them in the archive', () => {
    const manifest = releaseManifest(project, { pg: '8.23.1', zod: '4.6.7' });
    expect(manifest).toMatchObject({
      name: 'hourshare',
      version: '1.2.3',
      private: true,
      engines: { node: '>=20.19.0' },
      bin: { hourshare: 'scripts/hourshare.mjs' },
      dependencies: { pg: '8.23.1', zod: '4.6.7' },
      bundleDependencies: ['pg', 'zod'],
    });
    expect(manifest).not.toHaveProperty('devDependencies');
    expect(manifest).not.toHaveProperty('workspaces');
  });
});

describe('the packages of a release', () => {
  const binary = { version: '2.0.0', integrity, optional: true, os: ['darwin'], cpu: ['arm64'], libc: ['glibc'] };
  const packages = {
    '': { version: '1.2.3' },
    server: { version: '1.2.3' },
    'node_modules/@hourshare/server': { link: true },
    'node_modules/pg': { version: '8.23.1', integrity },
    'node_modules/vitest': { version: '4.1.12', integrity, dev: true },
    'server/node_modules/mailparser': { version: '3.0.0', integrity, dev: true },
    'node_modules/argon2-darwin': binary,
  };

  it('are those that the lock file needs in production, for every platform', () => {
    expect(productionPackages({ packages }, { isForHere: false })).toEqual({
      'node_modules/pg': { version: '8.23.1', integrity },
      'node_modules/argon2-darwin': { version: '2.0.0', integrity, optional: true },
    });
  });

  it('keep their platform if the release is only for this machine', () => {
    expect(productionPackages({ packages }, { isForHere: true })['node_modules/argon2-darwin']).toEqual(binary);
  });

  it('are rejected if a workspace needs a different version', () => {
    const nested = { ...packages, 'server/node_modules/pg': { version: '9.0.0', integrity } };
    expect(() => productionPackages({ packages: nested }, { isForHere: false })).toThrow(
      'server/node_modules/pg is a second version of a package; a release has only one at the top.',
    );
  });

  it('are those that npm installed', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'node_modules', 'pg'), { recursive: true });
    const wanted = productionPackages({ packages }, { isForHere: true });
    expect(Object.keys(installedPackages(wanted, folder))).toEqual(['node_modules/pg']);
  });

  it('are found in the archive, nested ones too, without folders inside of packages', () => {
    const folder = temporaryFolder();
    const files = [
      'node_modules/pg/package.json',
      'node_modules/pg/esm/package.json',
      'node_modules/@a/b/node_modules/pg/package.json',
      'node_modules/@a/b/package.json',
      'package.json',
      'server/node_modules/@hourshare/contract/package.json',
    ];
    for (const file of files) {
      mkdirSync(join(folder, file, '..'), { recursive: true });
      writeFileSync(join(folder, file), JSON.stringify({ name: file }));
    }
    expect(installedComponents(folder, files).map(({ name }) => name)).toEqual([files[0], files[2], files[3]]);
  });
});

describe('the SBOM', () => {
  const list = `# Licenses

## react - 19.3.1 (MIT)

MIT License

## zod - 4.6.7 (MIT)
## qr - 0.7.0 ((MIT OR Apache-2.0))
## Statement of Purpose
`;
  const root = {
    'bom-ref': 'hourshare@1.2.3',
    name: 'a-temporary-folder',
    version: '1.2.3',
    purl: 'pkg:npm/hourshare@1.2.3',
  };
  const component = (/** @type {string} */ name, /** @type {string} */ version) => ({
    'bom-ref': `${name}@${version}`,
    name,
    version,
    purl: `pkg:npm/${name}@${version}`,
  });
  const licenses = [{ license: { id: 'MIT' } }];
  const sbom = () => ({
    bomFormat: 'CycloneDX',
    serialNumber: 'urn:uuid:1',
    metadata: { timestamp: '2026-11-23T23:58:29.995Z', tools: [{ name: 'cli', version: '11.0.0' }], component: root },
    components: [{ ...component('zod', '4.6.7'), licenses }, component('encoder', '0.0.1')],
    dependencies: [{ ref: 'hourshare@1.2.3', dependsOn: ['zod@4.6.7'] }],
  });
  const packages = {
    'node_modules/react': { version: '19.3.1', integrity },
    'node_modules/zod': { version: '4.6.7', integrity },
    'node_modules/a/node_modules/qr': { version: '0.7.0', integrity },
    'node_modules/encoder': { version: '0.0.1', integrity, license: 'MPL 2.0' },
  };

  it('reads the packages in the web app from its list of licenses', () => {
    expect(bundledPackages(list)).toEqual([
      { name: 'react', version: '19.3.1', license: 'MIT' },
      { name: 'zod', version: '4.6.7', license: 'MIT' },
      { name: 'qr', version: '0.7.0', license: '(MIT OR Apache-2.0)' },
    ]);
  });

  it('has each package once, with its hash and license', () => {
    const { components, dependencies } = releaseSbom(sbom(), bundledPackages(list), packages);
    expect(components.map((each) => each['bom-ref'])).toEqual([
      'encoder@0.0.1',
      'qr@0.7.0',
      'react@19.3.1',
      'zod@4.6.7',
    ]);
    expect(components[0]).toMatchObject({ licenses: [{ license: { id: 'MPL-2.0' } }] });
    expect(components[1]).toMatchObject({ licenses: [{ expression: 'MIT OR Apache-2.0' }] });
    expect(components[2]).toMatchObject({
      purl: 'pkg:npm/react@19.3.1',
      hashes: [{ alg: 'SHA-512', content: hash }],
      licenses,
    });
    expect(dependencies[0]).toEqual({
      ref: 'hourshare@1.2.3',
      dependsOn: ['qr@0.7.0', 'react@19.3.1', 'zod@4.6.7'],
    });
    expect(dependencies.map(({ ref }) => ref)).toEqual(['hourshare@1.2.3', 'react@19.3.1', 'qr@0.7.0']);
  });

  it('has nothing that changes between two runs', () => {
    const { serialNumber, metadata } = releaseSbom(sbom(), [], packages);
    expect(serialNumber).toBeUndefined();
    expect(metadata).toEqual({
      lifecycles: [{ phase: 'build' }],
      component: { ...root, type: 'application', name: 'hourshare' },
    });
  });

  it("is refused if the web app contains what isn't locked", () => {
    expect(() => releaseSbom(sbom(), [{ name: 'react', version: '20.0.0', license: 'MIT' }], packages)).toThrow(
      'The web app contains react 20.0.0, which package-lock.json lacks.',
    );
  });
});
