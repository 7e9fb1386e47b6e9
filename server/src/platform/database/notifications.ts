import pg from 'pg';
import type { DatabaseLog } from './open-database.ts';
import { messageOf } from './error-details.ts';
import { isBackend } from './postgresql.ts';

const RECONNECT_MILLISECONDS = 1000;
const TEST_EVERY_MILLISECONDS = 30_000;
const TEST_MILLISECONDS = 2000;

export interface ListenOptions {
  url: string;
  /** Whether someone said that notifications arrive from this address, so that it may be a pooler's in session mode. */
  isChosen: boolean;
  channel: string;
  /** Called for each notification, and after each connection, since which some may have been missed. */
  onNotification: () => void;
  /** Sends a notification over the connections that the app uses, to see whether it arrives here. */
  notify: (payload: string) => Promise<void>;
  log: DatabaseLog;
}

export interface Listening {
  /** Whether notifications arrive; while they don't, the caller has to poll. */
  works: () => boolean;
  stop: () => Promise<void>;
}

/** Listens to a channel of a PostgreSQL server over its own connection, which it replaces when it breaks. */
export function listen({ url, isChosen, channel, onNotification, notify, log }: ListenOptions): Listening {
  let stopped = false;
  let works = false;
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let awaited: { payload: string; arrived: () => void } | undefined;
  let warned = false;

  const later = (milliseconds: number, work: () => void) => {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(work, milliseconds).unref();
  };

  function fail(failed: pg.Client, reason: string, retryMilliseconds = RECONNECT_MILLISECONDS): void {
    if (client !== failed) return;
    client = undefined;
    works = false;
    failed.end().catch(() => undefined);
    if (stopped) return;
    if (!warned) log.warn(`Notifications of the database don't arrive (${reason}), so it is asked every second.`);
    warned = true;
    later(retryMilliseconds, connect);
  }

  function connect(): void {
    const connecting = new pg.Client({
      connectionString: url,
      application_name: 'hourshare listener',
      connectionTimeoutMillis: 4000,
      keepAlive: true,
    });
    client = connecting;
    connecting.on('error', (error) => fail(connecting, error.message));
    connecting.on('end', () => fail(connecting, 'the connection ended'));
    connecting.on('notification', ({ payload = '' }) => {
      if (payload === awaited?.payload) awaited.arrived();
      else if (!payload.startsWith(TEST)) onNotification();
    });
    begin(connecting).catch((error: unknown) => fail(connecting, messageOf(error)));
  }

  async function begin(connecting: pg.Client): Promise<void> {
    await connecting.connect();
    // A pooler in transaction mode would keep lending the listening connection to other clients.
    if (!isChosen && (await isPooled(connecting)))
      return fail(connecting, 'a connection pooler loses them; set DATABASE_LISTEN_URL', TEST_EVERY_MILLISECONDS);
    // oxlint-disable-next-line hourshare-server/no-sql-from-text -- LISTEN takes no values, and the name is escaped
    await connecting.query(`listen ${connecting.escapeIdentifier(channel)}`);
    test(connecting);
  }

  /** Sends a notification to itself through the app's connections, at first and then again and again. */
  function test(tested: pg.Client): void {
    if (client !== tested || stopped) return;
    const payload = `${TEST}${process.pid} ${Math.random()}`;
    later(TEST_MILLISECONDS, () => {
      awaited = undefined;
      fail(tested, 'a notification sent as a test got lost');
    });
    awaited = {
      payload,
      arrived: () => {
        awaited = undefined;
        if (client !== tested) return;
        if (warned) log.info('Notifications of the database arrive again.');
        warned = false;
        if (!works) onNotification();
        works = true;
        later(TEST_EVERY_MILLISECONDS, () => test(tested));
      },
    };
    notify(payload).catch((error: unknown) => fail(tested, messageOf(error)));
  }

  connect();
  return {
    works: () => works,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}

async function isPooled(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return !isBackend(client, rows[0]?.pid);
}

const TEST = 'test ';
