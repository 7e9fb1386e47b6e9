import { hueOf } from '@hourshare/contract/fields';
import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { AssetAnalytics } from '@hourshare/contract/analytics';
import type { OwnedAsset } from '@hourshare/contract/assets';
import type { AssetHistory } from '@hourshare/contract/insights';
import { CLAIM_DAYS, CLAIM_SESSIONS_SHOWN, PEOPLE_MAX } from '@hourshare/contract/limits';
import type { MemberSession, Session } from '@hourshare/contract/sessions';
import type { Balance, Settlement } from '@hourshare/contract/settlements';
import type { AssetToClaim, Claim, SharedAsset } from '@hourshare/contract/shares';
import type { ClaimEstimate, Statement } from '@hourshare/contract/statements';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, TEST_PASSWORD, type Answer, type TestApi } from '../../../testing/api.ts';
import { deleteExpiredClaims } from './service.ts';

let api: TestApi;
let owner: SignedIn;
let member: SignedIn;
let asset: OwnedAsset;
beforeAll(async () => {
  api = await openTestApi({ APP_URL: 'https://hours.example.org' });
});
beforeEach(async () => {
  await api.reset();
  owner = await api.register('ana');
  member = await api.register('ben');
  asset = await api.addAsset(owner, { subscription_cost: 20 });
});
afterAll(() => api.close());

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NAME = 'Grandma (ana)';

const add = (name = 'Grandma', assetId = asset.id, caller = owner) =>
  api.call<OwnedAsset>('POST', `/api/assets/${assetId}/people/`, {
    as: caller,
    body: { name, monthly_hours_allocated: 20 },
  });
const entryOf = ({ shared_with: entries }: OwnedAsset, name = NAME) => {
  const entry = entries.find(({ shared_with_username: each }) => each === name);
  if (!entry) throw new Error(`${name} has no access.`);
  return entry;
};
/** Adds a person and returns the path of their share. */
const addPath = async (name = 'Grandma', of = asset) => {
  const { body } = await add(name, of.id);
  return `/api/assets/${of.id}/share/${entryOf(body, `${name} (ana)`).id}/`;
};
const record = (path: string, start: string, end: string, caller = owner) =>
  api.call<Session>('POST', `${path}sessions/`, { as: caller, body: { start_time: start, end_time: end } });
const claimOf = async (path: string) => {
  const { body } = await api.call<AssetToClaim>('POST', `${path}claim/`, { as: owner });
  return body.claim.link.replace(/^.*\//, '');
};
const read = (token: string) => api.call<Claim>('GET', `/api/claims/${token}/`);
const accept = (token: string, caller: SignedIn, body: object = { charges: 'accept' }) =>
  api.call<Claim>('POST', `/api/claims/${token}/`, { as: caller, body });
const registerWith = (claim: object | undefined, on = api, name = 'kim') =>
  on.call<SignedIn>('POST', '/api/register/', {
    body: { username: name, email: `${name}@example.org`, password: TEST_PASSWORD, claim },
  });
const shown = async (of = asset) => (await api.call<OwnedAsset>('GET', `/api/assets/${of.id}/`, { as: owner })).body;
const sharesOf = async (caller: SignedIn, query = '') =>
  (await api.call<{ results: SharedAsset[] }>('GET', `/api/shared-assets/${query}`, { as: caller })).body.results;
const balances = async (caller = owner) =>
  (await api.call<{ results: Balance[] }>('GET', '/api/balances/', { as: caller })).body.results;
const statement = async (month: string, caller = owner) =>
  (await api.call<Statement>('GET', `/api/assets/${asset.id}/statements/${month}/`, { as: caller })).body;

/** Records 4 hours in March, of which the test's clock shows the 10th, and closes the month: $4.00 of $20.00 for 20 h. */
async function billGrandma(): Promise<string> {
  const path = await addPath();
  api.clock.advance(HOUR * 5);
  const start = new Date(api.clock.now.getTime() - 4 * HOUR).toISOString();
  expect((await record(path, start, api.clock.now.toISOString())).status).toBe(201);
  api.clock.now = new Date('2026-04-05T00:00:00Z');
  return path;
}

const overlap = { status: 400, body: { code: 'claim_overlap' } };
const changed = { status: 400, body: { code: 'claim_changed' } };
const dead = {
  status: 404,
  body: { error: 'This link is no longer valid. Ask for a new one.', code: 'claim_not_found' },
};

describe('adding someone without an account', () => {
  it('gives them access at once, under a name that no account can have', async () => {
    const { status, body } = await add();
    expect(status).toBe(201);
    expect(entryOf(body)).toMatchObject({
      pending: false,
      person: true,
      claim_expires_at: null,
      monthly_hours_allocated: 20,
      usage_this_month: 0,
    });
    expect(await registerWith(undefined, api, NAME)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed' },
    });
  });

  it('marks others as having an account', async () => {
    await api.share(owner, asset, member);
    expect(entryOf(await shown(), 'ben').person).toBe(false);
  });

  it('takes the same name for the same person, in any case, and only once per asset', async () => {
    await add();
    expect(await add('grandma')).toMatchObject({ status: 400, body: { code: 'already_shared' } });
    await add('GRANDMA', (await api.addAsset(owner)).id);
    const people = await api.deps.db.selectFrom('users').select('username').where('host_id', 'is not', null).execute();
    expect(people).toEqual([{ username: NAME }]);
  });

  it('keeps people of other owners apart', async () => {
    await add();
    const other = await api.addAsset(member);
    const { body } = await add('Grandma', other.id, member);
    expect(body.shared_with).toMatchObject([{ shared_with_username: 'Grandma (ben)' }]);
  });

  it.each(['', ' ', 'a'.repeat(41), 'a\nb', 'a\u202Eb', 5, undefined])('rejects the name %j', async (name) => {
    const body = { name, monthly_hours_allocated: 5 };
    const answer = await api.call('POST', `/api/assets/${asset.id}/people/`, { as: owner, body });
    expect(answer).toMatchObject({ status: 400, body: { fields: { name: [expect.any(String)] } } });
  });

  it('is bounded per owner, and someone whose access ended makes room', async () => {
    const asset2 = await api.addAsset(owner);
    for (let n = 0; n < PEOPLE_MAX; n++) expect((await add(`P${n}`)).status).toBe(201);
    expect(await add('Other')).toMatchObject({ status: 400, body: { code: 'too_many_people' } });
    expect((await add('P1', asset2.id)).status).toBe(201);
    const { id } = entryOf(await shown(), 'P0 (ana)');
    await api.call('DELETE', `/api/assets/${asset.id}/share/${id}/`, { as: owner });
    expect((await add('Other')).status).toBe(201);
  });

  it('is refused for an archived asset', async () => {
    await api.call('PATCH', `/api/assets/${asset.id}/`, { as: owner, body: { archived: true } });
    expect(await add()).toMatchObject({ status: 400, body: { code: 'asset_archived' } });
  });

  it("isn't found by calls about accounts", async () => {
    await add();
    const other = await api.addAsset(member);
    for (const caller of [owner, member]) {
      const body = { username: NAME, monthly_hours_allocated: 5 };
      const id = caller === owner ? asset.id : other.id;
      const answers: Answer[] = [
        await api.call('POST', `/api/assets/${id}/share/`, { as: caller, body }),
        await api.call('POST', '/api/trusted-owners/', { as: caller, body: { username: NAME, offers: 'refuse' } }),
      ];
      for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { code: 'user_not_found' } });
    }
    for (const password of ['', 'null', TEST_PASSWORD])
      expect([400, 401]).toContain(
        (await api.call('POST', '/api/login/', { body: { username: NAME, password } })).status,
      );
    expect(await api.call('POST', '/api/settlements/', { as: member, body: { username: NAME } })).toMatchObject({
      status: 400,
      body: { code: 'nothing_to_settle' },
    });
  });

  it('lets their hours be changed and their access end', async () => {
    const path = await addPath();
    await api.call('PATCH', path, { as: owner, body: { monthly_hours_allocated: 5 } });
    expect(entryOf(await shown()).monthly_hours_allocated).toBe(5);
    await api.call('DELETE', path, { as: owner });
    expect((await shown()).shared_with).toEqual([]);
    expect((await add()).status).toBe(201);
  });

  it('asks them nothing: the owner changes terms and closes months without them', async () => {
    const path = await addPath();
    await api.call('PATCH', `/api/assets/${asset.id}/`, { as: owner, body: { split_method: 'equal' } });
    expect((await shown()).split_method).toBe('equal');
    await api.share(owner, asset, member);
    api.clock.now = new Date('2026-04-01T01:00:00Z');
    const close = () => api.call('POST', `/api/assets/${asset.id}/statements/2026-03/close/`, { as: owner });
    expect(await close()).toMatchObject({ status: 400, body: { code: 'members_may_edit' } });
    await api.call('POST', `/api/assets/${asset.id}/statements/2026-03/confirm/`, { as: member });
    expect((await close()).status).toBe(200);
    expect(path).toContain('/share/');
  });

  it('deletes them with the account of their owner', async () => {
    await addPath();
    await api.deps.db.deleteFrom('users').where('id', '=', owner.user.id).execute();
    expect(await api.deps.db.selectFrom('users').select('username').execute()).toEqual([{ username: 'ben' }]);
  });

  it('keeps what a deleted asset has cost them, and what they are owed for', async () => {
    await billGrandma();
    await api.call('DELETE', `/api/assets/${asset.id}/`, { as: owner });
    expect(await balances()).toMatchObject([{ username: NAME, they_owe: expect.any(Number) as number }]);
    expect((await api.call('POST', '/api/settlements/', { as: owner, body: { username: NAME } })).status).toBe(201);
  });
});

