import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { runCommand } from '../../../commands.ts';
import { requireSameSecret } from '../../accounts/service.ts';
import { openTestApi, TEST_SECRET, type TestApi } from '../../../testing/api.ts';
import { backUpDaily, readLastBackup } from './service.ts';

const DAY = 24 * 3_600_000;

let api: TestApi;
let parent: string;
let folder: string;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'hourshare-daily-'));
  api = await openTestApi();
});
afterAll(async () => {
  await api.close();
  await rm(parent, { recursive: true });
});
let number = 0;
beforeEach(async () => {
  await api.reset();
  await requireSameSecret(api.deps.db, TEST_SECRET, undefined);
  number += 1;
  folder = join(parent, String(number), 'backups');
  Object.assign(api.deps.config, { BACKUP_DIR: folder, BACKUP_KEEP: 3 });
});

const run = (signal = new AbortController().signal) => backUpDaily(api.deps, signal);

async function lastLineOfStats(): Promise<string> {
  let last = '';
  for await (const { text } of runCommand(api.deps, ['stats'])) last = text;
  return last;
}

it('is made once a day, and the oldest are removed, but nothing else', async () => {
  expect(await lastLineOfStats()).toBe('Daily backup:         none yet');
  for (let day = 0; day < 5; day += 1) {
    await run();
    if (day === 0) {
      for (const name of [
        'notes.txt',
        'hourshare.gz',
        'hourshare-2020-01-01-000000.gz.0123abcd.partial',
        'x.0123abcd.partial',
      ])
        writeFileSync(join(folder, name), '');
    }
    api.clock.advance(6 * 3_600_000);
    await run();
    api.clock.advance(DAY - 6 * 3_600_000);
  }
  expect(readdirSync(folder).toSorted()).toEqual([
    'hourshare-2026-03-12-120000.gz',
    'hourshare-2026-03-13-120000.gz',
    'hourshare-2026-03-14-120000.gz',
    'hourshare.gz',
    'notes.txt',
    'x.0123abcd.partial',
  ]);
  expect(gunzipSync(readFileSync(join(folder, 'hourshare-2026-03-14-120000.gz'))).toString()).toContain(
    '"created_at":"2026-03-14T12:00:00.000Z"',
  );
  expect(await readLastBackup(api.deps)).toEqual({ madeAt: new Date('2026-03-14T12:00:00Z'), failedAt: null });
  expect(await lastLineOfStats()).toBe('Daily backup:         2026-03-14 12:00 UTC');
});

it('is made on the next day even if that is minutes later, and after the clock was ahead', async () => {
  api.clock.now = new Date('2026-03-10T23:58:00Z');
  await run();
  api.clock.now = new Date('2026-03-11T00:03:00Z');
  await run();
  expect(readdirSync(folder)).toHaveLength(2);
  api.clock.now = new Date('2030-01-01T00:00:00Z');
  await run();
  api.clock.now = new Date('2026-03-11T00:13:00Z');
  await run();
  expect(readdirSync(folder)).toHaveLength(3);
  expect((await readLastBackup(api.deps)).madeAt).toEqual(api.clock.now);
});

it('says since when it fails, and recovers', async () => {
  await run();
  api.clock.advance(DAY);
  // No folder can be made below a file.
  const file = join(parent, 'file');
  writeFileSync(file, '');
  api.deps.config.BACKUP_DIR = join(file, 'backups');
  await expect(run()).rejects.toThrow('ENOTDIR');
  api.clock.advance(600_000);
  await expect(run()).rejects.toThrow('ENOTDIR');
  expect(await lastLineOfStats()).toBe(
    'Daily backup:         2026-03-10 12:00 UTC, failing since 2026-03-11 12:00 UTC; the log says why',
  );
  api.deps.config.BACKUP_DIR = folder;
  await run();
  expect(await lastLineOfStats()).toBe('Daily backup:         2026-03-11 12:10 UTC');
});

it('is abandoned without a trace when the server stops', async () => {
  mkdirSync(folder, { recursive: true });
  await run(AbortSignal.abort());
  expect(readdirSync(folder)).toEqual([]);
  expect(await readLastBackup(api.deps)).toEqual({ madeAt: null, failedAt: null });
});

it('is not made without a folder', async () => {
  api.deps.config.BACKUP_DIR = undefined;
  await run();
  expect(await readLastBackup(api.deps)).toEqual({ madeAt: null, failedAt: null });
});
