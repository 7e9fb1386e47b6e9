import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { onServer, withDatabase } from './platform/database/testing/templates.ts';
import { openEvents, type ReadMessage } from './testing/event-client.ts';
import { startServer, type ServerProcess } from './testing/server-process.ts';

// Two running servers that share a PostgreSQL database, and their event streams.

const engine = inject('databaseTemplate');
const databaseUrl = 'databaseUrl' in engine ? engine.databaseUrl : undefined;
const name = `hourshare_events_${randomBytes(6).toString('hex')}`;

interface RunningServer extends ServerProcess {
  address: string;
}

async function start(): Promise<RunningServer> {
  const server = startServer({
    DATABASE_URL: withDatabase(databaseUrl!, name),
    SECRET: 'known to this test alone, 32 characters',
  });
  onTestFinished(async () => {
    server.kill('SIGKILL');
    await server.ended;
  });
  const address = await server.ready;
  if (address === undefined) throw new Error(`The server did not start: ${server.stderr()}`);
  return { ...server, address };
}

interface Account {
  access: string;
  refresh: string;
}

const send = (server: RunningServer, path: string, body: object, account?: Account) =>
  fetch(`${server.address}/api/${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(account && { authorization: `Bearer ${account.access}` }),
    },
    body: JSON.stringify(body),
  });

async function register(server: RunningServer): Promise<Account> {
  const username = `u${randomBytes(6).toString('hex')}`;
  const account = { username, email: `${username}@example.org`, password: 'correct horse battery staple' };
  return (await (await send(server, 'register/', account)).json()) as Account;
}

const addAsset = (server: RunningServer, account: Account) =>
  send(server, 'assets/', { name: 'Sauna', subscription_cost: 5 }, account);

async function streamOf(server: RunningServer, account: Account, after?: number) {
  const stream = await openEvents(server.address, account.access, after === undefined ? {} : { after });
  onTestFinished(() => stream.close());
  await stream.until((messages) => messages.length > 0);
  return stream;
}

/** Returns how many connections wait for notifications. */
async function countListeners(): Promise<number | null> {
  const client = new pg.Client({ connectionString: withDatabase(databaseUrl!, name) });
  await client.connect();
  const { rowCount } = await client.query(
    `select 1 from pg_stat_activity where datname = current_database() and application_name = 'hourshare listener'`,
  );
  await client.end();
  return rowCount;
}

const added = (messages: ReadMessage[]) => messages.filter(({ name: kind }) => kind === 'asset.added');

describe.runIf(databaseUrl)('two servers on one PostgreSQL database', () => {
  beforeAll(() =>
    onServer(databaseUrl!, `create database ${name} template ${'template' in engine ? engine.template : ''}`),
  );
  afterAll(() => onServer(databaseUrl!, `drop database ${name} with (force)`));

  it('tell each other of events over one connection each, and of sign-ins that end', async () => {
    const [one, other] = await Promise.all([start(), start()]);
    const account = await register(one);
    const stream = await streamOf(other, account);
    await addAsset(one, account);
    await stream.until((messages) => added(messages).length === 1);
    expect(await countListeners()).toBe(2);
    await send(one, 'logout/', { refresh_token: account.refresh });
    await stream.ended;
    expect(added(stream.messages)).toHaveLength(1);
  });

  it('pass on each event exactly once when one is killed in the middle', async () => {
    const [killed, other] = await Promise.all([start(), start()]);
    const account = await register(killed);
    const stream = await streamOf(other, account);
    const created = { count: 0 };
    const create = async () => {
      for (;;) {
        const answer = await addAsset(killed, account).catch(() => undefined);
        if (answer?.status !== 201) return;
        created.count += 1;
        if (created.count === 60) killed.kill('SIGKILL');
      }
    };
    await Promise.all(Array.from({ length: 8 }, create));
    await killed.ended;
    const list = await fetch(`${other.address}/api/assets/?limit=500`, {
      headers: { authorization: `Bearer ${account.access}` },
    });
    const { results } = (await list.json()) as { results: { id: number }[] };
    expect(results.length).toBeGreaterThanOrEqual(60);
    await stream.until((messages) => added(messages).length >= results.length);
    // What comes after is not another copy of one of them.
    await addAsset(other, account);
    await stream.until((messages) => added(messages).length > results.length);
    const ids = added(stream.messages).map(({ data }) => data['asset_id']);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(results.length + 1);
  });

  it('let a client resume on the one what it missed on the other, which stopped', async () => {
    const [stopped, other] = await Promise.all([start(), start()]);
    const account = await register(stopped);
    const first = await streamOf(stopped, account);
    await addAsset(stopped, account);
    await first.until((messages) => added(messages).length === 1);
    stopped.kill('SIGTERM');
    await first.ended;
    expect(await stopped.ended).toEqual({ code: 0, signal: null });
    for (let count = 0; count < 3; count += 1) await addAsset(other, account);
    const resumed = await streamOf(other, account, first.messages.at(-1)?.id);
    await resumed.until((messages) => added(messages).length === 3);
    const ids = [...first.messages, ...resumed.messages].flatMap((message) =>
      added([message]).map(({ data }) => data['asset_id']),
    );
    expect(new Set(ids).size).toBe(4);
  });
});
