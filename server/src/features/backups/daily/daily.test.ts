import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../../../commands.ts';
import { sendDueMails } from '../../mail/service.ts';
import { readLastBackup, requireSameSecret } from '../../installation/service.ts';
import { secretFingerprint } from '../../../platform/secret.ts';
import type { Mail } from '../../../platform/mail.ts';
import { UNFINISHED } from '../../../platform/atomic-file.ts';
import { openTestApi, TEST_SECRET, type TestApi } from '../../../testing/api.ts';
import { backUpDaily } from './service.ts';

const DAY = 24 * 3_600_000;
const CODE = secretFingerprint(TEST_SECRET).slice(0, 8);
/** The name of a backup made at this time. */
const named = (time: string, code = CODE) => `hourshare-${time}-${code}.gz`;

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
        `${named('2020-01-01-000000')}.0123abcd.partial`,
        `${named('2020-01-01-000000', '0123abcd')}.0123abcd.partial`,
        named('2020-01-01-000000', '0123abcd'),
        'x.0123abcd.partial',
      ])
        writeFileSync(join(folder, name), '');
    }
    api.clock.advance(6 * 3_600_000);
    await run();
    api.clock.advance(DAY - 6 * 3_600_000);
  }
  expect(readdirSync(folder).toSorted()).toEqual([
    named('2020-01-01-000000', '0123abcd'),
    `${named('2020-01-01-000000', '0123abcd')}.0123abcd.partial`,
    named('2026-03-12-120000'),
    named('2026-03-13-120000'),
    named('2026-03-14-120000'),
    'hourshare.gz',
    'notes.txt',
    'x.0123abcd.partial',
  ]);
  expect(gunzipSync(readFileSync(join(folder, named('2026-03-14-120000')))).toString()).toContain(
    '"created_at":"2026-03-14T12:00:00.000Z"',
  );
  expect(await readLastBackup(api.deps.db)).toEqual({ madeAt: new Date('2026-03-14T12:00:00Z'), failedAt: null });
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
  expect((await readLastBackup(api.deps.db)).madeAt).toEqual(api.clock.now);
});

it('stays after the clock was ahead, however few are kept, and one dated later is removed first', async () => {
  api.deps.config.BACKUP_KEEP = 1;
  api.clock.now = new Date('2030-01-01T00:00:00Z');
  await run();
  api.clock.now = new Date('2026-03-11T00:00:00Z');
  await run();
  expect(readdirSync(folder)).toEqual([named('2026-03-11-000000')]);

  api.deps.config.BACKUP_KEEP = 2;
  writeFileSync(join(folder, named('2030-01-01-000000')), '');
  api.clock.advance(DAY);
  await run();
  expect(readdirSync(folder)).toEqual([named('2026-03-11-000000'), named('2026-03-12-000000')]);
});

it('leaves no file that the database has no record of', async () => {
  const { db } = api.deps;
  await sql`alter table installation add constraint no_backups check (backed_up_at is null)`.execute(db);
  try {
    await expect(run()).rejects.toThrow('no_backups');
  } finally {
    await sql`alter table installation drop constraint no_backups`.execute(db);
  }
  expect(readdirSync(folder)).toEqual([]);
  expect(await readLastBackup(api.deps.db)).toEqual({ madeAt: null, failedAt: api.clock.now });
});

it('counts as made if an old one could not be removed', async () => {
  api.deps.config.BACKUP_KEEP = 1;
  // Only a file can be removed.
  mkdirSync(join(folder, named('2020-01-01-000000')), { recursive: true });
  await run();
  expect(await readLastBackup(api.deps.db)).toEqual({ madeAt: api.clock.now, failedAt: null });
  rmdirSync(join(folder, named('2020-01-01-000000')));
  writeFileSync(join(folder, named('2020-01-01-000000')), '');
  api.clock.advance(DAY);
  await run();
  expect(readdirSync(folder)).toEqual([named('2026-03-11-120000')]);
});

it('reports since when it has failed, and recovers', async () => {
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

it('is made again at the start of a server whose folder lacks it, and only then', async () => {
  await run();
  const other = join(parent, String(number), 'other');
  api.deps.config.BACKUP_DIR = other;
  api.clock.advance(60_000);
  await run();
  expect(readdirSync(other)).toEqual([]);
  for (let start = 0; start < 2; start += 1)
    await backUpDaily(api.deps, new AbortController().signal, { isStart: true });
  expect(readdirSync(other)).toEqual([named('2026-03-10-120100')]);
});

it('says at once that the folder can no longer be used, once by email, and that it can', async () => {
  const sent: Mail[] = [];
  Object.assign(api.deps, { mailer: { send: async (mail: Mail) => void sent.push(mail) } });
  api.deps.config.CONTACT = 'admin@example.org';
  onTestFinished(() => {
    api.deps.mailer = undefined;
    api.deps.config.CONTACT = undefined;
  });
  await run();
  const file = join(parent, 'a-file');
  writeFileSync(file, '');
  api.deps.config.BACKUP_DIR = join(file, 'backups');
  for (let attempt = 0; attempt < 2; attempt += 1) {
    api.clock.advance(600_000);
    await expect(run()).rejects.toThrow('ENOTDIR');
  }
  expect(await lastLineOfStats()).toContain('failing since 2026-03-10 12:10 UTC');
  await sendDueMails(api.deps);
  expect(sent).toMatchObject([{ to: 'admin@example.org', subject: 'HourShare could not make its daily backup' }]);
  expect(sent[0]?.text).toContain(`to ${file}/backups: ENOTDIR`);

  api.deps.config.BACKUP_DIR = folder;
  await run();
  expect(await lastLineOfStats()).toBe('Daily backup:         2026-03-10 12:00 UTC');
  // A contact that isn't an address gets no email.
  api.deps.config.CONTACT = 'https://example.org/contact';
  api.deps.config.BACKUP_DIR = join(file, 'backups');
  await expect(run()).rejects.toThrow('ENOTDIR');
  await sendDueMails(api.deps);
  expect(sent).toHaveLength(1);
});

it.each([
  ['before it begins', true, []],
  ['while it is written', false, [expect.stringMatching(UNFINISHED)]],
])('is abandoned without a trace when the server stops %s', async (_when, isEarly, begun) => {
  const ending = new AbortController();
  if (isEarly) ending.abort();
  let found: string[] = [];
  const db = api.deps.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (result.rows.some((row) => 'lines' in row && row['lines'] !== '') && !ending.signal.aborted) {
        found = readdirSync(folder);
        ending.abort();
      }
      return result;
    },
  });
  await backUpDaily({ ...api.deps, db }, ending.signal);
  expect(found).toEqual(begun);
  expect(readdirSync(folder)).toEqual([]);
  expect(await readLastBackup(api.deps.db)).toEqual({ madeAt: null, failedAt: null });
});

it('is not made without a folder', async () => {
  api.deps.config.BACKUP_DIR = undefined;
  await run();
  expect(await readLastBackup(api.deps.db)).toEqual({ madeAt: null, failedAt: null });
});
