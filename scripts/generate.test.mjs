import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { generate } from './generate.mjs';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hourshare-generate-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const entries = [{ file: 'docs/list.md', make: () => Promise.resolve('made\n') }];

describe('the generated files', () => {
  it('are written when they are missing or stale, and left alone otherwise', async () => {
    expect(await generate(entries, { folder, check: false })).toEqual(['docs/list.md']);
    expect(readFileSync(join(folder, 'docs/list.md'), 'utf8')).toBe('made\n');
    expect(await generate(entries, { folder, check: false })).toEqual([]);
  });

  it('are only compared by the check, which names what is missing or stale', async () => {
    expect(await generate(entries, { folder, check: true })).toEqual(['docs/list.md']);
    expect(existsSync(join(folder, 'docs'))).toBe(false);

    await generate(entries, { folder, check: false });
    writeFileSync(join(folder, 'docs/list.md'), 'changed by hand\n');
    expect(await generate(entries, { folder, check: true })).toEqual(['docs/list.md']);
    expect(readFileSync(join(folder, 'docs/list.md'), 'utf8')).toBe('changed by hand\n');
  });
});
