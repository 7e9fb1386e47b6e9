import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { pipeline as pipelinePromise } from 'node:stream/promises';
import { constants, createGunzip, createGzip } from 'node:zlib';
import { replaceSecret, type Deps } from '../../deps.ts';
import { FileExists, writeAtomicFile } from '../../platform/atomic-file.ts';
import type { Database } from '../../platform/database/database.ts';
import { codeOf, messageOf } from '../../platform/database/error-details.ts';
import { isForbidden, isUnavailable } from '../../platform/database/failure.ts';
import { withoutDeadline } from '../../platform/database/guarded-pool.ts';
import {
  applyMigrations,
  findLaterMigration,
  isUnreleased,
  knownMigrations,
  lockMigrations,
} from '../../platform/database/migrate.ts';
import { openDatabase } from '../../platform/database/open.ts';
import { transaction } from '../../platform/database/transaction.ts';
import { forgetAll } from '../../platform/memory.ts';
import { stageSecret, secretFingerprint, resolveStagedSecret } from '../../platform/secret.ts';
import { StartupError } from '../../platform/startup-error.ts';
import { VERSION } from '../../platform/version.ts';
import { sealAgain } from '../installation/sealed-texts/service.ts';
import { countAccounts } from '../users/service.ts';
import { readSecret, recordBackupByHand, requireSameSecret } from '../installation/service.ts';
import { extendPeriods } from '../periods/upkeep/service.ts';
import * as store from './store.ts';
import {
  BackupError,
  damaged,
  decode,
  encode,
  footerPart,
  foreign,
  headerPart,
  newer,
  rowsPart,
  throwDamaged,
  unreleased,
  type Header,
  type Part,
} from './wire.ts';

export { BackupError } from './wire.ts';

// Higher levels take several times as long for files that are a tenth smaller.
const COMPRESSION = { level: constants.Z_BEST_SPEED };

/** How much a backup contains. */
export interface Summary {
  tables: number;
  rows: number;
  /** Whether it contains the secret. */
  secret: boolean;
}

/** Writes all contents of the database to a new file. */
export async function backUp(deps: Deps, path: string): Promise<Summary & { bytes: number }> {
  const summary = await store.inSnapshot(deps.db, (trx) => writeBackup({ ...deps, db: trx }, path));
  return { ...summary, bytes: (await stat(path)).size };
}

/**
 * Backs up to the server's folder for backups, because an administrator asks for it. Only they remove such a file, so that it pushes no
 * daily backup out. Returns why it couldn't be made; undefined if it was.
 */
export async function backUpByHand(deps: Deps): Promise<string | undefined> {
  const { BACKUP_DIR: dir } = deps.config;
  if (dir === undefined) return 'BACKUP_DIR is not set.';
  const now = deps.clock();
  const second = now.toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '');
  try {
    await mkdir(resolve(dir), { recursive: true, mode: 0o700 });
    await backUp(deps, join(resolve(dir), `hourshare-by-hand-${second}.gz`));
  } catch (error) {
    deps.log.error({ err: error }, 'a backup that an administrator asked for could not be made');
    return messageOf(error);
  }
  await recordBackupByHand(deps.db, now);
  return undefined;
}

/** As `backUp`, in a transaction that sees the database as it is at one instant. A signal can end it early. */
export async function writeBackup(deps: Deps, path: string, signal?: AbortSignal): Promise<Summary> {
  const summary = { tables: 0, rows: 0, secret: false };
  const texts = encode(counted(dump(deps), summary));
  try {
    await writeAtomicFile(path, (file) =>
      pipelinePromise(Readable.from(texts), createGzip(COMPRESSION), file, ...(signal ? [{ signal }] : [])),
    );
  } catch (error) {
    throw asFileProblem(error, `Can't write ${path}`);
  }
  return summary;
}

