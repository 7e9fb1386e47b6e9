import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { replaceSecret } from '../../deps.ts';
import { knownMigrations } from '../../platform/database/migrate.ts';
import type { Database } from '../../platform/database/database.ts';
import { addMigrations } from '../../platform/database/testing/made-up-migrations.ts';
import { secretFingerprint } from '../../platform/secret.ts';
import { createTokens } from '../../platform/tokens.ts';
import { openTestApi, TEST_PASSWORD, TEST_SECRET, type TestApi } from '../../testing/api.ts';
import { fillEveryTable, readEverything } from '../../testing/every-table.ts';
import { readSecret, requireSameSecret } from '../installation/service.ts';
import { BackupError, backUp, copyDatabase, restore } from './service.ts';
import { countRows, readColumns, readFigures } from './store.ts';

let api: TestApi;
let folder: string;
let file: string;
let everything: Awaited<ReturnType<typeof readEverything>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hourshare-backups-'));
  api = await openTestApi();
  await fillEveryTable(api);
  everything = await readEverything(api.deps.db);
  file = join(folder, 'full.gz');
  await backUp(api.deps, file);
});
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true });
});

const replace = { replace: true };
const linesOf = (path: string) => gunzipSync(readFileSync(path)).toString().split('\n').slice(0, -1);

function unpacked(bytes: Buffer): Buffer | undefined {
  try {
    return gunzipSync(bytes);
  } catch {
    return undefined;
  }
}

/** Writes lines as a backup. Returns its path. */
function written(name: string, content: string[] | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, Array.isArray(content) ? gzipSync(content.map((line) => `${line}\n`).join('')) : content);
  return path;
}

/** Returns lines with the digest of what they are now. */
function sealed(lines: string[]): string[] {
  const hash = createHash('sha256');
  for (const line of lines.slice(0, -1)) hash.update(`${line}\n`);
  return [...lines.slice(0, -1), JSON.stringify({ sha256: hash.digest('hex') })];
}

async function refusal(path: string, deps = api.deps): Promise<string> {
  try {
    await restore(deps, path, replace);
  } catch (error) {
    if (error instanceof BackupError) return error.message;
    throw error;
  }
  return 'restored';
}

const damaged = (path: string) => `${path} is damaged or incomplete; use another backup.`;

describe('a backup', () => {
  it('holds every row of every table, readable by its owner alone, and leaves nothing else behind', () => {
    const lines = linesOf(file);
    for (const [table, rows] of Object.entries(everything.tables)) {
      expect([table, rows.length]).not.toEqual([table, 0]);
      expect(lines).toContain(JSON.stringify(table));
    }
    const rows = Object.values(everything.tables).flat();
    expect(lines.filter((line) => line.startsWith('['))).toHaveLength(rows.length);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => name.startsWith('full'))).toEqual(['full.gz']);
  });

  it('is refused if the file exists or its folder does not, and leaves no part of one', async () => {
    await expect(backUp(api.deps, file)).rejects.toThrow(`${file} already exists; choose another name.`);
    const path = join(folder, 'missing', 'a.gz');
    await expect(backUp(api.deps, path)).rejects.toThrow(`Can't write ${path} (ENOENT`);
    await expect(backUp(api.deps, path)).rejects.toBeInstanceOf(BackupError);
    expect(readdirSync(folder).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });
});

it('is not made after a newer version has changed the database', async () => {
  const { db } = api.deps;
  await sql`insert into kysely_migration values ('9999-later', '')`.execute(db);
  const refused =
    'A newer version of HourShare has changed the database (it has 9999-later); back it up or copy it with that version.';
  const path = join(folder, 'newer-database.gz');
  try {
    await expect(backUp(api.deps, path)).rejects.toThrow(new BackupError(refused));
    expect(existsSync(path)).toBe(false);
  } finally {
    await sql`delete from kysely_migration where name = '9999-later'`.execute(db);
  }
});

