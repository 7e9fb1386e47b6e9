import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { packageNotices, standardText } from './notices.mjs';

/** @param {Record<string, object>} manifests by name @param {Record<string, Record<string, string>>} [files] */
function noticesOf(manifests, files = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'hourshare-notices-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const folders = Object.entries(manifests).map(([name, manifest]) => {
    const at = join(folder, name);
    mkdirSync(at, { recursive: true });
    const all = {
      'package.json': JSON.stringify({ name, version: '1.0.0', license: 'MIT', ...manifest }),
      ...files[name],
    };
    for (const [file, content] of Object.entries(all)) writeFileSync(join(at, file), content);
    return at;
  });
  return packageNotices(folders);
}

describe('the notice of a package', () => {
  it('has all of its license files', () => {
    const files = {
      'LICENSE-MIT.md': ' Mine. \n',
      NOTICE: 'Also theirs.',
      'license.js': 'code',
      'README.md': 'License',
    };
    expect(noticesOf({ a: {} }, { a: files })).toEqual(['## a - 1.0.0 (MIT)\n\nMine.\n\nAlso theirs.\n']);
  });

  it('has the license of the package whose binary it is', () => {
    const repository = { type: 'git', url: 'https://host.example/binding' };
    const [, binary] = noticesOf(
      { binding: { repository }, 'binding-linux': { repository } },
      { binding: { LICENSE: 'Mine.' } },
    );
    expect(binary).toBe('## binding-linux - 1.0.0 (MIT)\n\nMine.\n');
  });

  it.each(['Ann Author <ann@example.org> (https://example.org)', { name: 'Ann Author', email: 'ann@example.org' }])(
    'has the standard text with the author %j, if there is no file',
    (author) => {
      const [notice] = noticesOf({ a: { author } });
      expect(notice).toContain('\nCopyright (c) Ann Author\n\nPermission is hereby granted, free of charge,');
    },
  );

  it("has PostgreSQL's, which the embedded database contains", () => {
    const [notice] = noticesOf({ '@electric-sql/pglite': {} }, { '@electric-sql/pglite': { LICENSE: 'Mine.' } });
    expect(notice).toMatch(/Mine\.\n\n## PostgreSQL, in @electric-sql\/pglite \(PostgreSQL\)\n\nPostgreSQL Database/);
  });

  it('is refused without a name for the copyright', () => {
    expect(() => standardText('MIT')).toThrow('A package under MIT names neither license nor author.');
  });

  it('is refused for a license that has no standard text', () => {
    expect(() => noticesOf({ a: { license: 'Mine' } })).toThrow('is under "Mine", which SPDX doesn\'t list.');
  });
});
