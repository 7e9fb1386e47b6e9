import type { SignedIn } from '@hourshare/contract/sign-ins';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, TEST_PASSWORD, type Answer, type TestApi } from './testing/api.ts';

const PARALLEL = 30;

const callInParallel = (call: (index: number) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: PARALLEL }, (_, index) => call(index)));

/** Returns how often each status was returned, with the text of server errors. */
function countStatuses(answers: Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, text } of answers) {
    const key = status < 500 ? `${status}` : `${status} ${text}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

describe('with many parallel calls', () => {
  let api: TestApi;
  let owner: SignedIn;
  let member: SignedIn;
  beforeAll(async () => {
    api = await openTestApi();
  });
  beforeEach(async () => {
    await api.reset();
    owner = await api.register('mira');
    member = await api.register('ben');
  });
  afterAll(() => api.close());

  const post = (path: string, caller: SignedIn, body?: object, key?: string) =>
    api.call('POST', path, {
      as: caller,
      ...(body && { body }),
      ...(key !== undefined && { headers: { 'idempotency-key': key } }),
    });

  it('exactly one start and one end of a session succeed', async () => {
    const { id } = await api.share(owner, await api.addAsset(owner), member);
    const start = `/api/shared-assets/${id}/start/`;
    expect(countStatuses(await callInParallel(() => post(start, member)))).toEqual({ 201: 1, 400: PARALLEL - 1 });
    const ends = await callInParallel(() => post(`/api/shared-assets/${id}/end/`, member));
    expect(countStatuses(ends)).toEqual({ 200: 1, 400: PARALLEL - 1 });
    const keyed = await callInParallel((index) => post(start, member, undefined, `key ${index}`));
    expect(countStatuses(keyed)).toEqual({ 201: 1, 400: PARALLEL - 1 });
    const repeated = await callInParallel(() => post(start, member, undefined, `key ${PARALLEL}`));
    expect(countStatuses(repeated)).toEqual({ 400: PARALLEL });
  });

  it('exactly one share with the same member succeeds', async () => {
    const asset = await api.addAsset(owner);
    const body = { username: 'ben', monthly_hours_allocated: 5 };
    const path = `/api/assets/${asset.id}/share/`;
    expect(countStatuses(await callInParallel(() => post(path, owner, body)))).toEqual({ 201: 1, 400: PARALLEL - 1 });
    const otherAsset = await api.addAsset(owner);
    const repeated = await callInParallel(() => post(`/api/assets/${otherAsset.id}/share/`, owner, body, 'key'));
    expect(countStatuses(repeated)).toEqual({ 201: PARALLEL });
  });

  it('exactly one registration of a username succeeds', async () => {
    const register = (index: number) =>
      api.call('POST', '/api/register/', {
        body: { username: 'zoe', email: `zoe${index}@example.org`, password: TEST_PASSWORD },
      });
    expect(countStatuses(await callInParallel(register))).toEqual({ 201: 1, 400: PARALLEL - 1 });
  });

  it('a month closes once during reads and price changes, and its charges are settled once', async () => {
    const asset = await api.addAsset(owner, { split_method: 'equal' });
    const { id } = asset;
    await api.share(owner, asset, member, 5);
    api.clock.now = new Date('2026-04-05T12:00:00.000Z');
    const month = `/api/assets/${id}/statements/2026-03/`;
    const closing = await callInParallel((index) => {
      if (index % 3 === 0) return post(`${month}close/`, owner);
      if (index % 3 === 1) return api.call('GET', month, { as: member });
      return post(`/api/assets/${id}/prices/`, owner, { from_month: '2026-04', subscription_cost: index });
    });
    expect(countStatuses(closing)).toEqual({ 200: (PARALLEL / 3) * 2, 201: PARALLEL / 3 });
    const settling = await callInParallel((index) =>
      index % 2 === 0
        ? post('/api/settlements/', owner, { username: 'ben' })
        : post('/api/settlements/', member, { username: 'mira' }),
    );
    expect(countStatuses(settling)).toEqual({ 201: 1, 400: PARALLEL - 1 });
    expect(await api.deps.db.selectFrom('statements').select('month').execute()).toHaveLength(1);
  });

  it('edits and the removal of a session are serialized', async () => {
    const { id } = await api.share(owner, await api.addAsset(owner), member);
    const started = await api.call<{ id: number }>('POST', `/api/shared-assets/${id}/start/`, { as: member });
    api.clock.advance(3_600_000);
    await post(`/api/shared-assets/${id}/end/`, member);
    const path = `/api/shared-assets/${id}/logs/${started.body.id}/`;
    const answers = await callInParallel((index) =>
      index === 20
        ? api.call('DELETE', path, { as: member })
        : api.call('PATCH', path, {
            as: member,
            body: { start_time: new Date(api.clock.now.getTime() - 1_800_000 - index * 1000).toISOString() },
          }),
    );
    const { 200: corrected = 0, 204: removed, 404: notFound = 0, ...others } = countStatuses(answers);
    expect([corrected + notFound, removed, others]).toEqual([PARALLEL - 1, 1, {}]);
  });
});

describe('a statement that the database aborts because of another transaction', () => {
  let api: TestApi;
  let member: SignedIn;
  let start: string;
  beforeAll(async () => {
    api = await openTestApi();
    await sql`create sequence attempts`.execute(api.deps.db);
  });
  beforeEach(async () => {
    await api.reset();
    const owner = await api.register('mira');
    member = await api.register('ben');
    const share = await api.share(owner, await api.addAsset(owner), member);
    start = `/api/shared-assets/${share.id}/start/`;
  });
  afterAll(() => api.close());

  /** Makes the database abort the first attempts to start a session, as it aborts the victim of a deadlock. */
  async function failAttempts(code: string, count: number): Promise<void> {
    await sql`alter sequence attempts restart`.execute(api.deps.db);
    await sql
      .raw(
        `create or replace function give_up() returns trigger language plpgsql as $$ begin
          if nextval('attempts') <= ${count} then raise exception 'given up' using errcode = '${code}'; end if;
          return new;
        end $$`,
      )
      .execute(api.deps.db);
    await sql`create or replace trigger give_up before insert on sessions
      for each row execute function give_up()`.execute(api.deps.db);
  }
  const attempts = async () =>
    (await sql<{ last_value: number }>`select last_value from attempts`.execute(api.deps.db)).rows[0]?.last_value;

  describe.each([
    { where: 'outside a transaction', key: undefined },
    { where: 'inside one', key: 'key' },
  ])('$where', ({ key }) => {
    const options = () => ({ as: member, ...(key !== undefined && { headers: { 'idempotency-key': key } }) });

    it.each(['40001', '40P01'])('is retried after %s until it succeeds', async (code) => {
      await failAttempts(code, 4);
      expect((await api.call('POST', start, options())).status).toBe(201);
      expect(await attempts()).toBe(5);
    });

    it.each(['40001', '40P01'])('returns 503 with Retry-After if it keeps failing with %s', async (code) => {
      await failAttempts(code, 1000);
      const answer = await api.call('POST', start, options());
      expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' }, headers: { 'retry-after': '2' } });
      expect(await attempts()).toBe(5);
      await failAttempts(code, 0);
      expect((await api.call('POST', start, options())).status).toBe(201);
    });
  });
});