/** Returns the backup of a database, read in a transaction that sees it as it is at one instant. */
async function* dump(deps: Deps): AsyncGenerator<Part> {
  const trx = deps.db;
  await refuseNewer(trx);
  const secret = await readSecret(deps.config, trx);
  const columns = await store.readColumns(trx);
  yield headerPart({
    app_version: VERSION,
    created_at: deps.clock().toISOString(),
    migrations: knownMigrations(),
    secret_fingerprint: secretFingerprint(secret),
    secret: deps.config.SECRET === undefined ? secret : null,
    tables: Object.fromEntries(Object.entries(columns).map(([table, list]) => [table, list.map(({ name }) => name)])),
  });
  const figures: Record<string, store.Figures> = {};
  for (const [table, list] of Object.entries(columns)) {
    let [rows, digest] = [0, 0n];
    for await (const part of store.readRows(trx, table, list)) {
      rows += part.rows;
      digest += BigInt(part.digest);
      if (part.rows > 0) yield rowsPart({ table, rows: part.lines });
    }
    const all = await store.countRows(trx, table);
    if (rows !== all)
      throw new BackupError(
        `Only ${rows} of the ${all} rows of table ${table} could be read; make it an ordinary table, as HourShare created it.`,
      );
    figures[table] = { rows, digest: String(digest) };
  }
  yield footerPart({ figures, sequences: await store.readSequences(trx) });
}

/**
 * Replaces everything in the database by a backup, all or nothing. Without `replace`, the database must have no accounts. Returns
 * also whether the backup's secret was adopted: kept in DATA_DIR, and used by this process from now on.
 */
export async function restore(
  deps: Deps,
  path: string,
  { replace }: { replace: boolean },
): Promise<Summary & { adopted: boolean }> {
  const summary = { tables: 0, rows: 0, secret: false };
  const header = await checkFile(path);
  const secret = await chooseSecret(deps, header, path);
  await refuseAccounts(deps.db, replace);
  const dataDir = secret.adopted ? (deps.config.DATA_DIR ?? '') : undefined;
  if (dataDir !== undefined) stageSecret(dataDir, secret.text);
  try {
    await withoutDeadline(() =>
      transaction({ db: deps.db }, async ({ db: trx }) => {
        await lockMigrations(trx);
        await refuseAccounts(trx, replace);
        Object.assign(summary, { tables: 0, rows: 0 });
        await load(trx, counted(readBackup(path), summary), path);
        await requireSameSecret(trx, secret.text, deps.config);
        if (!secret.adopted) await sealAgain({ ...deps, db: trx });
      }),
    );
  } catch (error) {
    // Decides by what the database has now: a lost connection doesn't tell whether it committed. If it can't be asked, the next
    // start decides.
    if (secret.adopted) await readSecret(deps.config, deps.db).catch(() => undefined);
    throw error;
  }
  if (dataDir !== undefined) {
    // Another server that started meanwhile may have removed it.
    stageSecret(dataDir, secret.text);
    resolveStagedSecret(dataDir, header.secret_fingerprint);
    replaceSecret(deps, secret.text);
  }
  // What this process did in time for the previous data isn't done for the restored data.
  forgetAll(deps.memory);
  await extendPeriods(deps);
  return { ...summary, adopted: secret.adopted };
}

/** What a backup says about itself. */
export interface BackupAbout {
  createdAt: Date;
  version: string;
  /** The code of the SECRET that it needs; null if it includes its secret. */
  neededSecret: string | null;
}