it("is refused if a table's rows can't all be read, by backup and copy alike", async () => {
  const { db } = api.deps;
  const path = join(folder, 'partitioned.gz');
  await sql`alter table used_challenges rename to ordinary`.execute(db);
  try {
    await sql`create table used_challenges (like ordinary) partition by hash (challenge_hash)`.execute(db);
    await sql`create table part partition of used_challenges for values with (modulus 1, remainder 0)`.execute(db);
    await sql`insert into used_challenges select * from ordinary`.execute(db);
    await expect(backUp(api.deps, path)).rejects.toThrow(
      /^Only 0 of the \d+ rows of table used_challenges could be read; make it an ordinary table, as HourShare created it\.$/,
    );
  } finally {
    await sql`drop table if exists used_challenges`.execute(db);
    await sql`alter table ordinary rename to used_challenges`.execute(db);
  }
  expect(readdirSync(folder).filter((name) => name.startsWith('partitioned'))).toEqual([]);
});

it('can count more rows than an integer can', async () => {
  const many = 3_000_000_000;
  class Enough extends Error {}
  const counted = api.deps.db.transaction().execute(async (trx) => {
    // Starts counting at a large number of rows.
    await sql`create function add_one(counted bigint) returns bigint language sql immutable as 'select counted + 1'`.execute(
      trx,
    );
    await sql`create aggregate count(*) (sfunc = add_one, stype = bigint, initcond = ${sql.lit(String(many))})`.execute(
      trx,
    );
    await sql`set local search_path = public, pg_catalog`.execute(trx);
    expect(await countRows(trx, 'installation')).toBe(many + 1);
    throw new Enough();
  });
  await expect(counted).rejects.toThrow(Enough);
});

it('is compared in parts, so that other work of the server goes on in between', async () => {
  const [columns, undone, parts] = [await readColumns(api.deps.db), new Error('undone'), [] as number[]];
  const list = columns['idempotency_keys'] ?? [];
  const db = api.deps.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      parts.push(...result.rows.flatMap(({ rows }) => (typeof rows === 'number' ? [rows] : [])));
      return result;
    },
  });
  await expect(
    db.transaction().execute(async (trx) => {
      // About 3 MB.
      await sql`
        insert into idempotency_keys (user_id, key, request_hash, status, body, created_at)
        select (select min(id) from users), 'part-' || i, 'h', 200, repeat(md5(i::text), 50), now()
        from generate_series(1, 2000) i`.execute(trx);
      const { rows } = await readFigures(trx, 'idempotency_keys', list);
      expect(rows).toBe(2000 + (everything.tables['idempotency_keys']?.length ?? 0));
      throw undone;
    }),
  ).rejects.toBe(undone);
  expect(parts.filter((rows) => rows > 0).length).toBeGreaterThan(1);
});

