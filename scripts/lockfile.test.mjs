import { describe, expect, it } from 'vitest';
import { lockfileProblems } from './lockfile.mjs';

const integrity = 'sha512-xyz==';

/** @param {Record<string, object>} packages each with a hash unless specified otherwise */
const problemsOf = (packages) =>
  lockfileProblems({
    packages: Object.fromEntries(Object.entries(packages).map(([path, entry]) => [path, { integrity, ...entry }])),
  });

describe('the lock file check', () => {
  it('accepts exact versions, aliases and links to workspaces', () => {
    const problems = problemsOf({
      '': { dependencies: { pg: '8.23.1' }, devDependencies: { '@typescript/native': 'npm:typescript@7.0.2' } },
      web: { devDependencies: { react: '19.3.1' } },
      'node_modules/@hourshare/web': { resolved: 'web', link: true },
      'node_modules/pg': { version: '8.23.1', engines: { node: '>= 16.0.0' } },
    });
    expect(problems).toEqual([]);
  });

  it.each(['^1.0.0', '~1.0.0', '1.x', '*', 'latest', '>=1', 'npm:typescript@^7.0.0'])(
    'rejects the version %s',
    (version) => {
      expect(problemsOf({ web: { devDependencies: { react: version } } })).toEqual([
        `web: react must be pinned exactly, not "${version}"`,
      ]);
    },
  );

  it('accepts any version range that a package asks for', () => {
    expect(problemsOf({ 'node_modules/pg': { version: '8.23.1', dependencies: { pgpass: '^1.0.0' } } })).toEqual([]);
  });

  it('rejects a download address', () => {
    const [problem] = problemsOf({ 'node_modules/pg': { version: '1.0.0', resolved: 'https://host.example/pg.tgz' } });
    expect(problem).toContain('node_modules/pg: names its download address');
  });

  it.each([undefined, 'sha1-xyz='])('rejects a package with the hash %s', (hash) => {
    expect(problemsOf({ 'node_modules/pg': { version: '1.0.0', integrity: hash } })).toEqual([
      'node_modules/pg: has no SHA-512 hash of its content in package-lock.json; install it again',
    ]);
  });

  it('requires no hash for a workspace or a bundled package', () => {
    const workspace = { version: '1.0.0', integrity: undefined };
    const problems = problemsOf({
      web: workspace,
      'node_modules/@hourshare/web': { resolved: 'web', link: true, integrity: undefined },
      'node_modules/a/node_modules/b': { version: '1.0.0', inBundle: true, integrity: undefined },
    });
    expect(problems).toEqual([]);
  });

  it.each(['>=22', '^20.20.0 || >=22.12', '>=20.19.1'])('rejects a package that requires Node %s', (node) => {
    const [problem] = problemsOf({ 'node_modules/new': { version: '2.0.0', engines: { node } } });
    expect(problem).toContain(`node_modules/new@2.0.0: needs Node.js ${node}`);
  });

  it("rejects an install script that hasn't been reviewed", () => {
    const [problem] = problemsOf({ 'node_modules/a/node_modules/@b/c': { version: '1.0.0', hasInstallScript: true } });
    expect(problem).toContain('@b/c: has an install script');
  });

  it('accepts a known install script, and rejects a known one that is gone', () => {
    const packages = { 'node_modules/@b/c': { version: '1.0.0', hasInstallScript: true, integrity } };
    expect(lockfileProblems({ packages }, ['@b/c'])).toEqual([]);
    expect(lockfileProblems({ packages }, ['@b/c', 'd'])).toEqual([
      expect.stringContaining('d: no longer has an install script'),
    ]);
  });
});