describe('recording a session', () => {
  it('counts as use of theirs and shows in every list by name', async () => {
    const path = await addPath();
    api.clock.advance(3 * HOUR);
    const answer = await record(path, '2026-03-10T12:30:00Z', '2026-03-10T14:30:00Z');
    expect(answer).toMatchObject({
      status: 201,
      body: { start_time: '2026-03-10T12:30:00.000Z', duration: 120, recorded_by_owner: true },
    });
    expect(entryOf(await shown()).usage_this_month).toBe(2);
    const list = await api.call<{ results: MemberSession[] }>('GET', `/api/assets/${asset.id}/sessions/`, {
      as: owner,
    });
    expect(list.body.results).toMatchObject([{ username: NAME, duration: 120, recorded_by_owner: true, edited: null }]);
    const analytics = await api.call<{ members: object[] }>('GET', `/api/assets/${asset.id}/analytics/`, { as: owner });
    expect(JSON.stringify(analytics.body)).toContain(NAME);
    expect((await statement('2026-03')).lines).toMatchObject([{ username: 'ana' }, { username: NAME, used_hours: 2 }]);
    const csv = await api.call('GET', `/api/assets/${asset.id}/sessions/?format=csv`, { as: owner });
    expect(csv.text).toContain(NAME);
  });

  it.each([
    ['2026-03-10T13:00:00Z', '2026-03-10T16:00:00Z', 'end_time'],
    ['2026-03-10T13:00:00Z', '2026-03-10T13:00:00Z', 'end_time'],
    ['2026-03-10T11:59:59Z', '2026-03-10T13:00:00Z', 'start_time'],
    ['yesterday', '2026-03-10T13:00:00Z', 'start_time'],
  ])('from %s to %s is refused: %s', async (start, end, field) => {
    const path = await addPath();
    api.clock.advance(3 * HOUR);
    expect(await record(path, start, end)).toMatchObject({
      status: 400,
      body: { fields: { [field]: [expect.any(String)] } },
    });
  });

  it('is refused over the limit, over another session, and in a closed month', async () => {
    const path = await addPath();
    api.clock.advance(30 * HOUR);
    expect(await record(path, '2026-03-10T12:00:00Z', '2026-03-11T12:00:01Z')).toMatchObject({ status: 400 });
    expect((await record(path, '2026-03-10T12:00:00Z', '2026-03-11T12:00:00Z')).status).toBe(201);
    expect(await record(path, '2026-03-11T11:00:00Z', '2026-03-11T13:00:00Z')).toMatchObject({
      body: { code: 'session_overlap' },
    });
    expect((await record(path, '2026-03-11T12:00:00Z', '2026-03-11T13:00:00Z')).status).toBe(201);
    api.clock.now = new Date('2026-04-05T00:00:00Z');
    expect(await record(path, '2026-03-12T12:00:00Z', '2026-03-12T13:00:00Z')).toMatchObject({
      body: { code: 'month_closed' },
    });
  });

  it('is refused after their access ended', async () => {
    const path = await addPath();
    api.clock.advance(HOUR);
    await api.call('DELETE', path, { as: owner });
    api.clock.advance(3 * HOUR);
    expect((await record(path, '2026-03-10T12:10:00Z', '2026-03-10T12:50:00Z')).status).toBe(201);
    expect(await record(path, '2026-03-10T13:30:00Z', '2026-03-10T14:00:00Z')).toMatchObject({ status: 400 });
  });

  it('can be edited and removed, by the owner alone', async () => {
    const path = await addPath();
    api.clock.advance(3 * HOUR);
    const { body: session } = await record(path, '2026-03-10T12:30:00Z', '2026-03-10T14:30:00Z');
    const url = `${path}sessions/${session.id}/`;
    const body = { end_time: '2026-03-10T13:00:00Z' };
    expect((await api.call('PATCH', url, { as: member, body })).status).toBe(404);
    expect((await api.call('DELETE', url, { as: member })).status).toBe(404);
    expect(await api.call('PATCH', url, { as: owner, body })).toMatchObject({
      status: 200,
      body: { duration: 30, recorded_by_owner: true },
    });
    expect(entryOf(await shown()).usage_this_month).toBe(0.5);
    expect((await api.call('DELETE', url, { as: owner })).status).toBe(204);
    expect(entryOf(await shown()).usage_this_month).toBe(0);
  });

  // An owner who records, edits, or removes sessions of members would decide what they pay.
  it('is not found for a member with an account', async () => {
    const share = await api.share(owner, asset, member);
    await api.call('POST', `/api/shared-assets/${share.id}/start/`, { as: member });
    api.clock.advance(HOUR);
    const { body } = await api.call<Session>('POST', `/api/shared-assets/${share.id}/end/`, { as: member });
    const path = `/api/assets/${asset.id}/share/${share.id}/`;
    api.clock.advance(HOUR);
    expect((await record(path, '2026-03-10T13:10:00Z', '2026-03-10T13:20:00Z')).status).toBe(404);
    const changed = { end_time: '2026-03-10T12:30:00Z' };
    expect((await api.call('PATCH', `${path}sessions/${body.id}/`, { as: owner, body: changed })).status).toBe(404);
    expect((await api.call('DELETE', `${path}sessions/${body.id}/`, { as: owner })).status).toBe(404);
    expect((await api.call('POST', `${path}claim/`, { as: owner })).status).toBe(404);
    expect((await api.call('DELETE', `${path}claim/`, { as: owner })).status).toBe(404);
  });
});