/** Restores a backup into a temporary database, which is removed. Throws if anything is wrong with it. */
export async function checkBackup(path: string): Promise<Summary & BackupAbout> {
  const summary = { tables: 0, rows: 0, secret: false };
  const header = await checkFile(path);
  const folder = await mkdtemp(join(tmpdir(), 'hourshare-check-'));
  try {
    const target = await openDatabase({ dataDir: folder });
    try {
      await withoutDeadline(() =>
        transaction({ db: target.db }, async ({ db: trx }) => {
          Object.assign(summary, { tables: 0, rows: 0 });
          await load(trx, counted(readBackup(path), summary), path);
        }),
      );
    } finally {
      await target.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  return {
    ...summary,
    createdAt: new Date(header.created_at),
    version: header.app_version,
    neededSecret: header.secret === null ? header.secret_fingerprint.slice(0, 8) : null,
  };
}

/** Reads a whole backup, so that a bad one is refused before anything changes. */
export async function checkFile(path: string): Promise<Header> {
  let header: Header | undefined;
  for await (const part of readBackup(path)) if (part.kind === 'header') header = part.header;
  if (!header) return throwDamaged(path);
  if (isUnreleased(header.migrations)) throw unreleased(path);
  const unknown = header.migrations.find((name) => !knownMigrations().includes(name));
  if (unknown !== undefined) throw newer(path, unknown);
  return header;
}

/** Returns the parts of a file. */
async function* readBackup(path: string): AsyncGenerator<Part> {
  try {
    yield* decode(textOf(pipeline(createReadStream(path), createGunzip(), () => undefined)), path);
  } catch (error) {
    const code = codeOf(error) ?? '';
    if (messageOf(error) === 'incorrect header check') throw foreign(path);
    if (code.startsWith('Z_') || code === 'ERR_ENCODING_INVALID_ENCODED_DATA') throw damaged(path);
    throw asFileProblem(error, `Can't read ${path}`);
  }
}

async function* textOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

/** Fills the database from a backup, in a transaction, and brings it up to date. Throws if it differs from the backup then. */
async function load(trx: Database, parts: AsyncIterable<Part>, name: string): Promise<void> {
  let header: Header | undefined;
  let columns: store.Columns = {};
  let keys: Awaited<ReturnType<typeof store.dropForeignKeys>> = [];
  for await (const part of parts)
    if (part.kind === 'header') {
      header = part.header;
      await rebuild(trx, header.migrations);
      columns = await arrange(trx, header, name);
      keys = await store.dropForeignKeys(trx, Object.keys(columns));
    } else if (part.kind === 'rows') {
      await store.insertRows(trx, part.table, columns[part.table] ?? throwDamaged(name), part.rows);
    } else {
      const { figures, sequences } = part.contents;
      for (const [table, list] of Object.entries(columns))
        requireSame(table, figures[table], await store.readFigures(trx, table, list));
      await store.addForeignKeys(trx, keys);
      for (const [sequence, last] of Object.entries(sequences)) await store.writeSequence(trx, sequence, last);
    }
  await applyMigrations(
    trx,
    knownMigrations().filter((migration) => !header?.migrations.includes(migration)),
  );
  await store.analyze(trx);
}

async function rebuild(trx: Database, migrations: readonly string[]): Promise<void> {
  try {
    await store.rebuild(trx, migrations);
  } catch (error) {
    if (codeOf(error) !== DEPENDENT_OBJECTS) throw error;
    throw new BackupError(
      `Other objects depend on HourShare's tables (${messageOf(error)}). Drop them, restore, then recreate them.`,
    );
  }
}

/** SQLSTATE of a table that can't be dropped. */
const DEPENDENT_OBJECTS = '2BP01';

/** Returns the columns in the order in which the rows of a backup have them. */
async function arrange(trx: Database, { tables }: Header, name: string): Promise<store.Columns> {
  const columns = await store.readColumns(trx, Object.keys(tables));
  const arranged = Object.entries(tables).map(([table, names]) => {
    const found = new Map((columns[table] ?? []).map((column) => [column.name, column]));
    if (found.size !== names.length) throw damaged(name);
    return [table, names.map((column) => found.get(column) ?? throwDamaged(name))] as const;
  });
  return Object.fromEntries(arranged);
}

function requireSame(table: string, expected: store.Figures | undefined, stored: store.Figures): void {
  if (expected?.rows === stored.rows && expected.digest === stored.digest) return;
  throw new BackupError(
    `Table ${table} doesn't match the original (expected ${describe(expected)}, got ${describe(stored)}). Nothing was changed.`,
  );
}

const describe = ({ rows, digest }: store.Figures = { rows: 0, digest: '0' }) => `${rows} rows with digest ${digest}`;

/** Refuses a database with tables or columns that this version, which is being replaced, doesn't know and would leave out. */
async function refuseNewer(db: Database): Promise<void> {
  const later = await findLaterMigration(db);
  if (later !== undefined)
    throw new BackupError(
      `A newer version of HourShare has changed the database (it has ${later}); back it up or copy it with that version.`,
    );
}

async function refuseAccounts(db: Database, replace: boolean): Promise<void> {
  const accounts = replace ? 0 : await countAccounts(db);
  if (accounts > 0)
    throw new BackupError(
      `The database has ${accounts} ${accounts === 1 ? 'account' : 'accounts'}; add --replace to delete everything in it and restore the backup.`,
    );
}

/** Returns the secret that the restored database will be used with, and whether it comes from the backup. */
async function chooseSecret(
  { config, db }: Deps,
  { secret, secret_fingerprint: fingerprint }: Header,
  path: string,
): Promise<{ text: string; adopted: boolean }> {
  const own = await readSecret(config, db);
  const { SECRET_PREVIOUS: previous } = config;
  const readable = [own, ...(previous === undefined ? [] : [previous])];
  if (readable.map(secretFingerprint).includes(fingerprint)) return { text: own, adopted: false };
  if (secret !== null && config.SECRET === undefined) return { text: secret, adopted: true };
  const code = fingerprint.slice(0, 8);
  if (config.REPLACE_SECRET === code) return { text: own, adopted: false };
  const [problem, advice] =
    secret === null
      ? [`was made with a SECRET (code ${code}) that it doesn't include`, 'with that SECRET']
      : [`includes its secret (code ${code}), but SECRET is set to another one`, 'without SECRET'];
  throw new BackupError(
    `${path} ${problem}. Stop the server, then run this command again ${advice}, or with REPLACE_SECRET=${code} to sign everyone out.`,
  );
}

/** Copies the database into an empty PostgreSQL database. */
export async function copyDatabase(deps: Deps, address: string): Promise<Summary> {
  const summary = { tables: 0, rows: 0, secret: false };
  const prepare = deps.config.DATABASE_PREPARE === 'on';
  try {
    const target = await openDatabase({ databaseUrl: address, setting: 'ADDRESS', poolSize: 1, prepare });
    try {
      await refuseTables(target.db);
      await store.inSnapshot(deps.db, (trx) =>
        withoutDeadline(() =>
          transaction({ db: target.db }, async ({ db: targetTrx }) => {
            await lockMigrations(targetTrx);
            await refuseTables(targetTrx);
            Object.assign(summary, { tables: 0, rows: 0 });
            await load(targetTrx, counted(dump({ ...deps, db: trx }), summary), 'The copy');
          }),
        ),
      );
    } finally {
      await target.close();
    }
  } catch (error) {
    if (isForbidden(error))
      throw new BackupError("The role can't create tables at that address; make it the owner of the database.");
    if (!isUnavailable(error) && !(error instanceof StartupError)) throw error;
    throw new BackupError(`Nothing was copied: ${messageOf(error)}`);
  }
  return summary;
}

async function refuseTables(db: Database): Promise<void> {
  const table = await store.findAnyTable(db);
  if (table !== undefined)
    throw new BackupError(`The database at that address isn't empty (it has the table ${table}); create an empty one.`);
}

async function* counted(parts: AsyncIterable<Part>, summary: Summary): AsyncGenerator<Part> {
  for await (const part of parts) {
    if (part.kind === 'header') summary.secret = part.header.secret !== null;
    if (part.kind === 'footer')
      for (const { rows } of Object.values(part.contents.figures)) {
        summary.tables += 1;
        summary.rows += rows;
      }
    yield part;
  }
}

/** Returns a failure of the file system as a sentence, and any other error as it is. */
function asFileProblem(error: unknown, problem: string): unknown {
  if (error instanceof FileExists) return new BackupError(`${error.message} already exists; choose another name.`);
  const isOfFile = error instanceof Error && 'syscall' in error && FILE_CALLS.has(String(error.syscall));
  return isOfFile ? new BackupError(`${problem} (${error.message}).`) : error;
}

const FILE_CALLS = new Set([
  'open',
  'read',
  'write',
  'fsync',
  'close',
  'link',
  'rename',
  'mkdir',
  'scandir',
  'unlink',
  'stat',
]);
