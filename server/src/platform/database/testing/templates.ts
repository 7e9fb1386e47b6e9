import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { migrate } from '../migrate.ts';
import { openPostgresql } from '../postgresql.ts';
import { overEngine, testOptions } from './over-engine.ts';

// Migrating a database takes seconds and copying one a fraction of that, so each run migrates once: into a template
// database of the PostgreSQL server under test, or a dump of the embedded engine's data.

/** Where a test file finds its migrated database. */
export type Template = { databaseUrl: string; template: string } | { dumpFile: string };

/** Makes the template of this run. Returns a function that removes what needn't stay. */
export async function makeTemplate(
  databaseUrl: string | undefined,
): Promise<{ template: Template; remove: () => Promise<void> }> {
  if (!databaseUrl) return { template: { dumpFile: await makeDump() }, remove: async () => undefined };
  const name = `hourshare_template_${randomBytes(6).toString('hex')}`;
  await onServer(databaseUrl, `create database ${name}`);
  const { db, close } = await openPostgresql(withDatabase(databaseUrl, name), { ...testOptions, poolSize: 1 });
  await migrate(db);
  await close();
  return {
    template: { databaseUrl, template: name },
    remove: () => onServer(databaseUrl, `drop database if exists ${name} with (force)`),
  };
}

/** Runs one statement in the database that the server's address names. */
export async function onServer(databaseUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Returns the address of another database on the same server. */
export function withDatabase(databaseUrl: string, name: string): string {
  return databaseUrl.replace(/^(postgres(?:ql)?:\/\/[^/]*\/)[^?]*/, `$1${name}`);
}

async function makeDump(): Promise<string> {
  const folder = join(tmpdir(), `hourshare-tests-${process.getuid?.() ?? 'user'}`);
  const file = join(folder, `migrated-${fingerprint()}.tar`);
  if (await stat(file).catch(() => undefined)) return file;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const engine = await PGlite.create({ initDbStartParams: ['--wal-segsize=1'] });
  const { db, close } = overEngine(engine);
  await migrate(db);
  const bytes = await (await engine.dumpDataDir('none')).arrayBuffer();
  await close();
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, Buffer.from(bytes));
  await rename(unfinished, file);
  return file;
}

/** Changes with the migrations and the engine, so that a stale dump is never used. */
function fingerprint(): string {
  const hash = createHash('sha256');
  const folder = fileURLToPath(new URL('../../../migrations/', import.meta.url));
  for (const name of readdirSync(folder).toSorted()) hash.update(name).update(readFileSync(join(folder, name)));
  hash.update(readFileSync(fileURLToPath(new URL('../migrate.ts', import.meta.url))));
  const engine = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  hash.update(readFileSync(join(engine, '../../package.json')));
  return hash.digest('hex').slice(0, 16);
}

export async function readDump(file: string): Promise<Blob> {
  return new Blob([await readFile(file)]);
}
