import { randomBytes } from 'node:crypto';
import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { OwnedAsset } from '@hourshare/contract/assets';
import { OPEN_INVITATIONS_MAX } from '@hourshare/contract/limits';
import type { SharedAsset } from '@hourshare/contract/shares';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { until } from './platform/database/testing/processes.ts';
import { TEST_PASSWORD } from './testing/api.ts';
import { openEvents, type ReadMessage } from './testing/event-client.ts';
import {
  hasPooler,
  startPooledPostgresql,
  type PooledDatabase,
  type PooledPostgresql,
} from './testing/pooled-postgresql.ts';
import { buildServer } from './testing/built-server.ts';
import { startServer } from './testing/server-process.ts';
import { openTestMailServer, type TestMailServer } from './testing/smtp.ts';

// Two running servers that share a PostgreSQL database behind a pooler.

const METRICS_TOKEN = 'a-token-for-the-figures';
const SETTINGS = { DATABASE_PREPARE: 'off', SECRET: 'known to this test alone, 32 characters', METRICS_TOKEN };

interface Answer {
  status: number;
  body: unknown;
}

/** The jobs that find something due in the test below. */
const JOBS = [
  'begin access and handovers',
  'repeat costs',
  'end expired offers and links',
  'end expired sessions',
  'close periods',
  'send weekly reminders',
  'queue mail with notices',
];

type RunningServer = Awaited<ReturnType<typeof run>>;