describe('a restore', () => {
  beforeEach(async () => {
    api.deps.config.REPLACE_SECRET = undefined;
  });

  it('brings back the same rows, columns, constraints, indexes, and sequences', async () => {
    await api.deps.db.deleteFrom('sessions').execute();
    await api.register('newcomer');
    const summary = await restore(api.deps, file, replace);
    expect(await readEverything(api.deps.db)).toEqual(everything);
    expect(summary).toEqual({
      tables: Object.keys(everything.tables).length,
      rows: Object.values(everything.tables).flat().length,
      secret: false,
      adopted: false,
    });
    const { status } = await api.call('POST', '/api/login/', { body: { username: 'mira', password: TEST_PASSWORD } });
    expect(status).toBe(200);
    // With a new id.
    await api.register('newcomer');
    await restore(api.deps, file, replace);
  });

  it('needs --replace if there are accounts, and none in an empty database', async () => {
    await expect(restore(api.deps, file, { replace: false })).rejects.toThrow(
      /^The database has \d+ accounts; add --replace to delete everything in it and restore the backup\.$/,
    );
    await api.reset();
    await restore(api.deps, file, { replace: false });
    expect(await readEverything(api.deps.db)).toEqual(everything);
  });

  it('refuses files that are no backup, or of a newer version', async () => {
    const missing = join(folder, 'missing.gz');
    expect(await refusal(missing)).toMatch(/missing\.gz \(ENOENT: no such file or directory/);
    expect(await refusal(folder)).toContain(`Can't read ${folder} (EISDIR`);
    for (const [name, content] of [
      ['empty', Buffer.alloc(0)],
      ['text', Buffer.from('hello\n')],
      ['gz', gzipSync('hello')],
      ['json', gzipSync('{"a":1}\n')],
      ['big', gzipSync(Buffer.alloc(10_000_000))],
    ] as const) {
      const path = written(name, content);
      expect([`${path} isn't an HourShare backup.`, damaged(path)]).toContain(await refusal(path));
    }
    const [header = '', ...rest] = linesOf(file);
    const fields = JSON.parse(header) as object;
    const newer = written('newer', sealed([JSON.stringify({ ...fields, hourshare_backup: 2 }), ...rest]));
    expect(await refusal(newer)).toBe(
      `${newer} was made by a newer version of HourShare (it has format 2); restore it with that version or a later one.`,
    );
    const migrations = [...knownMigrations(), '9999-later'];
    const later = written('later', sealed([JSON.stringify({ ...fields, migrations }), ...rest]));
    expect(await refusal(later)).toContain('newer version of HourShare (it has 9999-later)');
    expect(await readEverything(api.deps.db)).toEqual(everything);
  });

  it('refuses files that were cut or changed anywhere, and changes nothing', async () => {
    const bytes = readFileSync(file);
    const text = gunzipSync(bytes);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.option(fc.integer({ min: 1, max: 255 })), async (at, mask) => {
        const changed = mask === null ? bytes.subarray(0, at) : Buffer.from(bytes);
        if (mask !== null) changed[at]! ^= mask;
        // Some bits of compressed data have no effect.
        fc.pre(!unpacked(changed)?.equals(text));
        const path = written('changed', changed);
        expect([damaged(path), `${path} isn't an HourShare backup.`]).toContain(await refusal(path));
      }),
      {
        numRuns: 60,
        examples: [
          [0, null],
          [1, null],
          [bytes.length - 1, null],
          [bytes.length - 8, null],
        ],
      },
    );
    const lines = linesOf(file);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(lines.length - 1),
        fc.constantFrom('cut', 'drop', 'repeat', 'change', 'garbage'),
        async (at, how) => {
          const line = lines[at]!;
          const middle = line.length >> 1;
          const instead = {
            cut: [],
            drop: [],
            repeat: [line, line],
            change: [`${line.slice(0, middle)}~${line.slice(middle + 1)}`],
            garbage: [line, 'garbage'],
          }[how];
          const path = written('changed', [
            ...lines.slice(0, at),
            ...instead,
            ...(how === 'cut' ? [] : lines.slice(at + 1)),
          ]);
          expect([damaged(path), `${path} isn't an HourShare backup.`]).toContain(await refusal(path));
        },
      ),
      { numRuns: 60 },
    );
    expect(await readEverything(api.deps.db)).toEqual(everything);
  });

  it('undoes everything if rows came out different, or the tables refuse them', async () => {
    const lines = linesOf(file);
    const at = lines.indexOf('"users"') + 1;
    const change = (text: string) => written('forged', sealed(lines.with(at, lines[at]!.replace('"mira"', text))));
    expect(await refusal(change('"lena"'))).toMatch(
      /^Table users doesn't match the original \(expected (\d+) rows with digest -?\d+, got \1 rows with digest -?\d+\)\. Nothing was changed\.$/,
    );
    await expect(restore(api.deps, change('null'), replace)).rejects.toMatchObject({ code: '23502' });
    await expect(restore(api.deps, change('nonsense'), replace)).rejects.toMatchObject({ code: '22P02' });
    const tables = sealed(lines.with(0, lines[0]!.replace('"password_hash",', '')));
    expect(await refusal(written('forged', tables))).toBe(damaged(join(folder, 'forged')));
    expect(await readEverything(api.deps.db)).toEqual(everything);
  });

  it('refuses a backup of an unreleased version, and changes nothing', async () => {
    const [header = '', ...rest] = linesOf(file);
    const migrations = ['0001-initial', '0002-costs'];
    const old = written('old', sealed([JSON.stringify({ ...(JSON.parse(header) as object), migrations }), ...rest]));
    expect(await refusal(old)).toBe(
      `${old} was made by an unreleased version of HourShare, which this version can't read; use another backup.`,
    );
    expect(await readEverything(api.deps.db)).toEqual(everything);
  });

  it('brings a backup of an earlier version up to date', async () => {
    const remove = addMigrations({
      '0002-nick': "alter table users add column nick text not null default 'none'",
      '0003-nicks': 'create table nicks as select id, nick from users',
    });
    try {
      await restore(api.deps, file, replace);
    } finally {
      remove();
    }
    const { tables, schema } = await readEverything(api.deps.db);
    expect(schema.migrations).toEqual([...knownMigrations(), '0002-nick', '0003-nicks']);
    const { users = [], ...others } = everything.tables;
    const { users: upgraded, nicks, ...same } = tables;
    expect(same).toEqual(others);
    expect(upgraded).toEqual(users.map((row) => row.replace(/\)$/, ',none)')));
    expect(nicks).toHaveLength(users.length);
    await sql`drop table nicks`.execute(api.deps.db);
    await restore(api.deps, file, replace);
    expect(await readEverything(api.deps.db)).toEqual(everything);
  });
});

