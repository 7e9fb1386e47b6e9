import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FileExists, writeAtomicFile } from './atomic-file.ts';
import { temporaryFolder } from './database/testing/processes.ts';

const write = (path: string, text: string) =>
  writeAtomicFile(path, (file) => new Promise<void>((resolve) => file.end(text, () => resolve())));

describe('a file written at once', () => {
  it('never replaces another one, even if both were begun before either had the name', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'file');
    const texts = Array.from({ length: 8 }, (_, number) => `text ${number}`);
    const results = await Promise.allSettled(texts.map((text) => write(path, text)));
    const won = results.flatMap(({ status }, number) => (status === 'fulfilled' ? [number] : []));
    expect(won).toHaveLength(1);
    expect(readFileSync(path, 'utf8')).toBe(texts[won[0] ?? -1]);
    for (const result of results.filter(({ status }) => status === 'rejected'))
      expect(result).toMatchObject({ reason: new FileExists(path) });
    expect(readdirSync(folder)).toEqual(['file']);
  });

  it('leaves one that appeared while it was written', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'file');
    const late = writeAtomicFile(path, async (file) => {
      writeFileSync(path, 'earlier');
      await new Promise<void>((resolve) => file.end('later', () => resolve()));
    });
    await expect(late).rejects.toThrow(FileExists);
    expect(readFileSync(path, 'utf8')).toBe('earlier');
    expect(readdirSync(folder)).toEqual(['file']);
  });
});
