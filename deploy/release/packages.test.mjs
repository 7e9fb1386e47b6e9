import { expect, it } from 'vitest';
import {
  bundledPackages,
  listedPackages,
  productionPackages,
  releaseManifest,
  releaseSbom,
  withOverrides,
} from './packages.mjs';

const integrity = 'sha512-xyz==';
const binary = { version: '2.0.0', integrity, optional: true, os: ['darwin'], cpu: ['arm64'], libc: ['glibc'] };
const locked = {
  '': { version: '1.2.3' },
  'node_modules/@hourshare/server': { link: true },
  'node_modules/pg': { version: '8.23.1', integrity },
  'node_modules/vitest': { version: '4.1.12', integrity, dev: true },
  'node_modules/argon2-darwin': binary,
  'web/node_modules/react': { version: '19.3.1', integrity, license: 'MPL 2.0', dev: true },
};

it('has a package.json with the packages of the server alone, all of them in the archive', () => {
  const project = {
    name: 'hourshare',
    version: '1.2.3',
    description: '',
    license: 'MIT',
    engines: {},
    workspaces: ['server'],
  };
  const manifest = releaseManifest(project, { pg: '8.23.1' });
  expect(manifest).toMatchObject({ private: true, dependencies: { pg: '8.23.1' }, bundleDependencies: ['pg'] });
  expect(manifest).not.toHaveProperty('workspaces');
});

it('contains what the lock file needs in production, for every platform or this one', () => {
  const { os: _, cpu: __, libc: ___, ...everywhere } = binary;
  const packages = { 'node_modules/pg': { version: '8.23.1', integrity }, 'node_modules/argon2-darwin': everywhere };
  expect(productionPackages({ packages: locked }, { isForHere: false })).toEqual(packages);
  expect(productionPackages({ packages: locked }, { isForHere: true })['node_modules/argon2-darwin']).toEqual(binary);
  const nested = { ...locked, 'server/node_modules/pg': { version: '9.0.0', integrity } };
  expect(() => productionPackages({ packages: nested }, { isForHere: false })).toThrow('is a second version');
});

it('asks for the versions that overrides choose, which a release has none of', () => {
  const packages = {
    'node_modules/a': { version: '1.0.0', dependencies: { b: '1.0.0', c: '1.0.0' } },
    'node_modules/b': { version: '2.0.0' },
  };
  expect(withOverrides(packages, { b: '2.0.0', a: { c: '3.0.0' } })).toEqual({
    ...packages,
    'node_modules/a': { version: '1.0.0', dependencies: { b: '2.0.0', c: '1.0.0' } },
  });
});

it('lists each package in node_modules and in the web app with its hash and license', () => {
  const bundled = bundledPackages('# Licenses\n\n## react - 19.3.1 (MIT)\n\n## Statement\n');
  expect(bundled).toEqual([{ name: 'react', version: '19.3.1', license: 'MIT' }]);
  expect(listedPackages({ 'node_modules/pg': locked['node_modules/pg'] }, bundled, locked)).toEqual({
    'node_modules/react': { version: '19.3.1', integrity, license: 'MPL-2.0' },
    'node_modules/pg': { version: '8.23.1', integrity, license: '' },
  });
  const unknown = [{ name: 'react', version: '20.0.0', license: 'MIT' }];
  expect(() => listedPackages({}, unknown, locked)).toThrow('The web app contains react 20.0.0, which');
});

it('has an SBOM in which nothing changes between two runs', () => {
  const metadata = { timestamp: '2026-11-23T23:58:29.995Z', component: { name: 'a-folder', version: '1.2.3' } };
  const alias = { name: 'otlp-definitions', purl: 'pkg:npm/%40opentelemetry/otlp-transformer@0.217.0' };
  expect(releaseSbom({ serialNumber: 'urn:uuid:1', metadata, components: [alias] }, 'hourshare')).toEqual({
    metadata: { lifecycles: [{ phase: 'build' }], component: { name: 'hourshare', version: '1.2.3' } },
    components: [{ ...alias, name: '@opentelemetry/otlp-transformer' }],
  });
});
