import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pgbouncerProgram, startOwnPgbouncer, type OwnPgbouncer } from '../platform/database/testing/own-pgbouncer.ts';
import { postgresqlPrograms, startOwnPostgresql } from '../platform/database/testing/own-postgresql.ts';
import { onServer, withDatabase } from '../platform/database/testing/templates.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The role that HourShare uses. */
const ROLE = 'hours';

/** A test's own PostgreSQL server behind its own PgBouncer in transaction mode. */
export interface PooledPostgresql {
  pooler: OwnPgbouncer;
  /** Creates a database. Tests don't share any, because the pooler takes a while to recover from one that was dropped. */
  createDatabase: () => Promise<PooledDatabase>;
  stop: () => Promise<void>;
}

export interface PooledDatabase {
  name: string;
  /** Its address behind the pooler. */
  url: string;
  /** Its address without the pooler, for the same role. */
  directUrl: string;
  /** The same for an administrator. */
  adminUrl: string;
  /** Runs the statements that the documentation gives for a pooler. */
  applyDocumentedSettings: () => Promise<void>;
}

const postgresql = postgresqlPrograms();
const pgbouncer = pgbouncerProgram();

/** Whether both programs are installed. */
export const hasPooler = postgresql !== undefined && pgbouncer !== undefined;
if (!hasPooler) console.log('PostgreSQL or PgBouncer is not installed here: not tried behind a pooler.');

/** Starts both, with this many connections between them for each database. */
export async function startPooledPostgresql(connections: number): Promise<PooledPostgresql> {
  const server = await startOwnPostgresql(postgresql!);
  const serverFolder = new URL(server.url).searchParams.get('host')!;
  const pooler = await startOwnPgbouncer(pgbouncer!, { serverFolder, users: ['tester', ROLE], connections });
  await onServer(server.url, `create role ${ROLE} login`);
  let databases = 0;

  async function createDatabase(): Promise<PooledDatabase> {
    const name = `hours_${++databases}`;
    await onServer(server.url, `create database ${name} owner ${ROLE}`);
    await onServer(server.url, `alter database ${name} set default_transaction_isolation = 'serializable'`);
    const adminUrl = withDatabase(server.url, name);
    return {
      name,
      url: pooler.url(ROLE, name),
      directUrl: adminUrl.replace('user=tester', `user=${ROLE}`),
      adminUrl,
      applyDocumentedSettings: () => onServer(adminUrl, documentedSettings(name)),
    };
  }

  async function stop(): Promise<void> {
    await pooler.stop();
    await server.remove();
  }

  return { pooler, createDatabase, stop };
}

function documentedSettings(database: string): string {
  const documentation = readFileSync(join(root, 'docs/operations.md'), 'utf8');
  const statements = documentation.match(/^alter role hourshare in database hourshare set .+;$/gm) ?? [];
  return statements
    .join('\n')
    .replaceAll('role hourshare in database hourshare', `role ${ROLE} in database ${database}`);
}