describe('the secret', () => {
  const OTHER = 'another secret that only tests know, 32+ characters';
  /** The same server with another secret: set, or kept in DATA_DIR. */
  const withSecret = (dir: string, secret?: string) => ({
    ...api.deps,
    config: { ...api.deps.config, DATA_DIR: join(folder, dir), SECRET: secret },
  });

  it('is in the backup if DATA_DIR keeps it, and comes back with it', async () => {
    const from = withSecret('from');
    await api.reset();
    const kept = join(folder, 'kept.gz');
    expect(await backUp(from, kept)).toMatchObject({ secret: true });
    const secret = readFileSync(join(folder, 'from', 'secret'), 'utf8').trim();
    expect(linesOf(kept)[0]).toContain(`"secret":"${secret}"`);
    const code = secretFingerprint(secret).slice(0, 8);

    const to = withSecret('to');
    const before = to.tokens;
    await expect(restore(withSecret('set', OTHER), kept, replace)).rejects.toThrow(
      `${kept} includes its secret (code ${code}), but SECRET is set to another one. Stop the server, then run this command again without SECRET, or with REPLACE_SECRET=${code} to sign everyone out.`,
    );
    expect(await restore(to, kept, replace)).toMatchObject({ secret: true, adopted: true });
    expect(readFileSync(join(folder, 'to', 'secret'), 'utf8').trim()).toBe(secret);
    expect(readdirSync(join(folder, 'to'))).toEqual(['secret']);
    // The running server uses it from now on.
    expect(to.tokens.unseal(before.seal('text'))).toBeUndefined();
    expect(to.tokens).not.toBe(before);
    await expect(restore(withSecret('to'), kept, replace)).resolves.toMatchObject({ secret: true, adopted: false });
  });

  it('stays as it was if the restore fails', async () => {
    await api.reset();
    const kept = join(folder, 'kept-2.gz');
    await backUp(withSecret('from'), kept);
    const lines = linesOf(kept);
    const forged = written(
      'forged',
      sealed(lines.with(lines.length - 2, lines.at(-2)!.replace('"users":{"rows":0', '"users":{"rows":1'))),
    );
    await expect(restore(withSecret('failed'), forged, replace)).rejects.toThrow(
      "Table users doesn't match the original (expected 1 rows",
    );
    const own = readFileSync(join(folder, 'failed', 'secret'), 'utf8');
    expect(own).not.toBe(readFileSync(join(folder, 'from', 'secret'), 'utf8'));
    expect(readdirSync(join(folder, 'failed'))).toEqual(['secret']);
  });

  it.each([
    ['comes back', 'answers again', true],
    ['waits for the next start', "doesn't answer", false],
  ])('%s if the connection is lost while the restore commits, and the database %s', async (_what, _then, answers) => {
    await api.reset();
    const [from, dir] = [withSecret('from'), `lost-${answers}`];
    const kept = join(folder, `kept-${dir}.gz`);
    await backUp(from, kept);
    const [secret, to] = [readFileSync(join(folder, 'from', 'secret'), 'utf8'), withSecret(dir)];
    const lost = new Error('Connection terminated unexpectedly');
    let isLost = false;
    to.db = new Proxy(api.deps.db, {
      get: (target, name) => {
        if (isLost && !answers) throw lost;
        const value: unknown = Reflect.get(target, name, target);
        if (name === 'transaction')
          return () => ({
            setIsolationLevel: (level: 'read committed') => ({
              execute: async (work: (trx: Database) => Promise<void>) => {
                await target.transaction().setIsolationLevel(level).execute(work);
                isLost = true;
                throw lost;
              },
            }),
          });
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    await expect(restore(to, kept, replace)).rejects.toBe(lost);
    expect(readdirSync(join(folder, dir))).toEqual(answers ? ['secret'] : ['secret', 'secret.restored']);
    expect(await readSecret(to.config, api.deps.db)).toBe(secret.trim());
    await requireSameSecret(api.deps.db, secret.trim(), undefined);
  });

  it('of the backup is not needed with it as the previous one, and everything is sealed with the current one', async () => {
    await api.reset();
    await requireSameSecret(api.deps.db, TEST_SECRET);
    const sealed = api.deps.tokens.seal('text');
    const mail = { kind: 'kind', sealed, created_at: api.clock.now, due_at: api.clock.now };
    await api.deps.db.insertInto('mails').values(mail).execute();
    const old = join(folder, 'old.gz');
    await backUp(api.deps, old);
    const deps = withSecret('none', OTHER);
    deps.config.SECRET_PREVIOUS = TEST_SECRET;
    replaceSecret(deps, OTHER);
    await restore(deps, old, replace);
    await requireSameSecret(api.deps.db, OTHER);
    const restored = await api.deps.db.selectFrom('mails').select('sealed').executeTakeFirstOrThrow();
    expect(createTokens(OTHER, api.deps.clock).unseal(restored.sealed)).toBe('text');
    await restore(api.deps, file, replace);
  });

  it('requires the original SECRET or REPLACE_SECRET', async () => {
    const code = secretFingerprint(TEST_SECRET).slice(0, 8);
    const message = `${file} was made with a SECRET (code ${code}) that it doesn't include. Stop the server, then run this command again with that SECRET, or with REPLACE_SECRET=${code} to sign everyone out.`;
    expect(await refusal(file, withSecret('none'))).toBe(message);
    expect(await refusal(file, withSecret('none', OTHER))).toBe(message);
    const deps = withSecret('none', OTHER);
    deps.config.REPLACE_SECRET = code;
    await restore(deps, file, replace);
    const { secret_fingerprint: recorded } = await api.deps.db
      .selectFrom('installation')
      .select('secret_fingerprint')
      .executeTakeFirstOrThrow();
    expect(recorded).toBe(secretFingerprint(OTHER));
    await restore(api.deps, file, replace);
  });
});

it('a copy is refused if the address is wrong or no one answers', async () => {
  await expect(copyDatabase(api.deps, 'postgresql://127.0.0.1:1/hours')).rejects.toThrow(
    /^Nothing was copied: Can't use the database at 127\.0\.0\.1:1, database hours/,
  );
});
