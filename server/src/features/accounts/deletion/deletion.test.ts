import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { OwnedAsset } from '@hourshare/contract/assets';
import type { MeterWithToken } from '@hourshare/contract/meters';
import type { Balance, Settlement } from '@hourshare/contract/settlements';
import type { AssetToClaim, SharedAsset } from '@hourshare/contract/shares';
import type { Statement } from '@hourshare/contract/statements';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, TEST_PASSWORD, type TestApi } from '../../../testing/api.ts';
import { removeStandIns } from '../../shares/service.ts';
import { closeDuePeriods } from '../../statements/closing/service.ts';

let api: TestApi;
let owner: SignedIn;
let member: SignedIn;
let other: SignedIn;
beforeAll(async () => {
  api = await openTestApi();
});
const begin = async () => {
  await api.reset();
  owner = await api.register('ana');
  member = await api.register('ben');
  other = await api.register('kim');
};
beforeEach(begin);
afterAll(() => api.close());

const HOUR = 3_600_000;

const leave = (as: SignedIn, keepName: boolean, password = TEST_PASSWORD) =>
  api.call('DELETE', '/api/me/', { as, body: { current_password: password, keep_name: keepName } });
const hiddenName = ({ user }: SignedIn) => `Deleted user ${user.id}`;

const balancesOf = async (as: SignedIn) =>
  (await api.call<{ results: Balance[] }>('GET', '/api/balances/', { as })).body.results;
const statementOf = async (as: SignedIn, assetId: number, month: string) =>
  (await api.call<Statement>('GET', `/api/assets/${assetId}/statements/${month}/`, { as })).body;
const statementsIn = async (as: SignedIn, month: string) =>
  (await api.call<{ results: Statement[] }>('GET', `/api/statements/?month=${month}`, { as })).body.results;

const meter = async (as: SignedIn, share: SharedAsset, hours: number) => {
  await api.call('POST', `/api/shared-assets/${share.id}/start/`, { as });
  api.clock.advance(hours * HOUR);
  await api.call('POST', `/api/shared-assets/${share.id}/end/`, { as });
};

/** Lets March and its time for corrections pass, and closes it. */
async function closeMarch() {
  api.clock.now = new Date('2026-04-04T00:00:00Z');
  await closeDuePeriods(api.deps);
}

/** Returns every row of every table as text. */
async function everything(): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE'`.execute(api.deps.db);
  const texts = await Promise.all(
    rows.map(async ({ name }) =>
      (await sql<{ row: string }>`select to_jsonb(t)::text as row from ${sql.table(name)} t`.execute(api.deps.db)).rows
        .map(({ row }) => row)
        .join('\n'),
    ),
  );
  return texts.join('\n');
}

describe('the password', () => {
  it('must be right, or nothing changes but the count of failed attempts', async () => {
    const before = await everything();
    expect(await leave(member, false, 'wrong')).toMatchObject({
      status: 400,
      body: { code: 'wrong_password', fields: { current_password: ['Your current password is incorrect'] } },
    });
    const { numDeletedRows: failures } = await api.deps.db
      .deleteFrom('security_events')
      .where('event', '=', 'password_check_failed')
      .executeTakeFirstOrThrow();
    expect([failures, await everything()]).toEqual([1n, before]);
  });

  it("can't be guessed with a stolen access token", async () => {
    const limited = await openTestApi({ RATE_LIMIT: 'on' });
    try {
      const victim = await limited.register('lou');
      const guess = (password: string) =>
        limited.call('DELETE', '/api/me/', { as: victim, body: { current_password: password, keep_name: true } });
      for (let attempt = 0; attempt < 10; attempt++) expect((await guess('wrong')).status).toBe(400);
      expect((await guess(TEST_PASSWORD)).status).toBe(429);
    } finally {
      await limited.close();
    }
  });
});