/** Starts a server. */
async function run(database: PooledDatabase, settings: Record<string, string> = {}, build?: URL) {
  const server = startServer({ ...SETTINGS, DATABASE_URL: database.url, ...settings }, build);
  const address = await server.ready;
  if (address === undefined) throw new Error(`The server did not start: ${server.stderr()}`);

  async function call(
    method: string,
    path: string,
    { as, body, headers }: { as?: SignedIn; body?: object; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const answer = await fetch(`${address}${path}`, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(as && { authorization: `Bearer ${as.access}` }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      body: /json/.test(answer.headers.get('content-type') ?? '') ? JSON.parse(text) : text,
    };
  }

  async function stop() {
    server.kill('SIGKILL');
    await server.ended;
  }

  return { ...server, address, call, stop };
}

async function register({ call }: RunningServer) {
  const username = `u${randomBytes(6).toString('hex')}`;
  const body = { username, email: `${username}@example.org`, password: TEST_PASSWORD };
  const { status, body: signedIn } = await call('POST', '/api/register/', { body });
  expect(status).toBe(201);
  return { ...body, ...(signedIn as SignedIn) };
}

const logIn = ({ call }: RunningServer, username: string, password: string) =>
  call('POST', '/api/login/', { body: { username, password } });

const addAsset = ({ call }: RunningServer, as: SignedIn, headers: Record<string, string> = {}) =>
  call('POST', '/api/assets/', { as, headers, body: { name: 'Sauna', description: '', subscription_cost: 5 } });

const idOf = ({ body }: Answer) => (body as { id: number }).id;

/** Counts answers by status. */
function statuses(answers: Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

async function streamOf({ address }: RunningServer, { access }: SignedIn) {
  const stream = await openEvents(address, access);
  onTestFinished(() => stream.close());
  await stream.until((messages) => messages.length > 0);
  return stream;
}

/** Connects to PostgreSQL without the pooler. */
async function connectTo({ adminUrl }: PooledDatabase): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** Settings of a server whose clock starts at an instant. */
const clockFrom = (instant: string) => ({
  NODE_OPTIONS: `--import ${new URL('../../e2e/moved-clock.mjs', import.meta.url).href}`,
  CLOCK_OFFSET_MS: String(Date.parse(instant) - Date.now()),
});

/** Waits until a job has run on a server since it started. */
const jobRan = (server: RunningServer, job: string) =>
  until(async () => {
    const { body } = await server.call('GET', '/metrics', { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
    const succeeded = `hourshare_job_last_success_timestamp_seconds{job_name="${job}"} `;
    return String(body)
      .split('\n')
      .some((line) => line.startsWith(succeeded) && !line.endsWith(' 0'));
  }, `a run of "${job}"`);

const addedAssets = (messages: ReadMessage[]) =>
  messages.filter(({ name }) => name === 'asset.added').map(({ data }) => Number(data['asset_id']));

describe.runIf(hasPooler)('two servers behind PgBouncer in transaction mode', () => {
  let postgresql: PooledPostgresql;
  let database: PooledDatabase;
  let smtp: TestMailServer;
  /** Listens for notifications at PostgreSQL's own address. */
  let one: RunningServer;
  /** Has only the pooler's address. */
  let other: RunningServer;
  beforeAll(async () => {
    postgresql = await startPooledPostgresql(4);
    database = await postgresql.createDatabase();
    await database.applyDocumentedSettings();
    smtp = await openTestMailServer();
    const settings = { RATE_LIMIT: 'on', SMTP_URL: smtp.url, MAIL_FROM: 'HourShare <hours@example.org>' };
    [one, other] = await Promise.all([
      run(database, { ...settings, DATABASE_LISTEN_URL: database.directUrl }),
      run(database, settings),
    ]);
  });
  afterAll(async () => {
    await Promise.all([one.stop(), other.stop()]);
    await smtp.close();
    await postgresql.stop();
  });

  it('pass on events of both once and in one order, also without notifications, which one of them misses', async () => {
    const account = await register(one);
    const streams = [await streamOf(one, account), await streamOf(other, account)];
    const servers = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? one : other));
    const ids = (await Promise.all(servers.map((server) => addAsset(server, account)))).map(idOf);
    for (const stream of streams) await stream.until((messages) => addedAssets(messages).length >= ids.length);
    // What comes after is not another copy of one of them.
    const last = idOf(await addAsset(one, account));
    for (const stream of streams) await stream.until((messages) => addedAssets(messages).includes(last));
    const [atOne, atOther] = streams.map(({ messages }) => addedAssets(messages));
    expect(atOne).toEqual(atOther);
    expect(atOne?.toSorted((a, b) => a - b)).toEqual([...ids, last].toSorted((a, b) => a - b));

    const warning = "Notifications of the database don't arrive";
    await until(() => other.stdout().includes(`${warning} (a connection pooler loses them`), 'the warning');
    expect(one.stdout()).not.toContain(warning);
  });

  it('send each message once, although both send mail', async () => {
    const accounts = [await register(one), await register(other)];
    const requests = Array.from({ length: 16 }, (_, index) => ({
      server: index % 2 === 0 ? one : other,
      email: accounts[index < 8 ? 0 : 1]!.email,
    }));
    const answers = await Promise.all(
      requests.map(({ server, email }) => server.call('POST', '/api/password-reset/', { body: { email } })),
    );
    expect(statuses(answers)).toEqual({ 204: 16 });

    // A message is deleted after it was sent, so none is sent again after this.
    const client = await connectTo(database);
    await until(async () => (await client.query('select 1 from mails')).rowCount === 0, 'the messages');
    for (const { email } of accounts) {
      const links = smtp.received
        .filter(({ recipients, link }) => recipients.includes(email) && link?.includes('/reset-password#'))
        .map(({ link }) => link);
      expect(links).toHaveLength(8);
      expect(new Set(links).size).toBe(8);
    }
    for (const server of [one, other]) await jobRan(server, 'send mail');
  });

  it('run each due job once, although both start it at the same time', async () => {
    // Enough connections for all jobs of both that wait below.
    const pooled = await startPooledPostgresql(20);
    onTestFinished(() => pooled.stop());
    const shared = await pooled.createDatabase();
    await shared.applyDocumentedSettings();
    const settings = { SMTP_URL: smtp.url, MAIL_FROM: 'HourShare <hours@example.org>' };
    const earlier = await run(shared, { ...settings, ...clockFrom('2025-03-26T12:00:00Z') });
    onTestFinished(() => earlier.stop());
    const owner = await register(earlier);
    const member = await register(earlier);
    // Reminders skip accounts that other jobs have locked; they don't lock this one.
    const idle = await register(earlier);
    const post = async (path: string, as: SignedIn, body: object = {}) => {
      const answer = await earlier.call('POST', path, { as, body });
      expect(answer).toMatchObject({ status: expect.toBeOneOf([200, 201]) as number });
      return answer;
    };
    const share = async () => {
      const assetId = idOf(await addAsset(earlier, owner));
      const body = { username: member.username, monthly_hours_allocated: 10 };
      const asset = (await post(`/api/assets/${assetId}/share/`, owner, body)).body as OwnedAsset;
      return { assetId, shareId: asset.shared_with[0]!.id };
    };
    const [used, offered, given] = [await share(), await share(), await share()];
    const sessionId = idOf(await post(`/api/shared-assets/${used.shareId}/start/`, member));
    // The notice of the offer goes when the offer expires, which may be before it would be sent.
    await post(`/api/assets/${used.assetId}/prices/`, owner, { from_month: '2025-06', subscription_cost: 6 });
    await post(`/api/shared-assets/${given.shareId}/accept/`, member);
    await post(`/api/assets/${given.assetId}/handover/`, owner, { username: member.username });
    const sharedAsset = await earlier.call('GET', `/api/shared-assets/${given.shareId}/`, { as: member });
    const { version } = (sharedAsset.body as SharedAsset).handover!;
    await post(`/api/shared-assets/${given.shareId}/handover/accept/`, member, { version });
    const client = await connectTo(shared);
    const isDispatched = async () => (await client.query('select 1 from outbox')).rowCount === 0;
    await until(isDispatched, 'the events so far');
    await earlier.stop();

    await client.query(`
      delete from live_updates;
      create table noted (table_name text not null, noted_row jsonb not null);
      create function note() returns trigger security definer language plpgsql as
        'begin insert into public.noted values (tg_table_name, to_jsonb(new)); return null; end';
      create trigger note after insert on mails for each row execute function note();
      create trigger note after update of ended_at on shares for each row execute function note();`);
    const noted = async (table: string): Promise<Record<string, unknown>[]> => {
      const query = 'select noted_row from noted where table_name = $1';
      return (await client.query<{ noted_row: Record<string, unknown> }>(query, [table])).rows.map(
        ({ noted_row: row }) => row,
      );
    };
    // Both read what is due before either writes.
    await client.query('begin; lock table users, shares, sessions in exclusive mode');
    const tuesday = { ...settings, ...clockFrom('2025-04-15T09:00:00Z') };
    const starts = [run(shared, tuesday), run(shared, tuesday)];
    onTestFinished(async () => {
      await client.query('rollback');
      for (const start of await Promise.allSettled(starts)) if (start.status === 'fulfilled') await start.value.stop();
    });
    const servers = await Promise.all(starts);
    const observer = await connectTo(shared);
    // Closing months and repeating costs hand over first, so three jobs of both servers wait in one query.
    const waiting = `select count(*)::int from pg_stat_activity where wait_event_type = 'Lock'
      and datname = current_database() group by query having count(*) in (2, 6)`;
    const waitingJobs = async () => {
      const { rows } = await observer.query<{ count: number }>(waiting);
      return rows.reduce((sum, { count }) => sum + count, 0);
    };
    await until(async () => (await waitingJobs()) === 2 * JOBS.length, 'the jobs of both servers');
    await client.query('rollback');
    for (const server of servers) for (const job of JOBS) await jobRan(server, job);
    await until(isDispatched, 'the events');
    const mails = async (kind: string, { user: { id } }: SignedIn) =>
      (await noted('mails')).filter((mail) => mail['kind'] === kind && mail['user_id'] === id);
    await until(async () => (await mails('notices', member)).length > 0, 'an email with notices');

    // A month whose asset is being handed over may close later.
    const { rows: events } = await client.query(
      `select kind, data from live_updates
       where kind <> 'notices.changed' and not (kind = 'period.closed' and data->'asset_id' = to_jsonb($1::int))
       order by kind, data->'asset_id'`,
      [given.assetId],
    );
    expect(events).toEqual([
      { kind: 'handover.changed', data: { asset_id: given.assetId } },
      { kind: 'period.closed', data: { asset_id: used.assetId, month: '2025-03' } },
      { kind: 'period.closed', data: { asset_id: offered.assetId, month: '2025-03' } },
      { kind: 'session.ended', data: { asset_id: used.assetId, share_id: used.shareId, session_id: sessionId } },
      { kind: 'share.ended', data: { asset_id: offered.assetId, share_id: offered.shareId } },
    ]);
    const { rows: sessions } = await client.query('select ended_at - started_at as time from sessions');
    expect(sessions).toMatchObject([{ time: { days: 1 } }]);
    const endedShares = (await noted('shares')).map(({ id }) => Number(id)).toSorted((a, b) => a - b);
    expect(endedShares).toEqual([offered.shareId, given.shareId]);
    expect(await mails('weeklyReminder', idle)).toHaveLength(1);
    expect(await mails('notices', member)).toHaveLength(1);
  });

  it('count attempts separately', async () => {
    const { username } = await register(one);
    const guess = async (server: RunningServer) =>
      statuses(await Promise.all(Array.from({ length: 11 }, () => logIn(server, username, 'not the password'))));
    expect(await guess(one)).toEqual({ 401: 10, 429: 1 });
    expect((await logIn(one, username, TEST_PASSWORD)).status).toBe(429);
    expect((await logIn(other, username, TEST_PASSWORD)).status).toBe(200);
    expect(await guess(other)).toEqual({ 401: 10, 429: 1 });
  });

  it('share maximums, and answers to repeated requests', async () => {
    const owner = await register(one);
    const headers = { 'idempotency-key': randomBytes(16).toString('hex') };
    const assets = await Promise.all([one, other, one, other].map((server) => addAsset(server, owner, headers)));
    expect(statuses(assets)).toEqual({ 201: 4 });
    expect(new Set(assets.map(idOf)).size).toBe(1);

    const path = `/api/assets/${idOf(assets[0]!)}/invitations/`;
    const invite = (_: unknown, index: number) =>
      (index % 2 === 0 ? one : other).call('POST', path, { as: owner, body: { monthly_hours_allocated: 1 } });
    const invited = await Promise.all(Array.from({ length: OPEN_INVITATIONS_MAX + 4 }, invite));
    expect(statuses(invited)).toEqual({ 201: OPEN_INVITATIONS_MAX, 400: 4 });
    expect(invited.find(({ status }) => status === 400)?.body).toMatchObject({ code: 'too_many_invitations' });
  });

  it.each([
    ['signing out', (phone: SignedIn) => one.call('POST', '/api/logout/', { body: { refresh_token: phone.refresh } })],
    ['ending the other sign-ins', (_: SignedIn, as: SignedIn) => one.call('DELETE', '/api/me/sign-ins/', { as })],
    [
      'changing the password',
      (_: SignedIn, as: SignedIn) => {
        const body = { current_password: TEST_PASSWORD, new_password: 'a longer battery of horses' };
        return one.call('POST', '/api/me/password/', { as, body });
      },
    ],
  ])('end a sign-in on both, and its event stream, by %s on one', async (_, end) => {
    const laptop = await register(one);
    const phone = (await logIn(other, laptop.username, TEST_PASSWORD)).body as SignedIn;
    const stream = await streamOf(other, phone);
    expect((await end(phone, laptop)).status).toBe(204);
    expect((await other.call('GET', '/api/me/', { as: phone })).status).toBe(401);
    expect((await other.call('POST', '/api/token/refresh/', { body: { refresh: phone.refresh } })).status).toBe(401);
    expect((await other.call('GET', '/api/me/', { as: laptop })).status).toBe(200);
    await stream.ended;
  });

  it('answer every request while a newer version migrates, and share sign-ins and events with it', async () => {
    const upgraded = await postgresql.createDatabase();
    await upgraded.applyDocumentedSettings();
    const older = await run(upgraded);
    onTestFinished(() => older.stop());
    const account = await register(older);
    const written: Answer[] = [];
    const stop = new AbortController();
    const write = async () => {
      while (!stop.signal.aborted) written.push(await addAsset(older, account));
    };
    const more = () => {
      const count = written.length + 10;
      return until(() => written.length >= count, 'answers');
    };

    const build = await buildServer({
      '9999-later': [
        'alter table used_challenges add column later text',
        "alter table users add column later text not null default ''",
      ],
    });
    const client = await connectTo(upgraded);
    await client.query('begin');
    await client.query('lock table used_challenges in access share mode');
    const newer = run(upgraded, {}, build);
    onTestFinished(async () => {
      await client.query('rollback');
      await (await newer).stop();
    });
    const isBlocked = async () => {
      const { rowCount } = await client.query(
        `select 1 from pg_locks where relation = 'used_challenges'::regclass and not granted`,
      );
      return rowCount === 1;
    };
    await until(isBlocked, 'the migration that is blocked');
    const writing = Promise.all([write(), write(), write()]);
    await more();
    expect(await isBlocked()).toBe(true);
    await client.query('rollback');
    const ready = await newer;
    await more();

    for (const server of [older, ready]) expect(await server.call('GET', '/readyz')).toMatchObject({ status: 200 });
    const stream = await streamOf(ready, account);
    const id = idOf(await addAsset(older, account));
    await stream.until((messages) => addedAssets(messages).includes(id));
    stop.abort();
    await writing;
    expect(statuses(written)).toEqual({ 201: written.length });
    older.kill('SIGTERM');
    expect(await older.ended).toEqual({ code: 0, signal: null });
    expect((await ready.call('GET', '/api/me/', { as: account })).status).toBe(200);
  });
});