describe('settling for someone without an account', () => {
  it('needs no one else: the owner records what they paid, and can undo it alone', async () => {
    await billGrandma();
    const [balance] = await balances();
    expect(balance).toMatchObject({ username: NAME, you_owe: 0, payment_details: null });
    expect(balance?.net).toBeGreaterThan(0);
    const { body, status } = await api.call<Settlement>('POST', '/api/settlements/', {
      as: owner,
      body: { username: NAME },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ username: NAME, direction: 'they_paid', status: 'paid', amount: balance?.net });
    expect(await balances()).toEqual([]);
    api.clock.advance(100 * DAY);
    const undone = await api.call<Settlement>('POST', `/api/settlements/${body.id}/undo/`, { as: owner });
    expect(undone.body.status).toBe('undone');
    expect(await balances()).toMatchObject([{ username: NAME }]);
  });

  it('pages through balances with such names', async () => {
    await api.call('PATCH', `/api/assets/${asset.id}/`, { as: owner, body: { split_method: 'equal' } });
    await add('Aunt');
    await billGrandma();
    const path = '/api/balances/?limit=1';
    const first = await api.call<{ results: Balance[]; next: string }>('GET', path, { as: owner });
    const rest = await api.call<{ results: Balance[] }>('GET', `${path}&cursor=${first.body.next}`, { as: owner });
    expect([...first.body.results, ...rest.body.results]).toMatchObject([
      { username: 'Aunt (ana)' },
      { username: NAME },
    ]);
  });
});