describe('a deleted account', () => {
  it('is signed out everywhere, and no one can sign in to it', async () => {
    const body = { username: 'ben', password: TEST_PASSWORD };
    await api.call('POST', '/api/login/', { body });
    expect((await leave(member, true)).status).toBe(204);
    expect((await api.call('GET', '/api/me/', { as: member })).status).toBe(401);
    expect((await api.call('POST', '/api/token/refresh/', { body: { refresh: member.refresh } })).status).toBe(401);
    expect((await api.call('POST', '/api/login/', { body })).status).toBe(401);
    expect((await leave(member, true)).status).toBe(401);
    const told = api.deps.db.selectFrom('outbox').select('data').where('kind', '=', 'sign_ins.ended');
    expect(await told.execute()).toEqual([{ data: { handles: [expect.any(String), expect.any(String)] } }]);
  });

  it('leaves no personal data', async () => {
    const details = [
      { kind: 'iban', value: 'DE89370400440532013000', holder: 'Ben Canary', town: '8001 Canary' },
      { kind: 'link', value: 'https://pay.example/ben' },
    ];
    await api.call('PATCH', '/api/me/', {
      as: member,
      body: { payment_details: { methods: details }, time_zone: 'Asia/Tokyo', language: 'ja' },
    });
    await api.call('POST', '/api/login/', {
      body: { username: 'ben', password: TEST_PASSWORD },
      headers: { 'user-agent': 'Canary device' },
    });
    await api.call('POST', '/api/trusted-owners/', {
      as: member,
      body: { username: 'ana', monthly_amount: 1000, currency: 'USD' },
    });
    const asset = await api.addAsset(owner);
    const share = await api.share(owner, asset, member);
    await meter(member, share, 1);
    await api.billedAsset(owner, member, '2026-02');
    const meters = `/api/assets/${asset.id}/meters/`;
    const added = await api.call<MeterWithToken>('POST', meters, { as: owner, body: { name: 'Editor' } });
    const names = [{ external_name: 'ben@work.example', share_id: share.id }];
    await api.call('PUT', `${meters}${added.body.meter.id}/names/`, { as: owner, body: { names } });
    const beat = { id: 'a', name: 'ben@work.example', type: 'beat', at: api.clock.now.toISOString() };
    await api.call('POST', '/api/meters/events/', { token: added.body.token ?? '', body: { events: [beat] } });
    const canaries = [
      'ben@example.org',
      'ben@work.example',
      'ben',
      'Canary device',
      'Asia/Tokyo',
      ...details.flatMap(({ kind: _kind, ...texts }) => Object.values(texts)),
    ];
    const before = await everything();
    for (const canary of canaries) expect(before).toContain(canary);
    await leave(member, false);
    const after = await everything();
    for (const canary of canaries) expect(after).not.toContain(canary);
    expect(after).not.toMatch(/"(?:sign_in|trusted).*"user_id": ?\d/);
  });

  it('loses its access, its active session, and its offers', async () => {
    const [running, offered] = [await api.addAsset(owner), await api.addAsset(owner, { name: 'Car' })];
    const share = await api.share(owner, running, member);
    await api.offer(owner, offered, member);
    await api.call('POST', `/api/shared-assets/${share.id}/start/`, { as: member });
    api.clock.advance(HOUR);
    await leave(member, true);
    const { body } = await api.call<{ results: OwnedAsset[] }>('GET', '/api/assets/', { as: owner });
    expect(body.results.map(({ shared_with }) => shared_with)).toEqual([[], []]);
    const session = await api.deps.db.selectFrom('sessions').select('ended_at').executeTakeFirstOrThrow();
    expect(session.ended_at).toEqual(api.clock.now);
    const listed = await api.call<{ results: { username: string }[] }>('GET', `/api/assets/${running.id}/sessions/`, {
      as: owner,
    });
    expect(listed.body.results).toMatchObject([{ username: 'ben', duration: 60 }]);
  });
});

it('a deletion is told to those who owe the account something, though nothing else connects them', async () => {
  const { assetId } = await api.billedAsset(member, other, '2026-02');
  await api.deps.db.deleteFrom('assets').where('id', '=', assetId).execute();
  await leave(member, true);
  const told = api.deps.db.selectFrom('outbox').select('user_ids').where('kind', '=', 'account.deleted');
  expect(await told.execute()).toEqual([{ user_ids: [other.user.id] }]);
});

describe('the name', () => {
  it('stays on closed statements, which are the same to the byte, and is no one else’s', async () => {
    const { assetId } = await api.billedAsset(owner, member, '2026-02');
    const { assetId: own } = await api.billedAsset(member, other, '2026-02');
    const readAll = async () => [
      (await api.call('GET', `/api/assets/${assetId}/statements/2026-02/`, { as: owner })).text,
      (await statementsIn(other, '2026-02')).map((statement) => ({ ...statement, asset_id: null })),
    ];
    // Except for the hue of a face, which is of the account.
    const read = async () =>
      JSON.parse(JSON.stringify(await readAll()).replaceAll(/(hue\\*":)(?:\d|null)/g, '$1null')) as unknown;
    const before = await read();
    await leave(member, true);
    expect(await read()).toEqual(before);
    expect(own).toBeGreaterThan(0);
    for (const username of ['ben', 'BEN']) {
      const body = { username, email: 'impostor@example.org', password: TEST_PASSWORD };
      expect(await api.call('POST', '/api/register/', { body })).toMatchObject({ body: { code: 'username_taken' } });
    }
    const share = { username: 'ben', monthly_hours_allocated: 5 };
    const asset = await api.addAsset(owner);
    expect((await api.call('POST', `/api/assets/${asset.id}/share/`, { as: owner, body: share })).status).toBe(404);
    await removeStandIns(api.deps);
    const body = { username: 'ben', email: 'impostor@example.org', password: TEST_PASSWORD };
    expect((await api.call('POST', '/api/register/', { body })).status).toBe(400);
  });

  it('becomes "Deleted user" wherever others saw it, if the user chose that, and can be registered again', async () => {
    const { assetId } = await api.billedAsset(owner, member, '2026-02');
    await api.billedAsset(member, other, '2026-02');
    const [asset, mine] = [await api.addAsset(owner), await api.addAsset(member)];
    await meter(member, await api.share(owner, asset, member), 1);
    await meter(other, await api.share(member, mine, other), 1);
    await api.call('POST', '/api/settlements/', { as: member, body: { username: 'ana', amount: 1 } });
    const before = (await statementOf(owner, assetId, '2026-02')).lines;
    await leave(member, false);
    const name = hiddenName(member);
    expect((await statementOf(owner, assetId, '2026-02')).lines).toMatchObject(
      before.map((line) => (line.username === 'ben' ? { ...line, username: name, hue: null } : line)),
    );
    expect((await statementOf(owner, asset.id, '2026-03')).lines[1]).toMatchObject({ username: name, used_hours: 1 });
    expect((await statementOf(other, mine.id, '2026-03')).owner).toBe(name);
    expect(await statementsIn(other, '2026-02')).toMatchObject([{ owner: name }]);
    const payments = await api.call<{ results: Settlement[] }>('GET', '/api/settlements/', { as: owner });
    expect(payments.body.results).toMatchObject([{ username: name }]);
    expect(await balancesOf(other)).toMatchObject([{ username: name, you_owe: 5 }]);
    expect(await everything()).not.toMatch(/\bben\b/);
    expect((await api.register('ben')).user.id).not.toBe(member.user.id);
  });

  it('is hidden in the names of people without an account, too', async () => {
    const asset = await api.addAsset(owner, { split_method: 'equal' });
    const body = { name: 'Grandma', monthly_hours_allocated: 5 };
    const shared = await api.call<OwnedAsset>('POST', `/api/assets/${asset.id}/people/`, { as: owner, body });
    const path = `/api/assets/${asset.id}/share/${shared.body.shared_with[0]?.id}/`;
    await closeMarch();
    const claim = await api.call<AssetToClaim>('POST', `${path}claim/`, { as: owner });
    const token = claim.body.claim.link.replace(/^.*\//, '');
    await api.call('POST', `/api/claims/${token}/`, { as: other, body: { charges: 'accept' } });
    await leave(owner, false);
    expect((await statementsIn(other, '2026-03'))[0]?.lines).toMatchObject([
      { username: `Grandma (${hiddenName(owner)})` },
    ]);
    expect(await everything()).not.toMatch(/\bana\b/);
  });

  it('that is hidden is removed with the last asset that needs it', async () => {
    const asset = await api.addAsset(owner);
    await meter(member, await api.share(owner, asset, member), 1);
    await leave(member, false);
    await leave(owner, false);
    const standIns = async () => {
      await removeStandIns(api.deps);
      const rows = api.deps.db.selectFrom('users').select('former_id').where('former_id', 'is not', null);
      return (await rows.orderBy('former_id').execute()).map(({ former_id }) => former_id);
    };
    expect(await standIns()).toEqual([owner.user.id, member.user.id]);
    await closeMarch();
    expect(await standIns()).toEqual([]);
  });
});

describe('the open months of others', () => {
  // Ten dollars split among three leave an odd cent, which is assigned by user id.
  it.each(['equal', 'usage', 'allocation'])(
    'cost each the same as if a member had left, split by %s',
    async (split) => {
      const bill = async (end: (share: SharedAsset) => Promise<unknown>) => {
        await begin();
        const asset = await api.addAsset(owner, { subscription_cost: 10, split_method: split });
        const [share, second] = [await api.share(owner, asset, member, 7), await api.share(owner, asset, other, 11)];
        await meter(member, share, 3);
        await meter(other, second, 4);
        await end(share);
        await closeMarch();
        return (await statementOf(owner, asset.id, '2026-03')).lines.map((line) => [
          line.username,
          line.amount,
          line.odd_cents,
          line.used_seconds,
        ]);
      };
      const left = await bill((share) => api.call('POST', `/api/shared-assets/${share.id}/leave/`, { as: member }));
      expect(left.map(([, amount]) => amount).reduce((sum, amount) => Number(sum) + Number(amount), 0)).toBe(10);
      expect(await bill(() => leave(member, true))).toEqual(left);
      const hidden = await bill(() => leave(member, false));
      expect(new Set(hidden)).toEqual(
        new Set(left.map(([name, ...rest]) => [name === 'ben' ? hiddenName(member) : name, ...rest])),
      );
    },
  );

  it('cost each member the same as if the owner had deleted the asset, and stay open for corrections', async () => {
    const bill = async (end: (asset: OwnedAsset) => Promise<unknown>) => {
      await begin();
      const asset = await api.addAsset(owner, { subscription_cost: 10, split_method: 'equal' });
      const share = await api.share(owner, asset, member);
      await api.share(owner, asset, other);
      await meter(member, share, 3);
      await end(asset);
      const logs = `/api/shared-assets/${share.id}/logs/`;
      const { body } = await api.call<{ results: { id: number }[] }>('GET', logs, { as: member });
      const edit = { end_time: '2026-03-10T13:00:00.000Z' };
      expect((await api.call('PATCH', `${logs}${body.results[0]?.id}/`, { as: member, body: edit })).status).toBe(200);
      await closeMarch();
      const [statement] = await statementsIn(member, '2026-03');
      return { ...statement, lines: statement?.lines.map(({ id: _id, ...line }) => line) };
    };
    const deleted = await bill((asset) => api.call('DELETE', `/api/assets/${asset.id}/`, { as: owner }));
    expect(await bill(() => leave(owner, true))).toEqual(deleted);
    expect(deleted.lines?.[0]?.amount).toBeGreaterThan(0);
    expect(await balancesOf(member)).toMatchObject([{ username: 'ana', you_owe: deleted.lines?.[0]?.amount }]);
  });

  it("don't wait for an answer from a deleted account", async () => {
    const asset = await api.addAsset(owner);
    for (const each of [member, other]) await api.share(owner, asset, each);
    await leave(member, true);
    api.clock.now = new Date('2026-04-01T01:00:00Z');
    const path = `/api/assets/${asset.id}/statements/2026-03/`;
    expect((await api.call('POST', `${path}close/`, { as: owner })).status).toBe(400);
    await api.call('POST', `${path}confirm/`, { as: other });
    expect((await api.call('POST', `${path}close/`, { as: owner })).status).toBe(200);
  });
});

describe('what is owed', () => {
  it('can be settled under the name of a person whose charges they took over', async () => {
    const asset = await api.addAsset(owner, { subscription_cost: 20, split_method: 'equal' });
    const add = async () => {
      const body = { name: 'Gran', monthly_hours_allocated: 20 };
      const added = await api.call<OwnedAsset>('POST', `/api/assets/${asset.id}/people/`, { as: owner, body });
      return added.body.shared_with.find((entry) => entry.person)?.id;
    };
    const shareId = await add();
    await closeMarch();
    const made = await api.call<AssetToClaim>('POST', `/api/assets/${asset.id}/share/${shareId}/claim/`, { as: owner });
    const token = made.body.claim.link.replace(/^.*\//, '');
    expect((await api.call('POST', `/api/claims/${token}/`, { as: member, body: { charges: 'accept' } })).status).toBe(
      201,
    );
    await leave(member, true);
    await add();
    const [balance] = await balancesOf(owner);
    expect(balance).toMatchObject({ username: 'Gran (ana)', account_deleted: true });
    const body = { username: 'Gran (ana)', amount: balance?.they_owe };
    expect((await api.call('POST', '/api/settlements/', { as: owner, body })).status).toBe(201);
    expect(await balancesOf(owner)).toEqual([]);
  });

  it.each([true, false])('stays with both people, who act alone from then on (name kept: %s)', async (keepName) => {
    await api.billedAsset(owner, member, '2026-02');
    await api.billedAsset(member, other, '2026-02');
    await leave(member, keepName);
    const username = keepName ? 'ben' : hiddenName(member);
    expect(await balancesOf(owner)).toMatchObject([{ username, they_owe: 5, payment_details: null }]);
    expect(await balancesOf(other)).toMatchObject([{ username, you_owe: 5, payment_details: null }]);
    for (const as of [owner, other]) {
      const paid = await api.call<Settlement>('POST', '/api/settlements/', { as, body: { username } });
      expect(paid).toMatchObject({ status: 201, body: { username, amount: 5, status: 'paid' } });
      expect(await balancesOf(as)).toEqual([]);
    }
  });

  it('includes a payment marked as sent, which the other person can still confirm', async () => {
    await api.billedAsset(owner, member, '2026-02');
    const sent = await api.call<Settlement>('POST', '/api/settlements/', { as: member, body: { username: 'ana' } });
    await leave(member, false);
    const path = `/api/settlements/${sent.body.id}/confirm/`;
    expect(await api.call('POST', path, { as: owner })).toMatchObject({ status: 200, body: { status: 'paid' } });
    expect(await balancesOf(owner)).toEqual([]);
  });
});
