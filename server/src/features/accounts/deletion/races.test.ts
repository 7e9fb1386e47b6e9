import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { Statement } from '@hourshare/contract/statements';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openTestApi, TEST_PASSWORD, type Answer, type TestApi } from '../../../testing/api.ts';
import { raceRounds } from '../../../testing/thorough.ts';
import { closeDuePeriods } from '../../statements/closing/service.ts';

let api: TestApi;
let owner: SignedIn;
let other: SignedIn;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(async () => {
  await api.reset();
  owner = await api.register('ana');
  other = await api.register('kim');
});
afterAll(() => api.close());

const ROUNDS = 15;

const nextTick = () => new Promise<void>((resolve) => setImmediate(resolve));
/** Waits a little longer in each round, so that the calls overlap at different points. */
async function after<T>(ticks: number, work: () => PromiseLike<T>): Promise<T> {
  for (let waited = 0; waited < ticks; waited++) await nextTick();
  return work();
}

const leave = (as: SignedIn, keepName = false) =>
  api.call('DELETE', '/api/me/', { as, body: { current_password: TEST_PASSWORD, keep_name: keepName } });

/** Returns whether anything is left that belongs to an account or contains its name. */
async function traces(user: SignedIn): Promise<unknown[]> {
  const { id, username } = user.user;
  const { rows } = await sql`
    select 'user' as what from users where id = ${id} or username = ${username}
    union all select 'line' from statement_lines where user_id = ${id} or username = ${username}
    union all select 'statement' from statements where owner_id = ${id} or owner_name = ${username}
    union all select 'payment' from settlements
      where payer_id = ${id} or payee_id = ${id} or ${username}::text in (payer_name, payee_name, recorded_by)
    union all select 'session' from sessions s join shares sh on sh.id = s.share_id join users u on u.id = sh.member_id
      where u.former_id = ${id} and s.ended_at is null
    union all select 'access' from shares sh join users u on u.id = sh.member_id
      where u.former_id = ${id} and sh.ended_at is null
    union all select 'asset' from assets a join users u on u.id = a.owner_id
      where u.former_id = ${id} and a.deleted_at is null`.execute(api.deps.db);
  return rows;
}

it('of two deletions, one succeeds', async () => {
  for (const round of raceRounds(ROUNDS)) {
    const member = await api.register(`ben${round}`);
    const answers = await Promise.all([leave(member), after(round * 3, () => leave(member))]);
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses[0]).toBe(204);
    expect([400, 401]).toContain(statuses[1]);
    expect(await traces(member)).toEqual([]);
  }
});

type Play = (
  member: SignedIn,
  round: number,
) => Promise<{ call: () => PromiseLike<Answer | void>; expected: number[] }>;

const keyed = (round: number) => ({ 'idempotency-key': `key ${round}` });

const plays: Record<string, Play> = {
  async 'starting a session'(member, round) {
    const share = await api.share(owner, await api.addAsset(owner), member);
    const path = `/api/shared-assets/${share.id}/start/`;
    return {
      call: () => api.call('POST', path, { as: member, body: {}, headers: keyed(round) }),
      expected: [201, 401, 404],
    };
  },
  async 'accepting an offer'(member) {
    const offer = await api.offer(owner, await api.addAsset(owner), member);
    const path = `/api/shared-assets/${offer.id}/accept/`;
    return { call: () => api.call('POST', path, { as: member }), expected: [200, 401, 404] };
  },
  async 'accepting an offer of theirs'(member) {
    const offer = await api.offer(member, await api.addAsset(member), other);
    const path = `/api/shared-assets/${offer.id}/accept/`;
    return { call: () => api.call('POST', path, { as: other }), expected: [200, 404] };
  },
  async 'offering them an asset'(member) {
    const asset = await api.addAsset(owner);
    const body = { username: member.user.username, monthly_hours_allocated: 5 };
    return {
      call: () => api.call('POST', `/api/assets/${asset.id}/share/`, { as: owner, body }),
      expected: [201, 404],
    };
  },
  async 'adding an asset'(member, round) {
    const body = { name: 'New', subscription_cost: 5 };
    return {
      call: () => api.call('POST', '/api/assets/', { as: member, body, headers: keyed(round) }),
      expected: [201, 401],
    };
  },
  async 'signing in'(member) {
    const body = { username: member.user.username, password: TEST_PASSWORD };
    return { call: () => api.call('POST', '/api/login/', { body }), expected: [200, 401] };
  },
  async 'paying them'(member) {
    await api.billedAsset(member, other, '2026-02');
    const body = { username: member.user.username };
    return { call: () => api.call('POST', '/api/settlements/', { as: other, body }), expected: [201, 400, 409] };
  },
  async 'recording that they paid'(member) {
    await api.billedAsset(owner, member, '2026-02');
    const body = { username: member.user.username };
    return { call: () => api.call('POST', '/api/settlements/', { as: owner, body }), expected: [201, 400, 409] };
  },
  async 'confirming what they paid'(member) {
    await api.billedAsset(owner, member, '2026-02');
    const sent = await api.call<{ id: number }>('POST', '/api/settlements/', { as: member, body: { username: 'ana' } });
    const path = `/api/settlements/${sent.body.id}/confirm/`;
    return { call: () => api.call('POST', path, { as: owner }), expected: [200] };
  },
};

it.each(Object.keys(plays))('%s while the account is deleted leaves nothing of it', async (name) => {
  for (const round of raceRounds(ROUNDS)) {
    const member = await api.register(`ben${round}`);
    const { call, expected } = (await plays[name]?.(member, round)) ?? { call: async () => undefined, expected: [] };
    const [left, answer] = await Promise.all([after(round % 4, () => leave(member)), after(round * 2, call)]);
    expect(left.status).toBe(204);
    expect(expected).toContain(answer?.status);
    expect(await traces(member)).toEqual([]);
  }
});

it('a month that closes at the same time has the charge of the deleted account, without its name', async () => {
  const start = api.clock.now;
  for (const round of raceRounds(ROUNDS)) {
    api.clock.now = start;
    const member = await api.register(`ben${round}`);
    const asset = await api.addAsset(owner, { subscription_cost: 10, split_method: 'equal' });
    await api.share(owner, asset, member);
    const own = await api.addAsset(member, { subscription_cost: 10, split_method: 'equal' });
    await api.share(member, own, other);
    api.clock.now = new Date('2026-04-04T00:00:00Z');
    await Promise.all([
      after(round, () => closeDuePeriods(api.deps)),
      after((round % 3) * 4, async () => expect((await leave(member)).status).toBe(204)),
    ]);
    await closeDuePeriods(api.deps);
    expect(await traces(member)).toEqual([]);
    const name = `Deleted user ${member.user.id}`;
    const path = `/api/assets/${asset.id}/statements/2026-03/`;
    const { body } = await api.call<Statement>('GET', path, { as: owner });
    expect(body).toMatchObject({ closed: true, lines: [{ username: 'ana' }, { username: name, amount: 3.55 }] });
    const theirs = await api.call<{ results: Statement[] }>('GET', '/api/statements/?month=2026-03', { as: other });
    const [statement] = theirs.body.results.filter(({ owner: named }) => named === name);
    expect(statement).toMatchObject({ closed: true, lines: [{ username: 'kim', amount: 3.55 }] });
  }
});