describe('the link', () => {
  it('is shown once, replaces an earlier one, and can be revoked', async () => {
    const path = await addPath();
    const first = await api.call<AssetToClaim>('POST', `${path}claim/`, { as: owner });
    expect(first).toMatchObject({
      status: 201,
      body: { claim: { expires_at: '2026-03-17T12:00:00.000Z' } },
    });
    expect(first.body.claim.link).toMatch(/^https:\/\/hours\.example\.org\/claim\/[\w-]{43,}$/);
    const token = first.body.claim.link.replace(/^.*\//, '');
    expect((await read(token)).status).toBe(200);
    expect(entryOf(await shown()).claim_expires_at).toBe('2026-03-17T12:00:00.000Z');
    for (const table of ['claims', 'idempotency_keys', 'users'] as const)
      expect(JSON.stringify(await api.deps.db.selectFrom(table).selectAll().execute())).not.toContain(token);
    const again = { as: owner, headers: { 'idempotency-key': 'one' } };
    const kept = await api.call<AssetToClaim>('POST', `${path}claim/`, again);
    expect((await api.call('POST', `${path}claim/`, again)).text).toBe(kept.text);
    const second = kept.body.claim.link.replace(/^.*\//, '');
    expect(JSON.stringify(await api.deps.db.selectFrom('idempotency_keys').selectAll().execute())).not.toContain(
      second,
    );
    expect(await read(token)).toMatchObject(dead);
    expect((await read(second)).status).toBe(200);
    const told = async () => {
      const { rows } = await sql`delete from outbox where kind = 'person.changed' returning 1`.execute(api.deps.db);
      return rows.length;
    };
    await told();
    const revoked = await api.call<OwnedAsset>('DELETE', `${path}claim/`, { as: owner });
    expect(await told()).toBe(1);
    expect(entryOf(revoked.body).claim_expires_at).toBeNull();
    expect(await read(second)).toMatchObject(dead);
    expect(await accept(second, member)).toMatchObject(dead);
  });

  it('tells only what its person needs, in all', async () => {
    const path = await billGrandma();
    await statement('2026-03');
    const other = await api.addAsset(owner, { name: 'Sauna' });
    await add('Grandma', other.id);
    // Access that has ended is claimed as well.
    const past = await api.addAsset(owner, { name: 'Gym' });
    await api.call('DELETE', await addPath('Grandma', past), { as: owner });
    const { body } = await read(await claimOf(path));
    const terms = { currency: 'USD', split_method: 'usage', base_percent: 0, owner_hours: 0, members: 0 };
    const hours = { monthly_hours_allocated: 20, measured: true, starts_on: null };
    const given = { ...terms, ...hours, next_terms: null, next_price: null };
    const costs = (price: number) => ({
      price,
      terms: expect.objectContaining({ price, total_hours: 20, monthly_hours: 20 }) as object,
      cost_of_all: price,
    });
    expect(body).toEqual({
      name: 'Grandma',
      owner: 'ana',
      assets: [
        { ...given, ...costs(20), asset_name: 'Netflix Premium' },
        { ...given, ...costs(other.subscription_cost), asset_name: 'Sauna' },
      ],
      sessions: 1,
      hours: 4,
      latest_sessions: [
        { asset_name: 'Netflix Premium', start_time: '2026-03-10T13:00:00.000Z', end_time: '2026-03-10T17:00:00.000Z' },
      ],
      charges: 1,
      open_charges: [{ currency: 'USD', amount: expect.any(Number) as number }],
      expires_at: '2026-04-12T00:00:00.000Z',
      version: expect.stringMatching(/./) as string,
    });
  });

  it('estimates what the open months would cost its person', async () => {
    const path = await addPath();
    api.clock.advance(5 * HOUR);
    await record(path, '2026-03-10T13:00:00Z', '2026-03-10T17:00:00Z');
    api.clock.now = new Date('2026-04-02T00:00:00Z');
    const token = await claimOf(path);
    const { lines } = await statement('2026-03');
    const months = await api.call<ClaimEstimate>('GET', `/api/claims/${token}/estimate/`);
    expect(months.status).toBe(200);
    expect(months.body.months).toEqual([
      { asset_name: 'Netflix Premium', month: '2026-04', ended: false, amount: 0, currency: 'USD' },
      {
        asset_name: 'Netflix Premium',
        month: '2026-03',
        ended: true,
        amount: lines[1]?.amount,
        currency: 'USD',
      },
    ]);
    expect(lines[1]?.amount).toBeGreaterThan(0);
    expect(await api.call('GET', '/api/claims/guess/estimate/')).toMatchObject(dead);
  });

  it('ends with its time, and with the access of its person', async () => {
    const path = await addPath();
    const token = await claimOf(path);
    api.clock.advance(CLAIM_DAYS * DAY - 1);
    expect((await read(token)).status).toBe(200);
    api.clock.advance(1);
    expect(await read(token)).toMatchObject(dead);
    expect(entryOf(await shown()).claim_expires_at).toBeNull();
    await deleteExpiredClaims(api.deps);
    expect(await api.deps.db.selectFrom('claims').selectAll().execute()).toEqual([]);
    const again = await claimOf(path);
    await api.call('DELETE', path, { as: owner });
    expect(await read(again)).toMatchObject(dead);
    expect(await accept(again, member)).toMatchObject(dead);
  });

  it('limits failures by network', async () => {
    const limited = await openTestApi({ RATE_LIMIT: 'on' });
    const from = (remoteAddress: string) => limited.call('GET', '/api/claims/guess/', { remoteAddress });
    for (let n = 0; n < 60; n++) expect((await from('192.0.2.1')).status).toBe(404);
    expect((await from('192.0.2.1')).status).toBe(429);
    await limited.close();
  });
});

describe('claiming', () => {
  it('makes an account an ordinary member, with all that was recorded', async () => {
    const path = await addPath();
    api.clock.advance(3 * HOUR);
    const { body: session } = await record(path, '2026-03-10T12:30:00Z', '2026-03-10T14:30:00Z');
    const token = await claimOf(path);
    expect(await accept(token, member)).toMatchObject({ status: 201, body: { name: 'Grandma', sessions: 1 } });
    expect(await accept(token, await api.register('zoe'))).toMatchObject(dead);
    const entry = entryOf(await shown(), 'ben');
    expect(entry).toMatchObject({ person: false, claim_expires_at: null, usage_this_month: 2 });
    const [share] = await sharesOf(member);
    expect(share).toMatchObject({ id: entry.id, status: 'accepted', monthly_hours_allocated: 20, usage_this_month: 2 });
    const logs = `/api/shared-assets/${share?.id}/logs/`;
    const log = await api.call<{ results: Session[] }>('GET', logs, { as: member });
    expect(log.body.results).toMatchObject([{ id: session.id, recorded_by_owner: true }]);
    expect((await api.call('DELETE', `${logs}${session.id}/`, { as: member })).status).toBe(204);
    expect((await api.call('POST', `/api/shared-assets/${share?.id}/start/`, { as: member })).status).toBe(201);
    expect((await record(path, '2026-03-10T12:10:00Z', '2026-03-10T12:20:00Z')).status).toBe(404);
    expect((await api.call('DELETE', `${path}sessions/${session.id}/`, { as: owner })).status).toBe(404);
  });

  it('takes over accepted charges and payments, under the name of the account', async () => {
    const path = await billGrandma();
    const [before] = await balances();
    const half = Math.floor((before?.net ?? 0) * 50) / 100;
    await api.call('POST', '/api/settlements/', { as: owner, body: { username: NAME, amount: half } });
    const closed = await statement('2026-03');
    expect((await accept(await claimOf(path), member)).status).toBe(201);
    const hue = hueOf(member.user.id);
    expect((await statement('2026-03')).lines).toEqual(
      closed.lines.map((line) => (line.role === 'member' ? { ...line, hue } : line)),
    );
    const rest = Number(((before?.net ?? 0) - half).toFixed(2));
    expect(await balances()).toMatchObject([{ username: 'ben', net: rest }]);
    expect(await balances(member)).toMatchObject([{ username: 'ana', net: -rest }]);
    const list = await api.call<{ results: Settlement[] }>('GET', '/api/settlements/', { as: member });
    expect(list.body.results).toMatchObject([{ username: 'ana', direction: 'you_paid', amount: half, status: 'paid' }]);
    expect((await statement('2026-03', member)).lines).toMatchObject([{ username: NAME }]);
    const paid = await api.call<Settlement>('POST', '/api/settlements/', { as: owner, body: { username: 'ben' } });
    expect(paid.body).toMatchObject({ amount: rest, username: 'ben' });
  });

  // The owner bills someone for weeks before they can say anything.
  it('leaves charges that they object to with the owner, and says so', async () => {
    const path = await billGrandma();
    await statement('2026-03');
    expect((await accept(await claimOf(path), member, { charges: 'object' })).status).toBe(201);
    expect(await balances()).toEqual([]);
    expect(await balances(member)).toEqual([]);
    const { lines } = await statement('2026-03');
    expect(lines[1]).toMatchObject({
      username: NAME,
      status: 'paid',
      open_amount: 0,
      objected_at: api.clock.now.toISOString(),
    });
    expect(lines[0]?.objected_at).toBeNull();
    // Not even by taking that back.
    const due = { as: owner, body: { status: 'due' } };
    expect(await api.call('POST', `/api/statement-lines/${lines[1]?.id}/mark/`, due)).toMatchObject({
      status: 400,
      body: { code: 'line_settled' },
    });
    expect([await balances(), await balances(member)]).toEqual([[], []]);
    expect((await api.call('POST', '/api/settlements/', { as: owner, body: { username: 'ben' } })).status).toBe(400);
    expect(await sharesOf(member)).toMatchObject([{ status: 'accepted' }]);
  });

  it('does not bring back a charge that was paid, when they object and the payment is undone', async () => {
    const path = await billGrandma();
    const paid = await api.call<Settlement>('POST', '/api/settlements/', { as: owner, body: { username: NAME } });
    await accept(await claimOf(path), member, { charges: 'object' });
    expect((await api.call('POST', `/api/settlements/${paid.body.id}/undo/`, { as: owner })).status).toBe(200);
    expect(await balances(member)).toEqual([]);
  });

  it.each(['paid', 'accept', 'object'])('keeps the names of closed months in every view: %s', async (charges) => {
    const uncle = await addPath('Uncle');
    const aunt = await addPath('Aunt');
    const path = await billGrandma();
    await statement('2026-03');
    // What is paid or objected to stays with its person, but the share moves.
    if (charges === 'paid') await api.call('POST', '/api/settlements/', { as: owner, body: { username: NAME } });
    const body = { charges: charges === 'object' ? 'object' : 'accept' };
    await accept(await claimOf(path), member, body);
    await accept(await claimOf(aunt), await api.register('zoe'), body);
    await accept(await claimOf(uncle), await api.register('abe'), body);
    // The same name is free for someone else.
    await add();
    const view = async <Body>(rest: string) =>
      (await api.call<Body>('GET', `/api/assets/${asset.id}/${rest}`, { as: owner })).body;
    const hoursOf = (members: { username: string }[], key: string) =>
      members.map((each) => [each.username, (each as Record<string, unknown>)[key]]);
    const names = [
      ['Aunt (ana)', 0],
      [NAME, 4],
      ['Uncle (ana)', 0],
    ];
    expect(hoursOf((await statement('2026-03')).lines.slice(1), 'used_hours')).toEqual(names);
    const { members } = await view<AssetAnalytics>('analytics/?month=2026-03');
    expect(hoursOf(members, 'total_usage')).toEqual(names);
    const [march] = (await view<AssetHistory>('history/')).months;
    expect(hoursOf(march?.members ?? [], 'used_hours')).toEqual(names);
    const { text } = await api.call('GET', `/api/assets/${asset.id}/analytics/?month=2026-03&format=csv`, {
      as: owner,
    });
    expect(text).toContain(`2026-03-10,${NAME},4`);
    // An open month has those of now.
    const now = await view<AssetAnalytics>('analytics/?month=2026-04');
    const joined = ['abe', 'ben', NAME, 'zoe'];
    // What was recorded before someone objected stays with the person.
    const all = charges === 'object' ? ['abe', 'Aunt (ana)', 'ben', NAME, 'Uncle (ana)', 'zoe'] : joined;
    expect(now.members.map(({ username }) => username)).toEqual(all);
  });

  it('is refused if anything was recorded since it was read, and stays usable', async () => {
    const path = await addPath();
    const token = await claimOf(path);
    const { version } = (await read(token)).body;
    api.clock.advance(3 * HOUR);
    await record(path, '2026-03-10T12:30:00Z', '2026-03-10T14:30:00Z');
    for (const charges of ['accept', 'object'])
      expect(await accept(token, member, { charges, version })).toMatchObject(changed);
    const { body: now } = await read(token);
    expect((await accept(token, member, { charges: 'accept', version: now.version })).status).toBe(201);
  });

  // With only a person in the month, terms change at once.
  it('is refused if prices, terms, or hours have changed since it was read', async () => {
    const path = await addPath();
    const token = await claimOf(path);
    const month = '2026-04';
    const edits: [string, string, object][] = [
      ['PATCH', `/api/assets/${asset.id}/`, { subscription_cost: 200 }],
      ['PATCH', `/api/assets/${asset.id}/`, { split_method: 'equal' }],
      ['PATCH', path, { monthly_hours_allocated: 700 }],
      ['POST', `/api/assets/${asset.id}/prices/`, { from_month: month, subscription_cost: 9_999_999.99 }],
    ];
    for (const [method, url, edit] of edits) {
      const { version } = (await read(token)).body;
      expect((await api.call(method, url, { as: owner, body: edit })).status).toBeLessThan(300);
      expect(await accept(token, member, { charges: 'object', version })).toMatchObject(changed);
    }
    const { body: claim } = await read(token);
    expect(claim.assets).toMatchObject([
      {
        price: 200,
        split_method: 'equal',
        monthly_hours_allocated: 700,
        next_price: { from_month: month, price: 9_999_999.99 },
      },
    ]);
    const registering = { token, charges: 'object' as const, version: `${claim.version}x` };
    expect(await registerWith(registering)).toMatchObject(changed);
    expect((await registerWith({ ...registering, version: claim.version })).status).toBe(201);
  });

  describe('is refused if what open months cost has changed, though this month looks the same', () => {
    const patch = (path: string, body: object) => api.call('PATCH', path, { as: owner, body });
    const price = (amount: number, of = asset) => patch(`/api/assets/${of.id}/`, { subscription_cost: amount });

    const tricks: [string, () => Promise<() => Promise<unknown>>][] = [
      [
        'the price of an asset that they no longer have access to',
        async () => {
          const dear = await api.addAsset(owner, { name: 'Dear', subscription_cost: 20, split_method: 'equal' });
          const path = await addPath('Grandma', dear);
          api.clock.advance(DAY);
          await api.call('DELETE', path, { as: owner });
          return () => price(9_999_999.99, dear);
        },
      ],
      [
        'the price, in the last second of a month, and back',
        async () => {
          await patch(`/api/assets/${asset.id}/`, { split_method: 'equal' });
          return async () => {
            api.clock.now = new Date('2026-03-31T23:59:59Z');
            await price(9_999_999.99);
            api.clock.now = new Date('2026-04-01T00:00:01Z');
            await price(20);
          };
        },
      ],
      [
        'the terms, in the last second of a month, and back',
        () =>
          Promise.resolve(async () => {
            api.clock.now = new Date('2026-03-31T23:59:59Z');
            await patch(`/api/assets/${asset.id}/`, { split_method: 'equal' });
            api.clock.now = new Date('2026-04-01T00:00:01Z');
            await patch(`/api/assets/${asset.id}/`, { split_method: 'usage' });
          }),
      ],
      [
        'their hours, at the end of a day, and back',
        async () => {
          const path = `/api/assets/${asset.id}/share/${entryOf(await shown()).id}/`;
          return async () => {
            api.clock.now = new Date('2026-03-28T23:59:59Z');
            await patch(path, { monthly_hours_allocated: 700 });
            api.clock.now = new Date('2026-03-29T00:00:00Z');
            await patch(path, { monthly_hours_allocated: 20 });
          };
        },
      ],
    ];

    /** What a claim says, except for the fullest moment, which remembers hours. */
    const thisMonth = ({ assets, ...claim }: Claim) => ({
      ...claim,
      version: '',
      assets: assets.map((each) => ({ ...each, terms: null, cost_of_all: null })),
    });

    it.each(tricks)('%s', async (_, prepare) => {
      const path = await addPath();
      const change = await prepare();
      api.clock.now = new Date('2026-03-27T00:00:00Z');
      const token = await claimOf(path);
      const { body: seen } = await read(token);
      api.clock.advance(HOUR);
      expect((await read(token)).body.version).toBe(seen.version);
      await change();
      const { body: now } = await read(token);
      expect(thisMonth(now)).toEqual(thisMonth(seen));
      expect(await accept(token, member, { charges: 'accept', version: seen.version })).toMatchObject(changed);
      expect((await accept(token, member, { charges: 'accept', version: now.version })).status).toBe(201);
    });

    it('the asset of a session that is not among the last ones', async () => {
      const dear = await api.addAsset(owner, { subscription_cost: 5000 });
      const [path, other] = [await addPath(), await addPath('Grandma', dear)];
      api.clock.now = new Date('2026-03-12T12:00:00Z');
      const long = ['2026-03-10T12:00:00Z', '2026-03-11T12:00:00Z'] as const;
      const { body: session } = await record(path, ...long);
      for (let minute = 0; minute < CLAIM_SESSIONS_SHOWN; minute++) {
        const at = Date.parse('2026-03-11T13:00:00Z') + minute * 60_000;
        await record(path, new Date(at).toISOString(), new Date(at + 1000).toISOString());
      }
      const token = await claimOf(path);
      const { body: seen } = await read(token);
      expect(seen.latest_sessions).toHaveLength(CLAIM_SESSIONS_SHOWN);
      await api.call('DELETE', `${path}sessions/${session.id}/`, { as: owner });
      await record(other, ...long);
      const { body: now } = await read(token);
      expect({ ...now, version: '' }).toEqual({ ...seen, version: '' });
      expect(now.version).not.toBe(seen.version);
    });
  });

  it('never makes what someone objected to anyone else’s, also once the month closes', async () => {
    const path = await addPath();
    api.clock.advance(5 * HOUR);
    await record(path, '2026-03-10T13:00:00Z', '2026-03-10T17:00:00Z');
    const objectedAt = api.clock.now.toISOString();
    expect((await accept(await claimOf(path), member, { charges: 'object' })).status).toBe(201);
    expect((await statement('2026-03')).lines[2]).toMatchObject({ username: NAME, objected_at: objectedAt });
    // The owner adds the same name again, and someone else accepts it.
    const again = await addPath();
    const { body: claim } = await read(await claimOf(again));
    expect(claim).toMatchObject({ sessions: 0, hours: 0 });
    const zoe = await api.register('zoe');
    expect((await accept(await claimOf(again), zoe)).status).toBe(201);
    api.clock.now = new Date('2026-04-05T00:00:00Z');
    const { lines } = await statement('2026-03');
    expect(lines.slice(1)).toMatchObject([
      { username: 'ben', used_seconds: 0 },
      { username: NAME, used_seconds: 14_400, status: 'paid', objected_at: objectedAt, open_amount: 0 },
      { username: 'zoe', used_seconds: 0 },
    ]);
    expect(lines[2]?.amount).toBeGreaterThan(0);
    expect([await balances(), await balances(member), await balances(zoe)]).toEqual([[], [], []]);
    expect((await statement('2026-03')).lines).toEqual(lines);
  });

  it('changes nothing when it is refused', async () => {
    await api.share(owner, asset, member);
    const path = await addPath();
    const other = await api.addAsset(owner, { name: 'Sauna' });
    await add('Grandma', other.id);
    await api.call('PATCH', `/api/assets/${other.id}/`, { as: owner, body: { archived: true } });
    expect(await accept(await claimOf(path), member)).toMatchObject(overlap);
    expect(await shown(other)).toMatchObject({ shared_with: [{ shared_with_username: NAME }] });
  });

  it('gives nothing that is archived', async () => {
    const path = await addPath();
    const other = await api.addAsset(owner, { name: 'Sauna' });
    await add('Grandma', other.id);
    const token = await claimOf(path);
    await api.call('PATCH', `/api/assets/${other.id}/`, { as: owner, body: { archived: true } });
    expect((await read(token)).body.assets).toMatchObject([{ asset_name: 'Netflix Premium' }]);
    await api.call('PATCH', `/api/assets/${asset.id}/`, { as: owner, body: { archived: true } });
    expect(await read(token)).toMatchObject(dead);
    expect(await accept(token, member)).toMatchObject(dead);
    // A new link would lead nowhere.
    expect(await api.call('POST', `${path}claim/`, { as: owner })).toMatchObject({
      status: 400,
      body: { code: 'asset_archived' },
    });
    await api.call('PATCH', `/api/assets/${asset.id}/`, { as: owner, body: { archived: false } });
    expect((await accept(token, member)).status).toBe(201);
    await api.call('PATCH', `/api/assets/${other.id}/`, { as: owner, body: { archived: false } });
    expect(await sharesOf(member)).toMatchObject([{ asset_name: 'Netflix Premium' }]);
    expect((await shown(other)).shared_with).toEqual([]);
  });

  // A person's only session, on the 1st, and a link passed on at the end of the month: $5,000,000 for whoever joined and left.
  it('counts from then on if they object, in open months as well', async () => {
    await api.call('PATCH', `/api/assets/${asset.id}/`, {
      as: owner,
      body: { subscription_cost: 9_999_999.99, split_method: 'equal' },
    });
    const path = await addPath();
    api.clock.advance(3 * HOUR);
    const { body: session } = await record(path, '2026-03-10T12:30:00Z', '2026-03-10T14:30:00Z');
    api.clock.now = new Date('2026-04-02T12:00:00Z');
    expect((await accept(await claimOf(path), member, { charges: 'object' })).status).toBe(201);
    const [share] = await sharesOf(member);
    expect(share).toMatchObject({ status: 'accepted', monthly_hours_allocated: 20, usage_this_month: 0 });
    api.clock.advance(1);
    expect((await api.call('POST', `/api/shared-assets/${share?.id}/leave/`, { as: member })).status).toBe(204);
    expect(await api.call('GET', `/api/assets/${asset.id}/statements/2026-03/`, { as: member })).toMatchObject({
      status: 404,
    });
    // One day of theirs, beside two of the person.
    const { lines } = await statement('2026-04', member);
    expect(lines).toMatchObject([{ username: 'ben', days: 1 }]);
    expect((await statement('2026-04')).lines).toMatchObject([
      { role: 'owner' },
      { username: 'ben' },
      { username: NAME, days: 2 },
    ]);
    expect((await statement('2026-03')).lines).toMatchObject([{}, { username: NAME, used_seconds: 7200 }]);
    // The owner still speaks for the person.
    expect((await api.call('DELETE', `${path}sessions/${session.id}/`, { as: owner })).status).toBe(204);
  });

  it('leaves access as it is if they have it already and object', async () => {
    const own = await api.share(owner, asset, member);
    expect((await accept(await claimOf(await addPath()), member, { charges: 'object' })).status).toBe(201);
    expect(await sharesOf(member)).toMatchObject([
      { id: own.id, monthly_hours_allocated: own.monthly_hours_allocated },
    ]);
    expect((await shown()).shared_with.map((entry) => entry.shared_with_username)).toEqual(['ben']);
  });

  it('is refused to the owner, and stays usable', async () => {
    const token = await claimOf(await addPath());
    expect(await accept(token, owner)).toMatchObject({ status: 400, body: { code: 'share_with_self' } });
    expect((await accept(token, member)).status).toBe(201);
  });

  it('is refused to an account with access in the same month, also past, but not in another', async () => {
    const share = await api.share(owner, asset, member);
    const path = await addPath();
    const token = await claimOf(path);
    expect(await accept(token, member)).toMatchObject(overlap);
    await api.call('POST', `/api/shared-assets/${share.id}/leave/`, { as: member });
    api.clock.advance(HOUR);
    expect(await accept(token, member)).toMatchObject(overlap);
    expect((await accept(token, await api.register('zoe'))).status).toBe(201);
    api.clock.now = new Date('2026-05-10T00:00:00Z');
    const later = await addPath();
    expect((await accept(await claimOf(later), member)).status).toBe(201);
    expect(entryOf(await shown(), 'ben').person).toBe(false);
  });

  it('is refused if both have a charge in a statement of a deleted asset', async () => {
    await api.share(owner, asset, member);
    await billGrandma();
    await api.call('DELETE', `/api/assets/${asset.id}/`, { as: owner });
    api.clock.advance(73 * HOUR);
    await balances();
    const token = await claimOf(await addPath('Grandma', await api.addAsset(owner)));
    expect(await accept(token, member)).toMatchObject(overlap);
    expect((await accept(token, member, { charges: 'object' })).status).toBe(201);
  });

  it('takes the place of an open offer', async () => {
    await api.offer(owner, asset, member);
    expect((await accept(await claimOf(await addPath()), member)).status).toBe(201);
    expect(await sharesOf(member)).toMatchObject([{ status: 'accepted' }]);
  });

  it('moves all assets of that owner, and lets the name be used again', async () => {
    const path = await addPath();
    await add('Grandma', (await api.addAsset(owner, { name: 'Sauna' })).id);
    await accept(await claimOf(path), member);
    expect(await sharesOf(member)).toHaveLength(2);
    expect((await add()).status).toBe(201);
    expect((await shown()).shared_with.map((entry) => [entry.shared_with_username, entry.person])).toEqual([
      ['ben', false],
      [NAME, true],
    ]);
  });
});

describe('registering with the link', () => {
  it('claims along with it', async () => {
    const path = await billGrandma();
    await statement('2026-03');
    const token = await claimOf(path);
    const { status, body } = await registerWith({ token, charges: 'object' });
    expect(status).toBe(201);
    expect(await sharesOf(body)).toMatchObject([{ asset_name: 'Netflix Premium', status: 'accepted' }]);
    expect(await balances(body)).toEqual([]);
    expect(await read(token)).toMatchObject(dead);
  });

  it('makes no account if the link is no longer valid', async () => {
    expect(await registerWith({ token: 'x', charges: 'accept' })).toMatchObject(dead);
    expect(await api.deps.db.selectFrom('users').select('id').execute()).toHaveLength(2);
  });

  it('counts as an invitation, unless no one may register', async () => {
    const path = await addPath();
    const token = await claimOf(path);
    const closed = await openTestApi({ REGISTRATION: 'closed' });
    expect(await registerWith({ token, charges: 'accept' }, closed)).toMatchObject({ status: 403 });
    await closed.close();
    api.deps.config.REGISTRATION = 'invited';
    try {
      expect(await registerWith(undefined)).toMatchObject({ status: 403, body: { code: 'invitation_required' } });
      expect((await registerWith({ token, charges: 'accept' })).status).toBe(201);
    } finally {
      api.deps.config.REGISTRATION = undefined;
    }
  });
});

describe('a session that the owner recorded', () => {
  const recorded = async () => {
    const path = await addPath();
    api.clock.advance(HOUR * 5);
    const now = api.clock.now.getTime();
    const { body } = await record(path, new Date(now - 4 * HOUR).toISOString(), api.clock.now.toISOString());
    return { path, id: body.id };
  };
  const object = (sessionId: number) =>
    api.call('POST', `/api/assets/${asset.id}/sessions/${sessionId}/objection/`, { as: owner, body: {} });

  // It was never metered, so an objection would restore what the owner once wrote down.
  it('gets no objection by the owner once its person has joined and edits or removes it', async () => {
    const { path, id } = await recorded();
    await accept(await claimOf(path), member);
    const [share] = await sharesOf(member);
    const session = `/api/shared-assets/${share?.id}/logs/${id}/`;
    const end = new Date(api.clock.now.getTime() - 3 * HOUR).toISOString();
    expect((await api.call('PATCH', session, { as: member, body: { end_time: end } })).status).toBe(200);
    expect(await object(id)).toMatchObject({ status: 400, body: { code: 'session_not_edited' } });
    expect((await api.call('DELETE', session, { as: member })).status).toBe(204);
    expect(await object(id)).toMatchObject({ status: 400, body: { code: 'session_not_edited' } });
  });

  it("counts as the owner edits it, however late, and isn't restored", async () => {
    const { path, id } = await recorded();
    const end = (hours: number) => ({
      end_time: new Date(Date.parse('2026-03-10T12:00:00Z') + hours * HOUR).toISOString(),
    });
    api.clock.now = new Date('2026-04-03T23:59:59Z');
    expect((await api.call('PATCH', `${path}sessions/${id}/`, { as: owner, body: end(3) })).status).toBe(200);
    expect((await statement('2026-03')).edited_sessions).toMatchObject([{ objection: null }]);
    api.clock.now = new Date('2026-04-12T00:00:00Z');
    expect((await statement('2026-03')).lines[1]).toMatchObject({ used_hours: 2 });
  });

  it('is compared with what was recorded last when an edit of it is restored', async () => {
    const path = await addPath();
    api.clock.advance(HOUR * 5);
    const at = (minutes: number) => new Date(Date.parse('2026-03-10T12:00:00Z') + minutes * 60_000).toISOString();
    const times = (start: number, end: number) => ({ start_time: at(start), end_time: at(end) });
    const { body: first } = await record(path, at(60), at(120));
    await api.call('PATCH', `${path}sessions/${first.id}/`, { as: owner, body: times(120, 180) });
    await record(path, at(60), at(120));
    const removed = await record(path, at(0), at(30));
    await api.call('DELETE', `${path}sessions/${removed.body.id}/`, { as: owner });
    expect((await statement('2026-03')).edited_sessions).toMatchObject([
      { username: NAME, by_owner: true, kind: 'corrected' },
      { username: NAME, by_owner: true, kind: 'removed' },
    ]);
    await accept(await claimOf(path), member);
    expect((await statement('2026-03')).edited_sessions).toEqual([]);
    const [share] = await sharesOf(member);
    const use = (rest: string) => api.call<Session>('POST', `/api/shared-assets/${share?.id}/${rest}/`, { as: member });
    const { body: metered } = await use('start');
    api.clock.advance(HOUR);
    await use('end');
    const log = `/api/shared-assets/${share?.id}/logs/`;
    const edit = (id: number, body: object) => api.call('PATCH', `${log}${id}/`, { as: member, body });
    expect((await edit(metered.id, times(300, 301))).status).toBe(200);
    expect((await edit(first.id, times(302, 350))).status).toBe(200);
    expect((await object(metered.id)).status).toBe(201);
    await api.call('POST', `${log}${metered.id}/objection/agree/`, { as: member });
    const { results } = (await api.call<{ results: Session[] }>('GET', log, { as: member })).body;
    expect(results).toMatchObject([times(300, 360), times(120, 180), times(60, 120)]);
  });

  it('shows how it was edited on a closed statement, also to whom the charge has moved', async () => {
    const { path, id } = await recorded();
    const end = { end_time: new Date(api.clock.now.getTime() - HOUR).toISOString() };
    await api.call('PATCH', `${path}sessions/${id}/`, { as: owner, body: end });
    api.clock.now = new Date('2026-04-05T00:00:00Z');
    const { edited_sessions: edited } = await statement('2026-03');
    expect(edited).toMatchObject([{ username: NAME, by_owner: true }]);
    await accept(await claimOf(path), member);
    expect((await statement('2026-03', member)).edited_sessions).toEqual(edited);
  });

  it('was paid for by someone who has no account, so the owner can take that back at any time', async () => {
    await billGrandma();
    const { lines } = await statement('2026-03');
    const mark = (status: string) =>
      api.call('POST', `/api/statement-lines/${lines[1]?.id}/mark/`, { as: owner, body: { status } });
    expect((await mark('paid')).status).toBe(200);
    api.clock.advance(73 * HOUR);
    expect((await mark('due')).status).toBe(200);
  });
});
