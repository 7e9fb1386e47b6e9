import { Export } from '@hourshare/contract/exports';
import type { SignedIn } from '@hourshare/contract/sign-ins';
import { unzipSync } from 'fflate';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshAccess, openTestApi, type TestApi } from '../../testing/api.ts';
import { plantIdentity } from '../../testing/providers.ts';

let api: TestApi;
let owner: SignedIn;
let member: SignedIn;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(async () => {
  await api.reset();
  owner = await api.register('ana');
  member = await api.register('ben');
});
afterAll(() => api.close());

const HOUR = 3_600_000;
const IBAN = 'DE89370400440532013000';

/** A household in which both own something, with a closed month, a payment, and everything that others must not see. */
async function household() {
  const details = { methods: [{ kind: 'iban', value: IBAN, holder: 'Ana' }] };
  await api.call('PATCH', '/api/me/', { as: owner, body: { payment_details: details } });
  const asset = await api.addAsset(owner, { name: '=2+5', description: 'first; "second"\nthird' });
  const share = await api.share(owner, asset, member);
  await api.call('POST', '/api/me/access-tokens/', { as: member, body: { name: 'Report' } });
  await api.call('POST', `/api/shared-assets/${share.id}/start/`, { as: member });
  api.clock.advance(HOUR);
  await api.call('POST', `/api/shared-assets/${share.id}/end/`, { as: member });
  await api.call('POST', `/api/assets/${asset.id}/meters/`, { as: owner, body: { name: 'TV' } });
  const { token } = await api.invite(owner, asset);
  await api.billedAsset(owner, member, '2026-02');
  await api.call('POST', '/api/settlements/', { as: member, body: { username: 'ana', amount: 1 } });
  await api.call('POST', `/api/shared-assets/${share.id}/deposits/`, { as: member, body: { amount: 50 } });
  await api.call('POST', '/api/trusted-owners/', {
    as: member,
    body: { username: 'ana', monthly_amount: 1000, currency: 'USD' },
  });
  return { token };
}

const read = async (as: SignedIn) => {
  const { status, text, headers } = await api.call('GET', '/api/me/export/', { as });
  expect([status, headers['content-disposition'], headers['cache-control']]).toEqual([
    200,
    'attachment; filename="hourshare.json"',
    'no-store',
  ]);
  return { text, data: Export.parse(JSON.parse(text)) };
};

/** Unpacks a ZIP file with another library than the one that packs it. Returns each file's text by name. */
const unzip = (bytes: Buffer): Record<string, string> =>
  Object.fromEntries(
    Object.entries(unzipSync(bytes)).map(([name, content]) => [name, Buffer.from(content).toString()]),
  );
const readZip = async (as: SignedIn) => {
  const token = await freshAccess(api.deps, as);
  const response = await api.app.inject({ url: '/api/me/export/csv/', headers: { authorization: `Bearer ${token}` } });
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'application/zip']);
  return unzip(response.rawPayload);
};

describe('as JSON', () => {
  it('has everything of a member', async () => {
    await household();
    await plantIdentity(api.deps, member.user.id, 'ben-there');
    const { data } = await read(member);
    expect(data).toMatchObject({
      account: { username: 'ben', email: 'ben@example.org' },
      sign_ins: [{ ended_at: null }],
      access_tokens: [{ name: 'Report', last_used_at: null }],
      identities: [{ provider: 'google', label: 'Google', name: 'ben-there' }],
      trusted_owners: [{ username: 'ana' }],
      assets: [],
      shares: [
        { asset_name: '=2+5', owner: 'ana', allowances: [{ monthly_hours: 20 }] },
        { asset_name: 'Billed', ended_at: null },
      ],
      sessions: [{ asset_name: '=2+5', duration: 60 }],
      own_meters: [{ name: 'TV', agreed: null }],
      statements: [{ month: '2026-02', lines: [{ username: 'ben', amount: 5 }] }],
      balances: [{ username: 'ana', you_owe: 5 }],
      payments: [{ username: 'ana', amount: 1, status: 'sent' }],
      deposits: [{ username: 'ana', amount: 50, held_by: 'ana', status: 'recorded' }],
    });
  });

  it('has everything of an owner', async () => {
    await household();
    const { data } = await read(owner);
    expect(data).toMatchObject({
      account: {
        payment_details: {
          iban: IBAN,
          link: null,
          text: null,
          methods: [{ kind: 'iban', value: IBAN, holder: 'Ana' }],
        },
      },
      assets: [{ name: '=2+5', shared_with: [{ shared_with_username: 'ben' }, { pending: true }] }, { name: 'Billed' }],
      prices: [{ asset_name: '=2+5', subscription_cost: 22.99 }, { asset_name: 'Billed' }],
      asset_sessions: [{ username: 'ben', duration: 60 }],
      meters: [{ name: 'TV', members: [{ username: 'ben', agreed: null }] }],
      shares: [],
      sessions: [],
      statements: [{ month: '2026-02', lines: [{ role: 'owner' }, { username: 'ben' }] }],
      balances: [{ username: 'ben', they_owe: 5 }],
    });
  });

  it('has the months of an asset before it was handed over, and no later ones', async () => {
    const asset = await api.addAsset(owner, { name: 'Car' });
    const share = await api.share(owner, asset, member);
    await api.call('POST', `/api/shared-assets/${share.id}/start/`, { as: member });
    api.clock.advance(HOUR);
    await api.call('POST', `/api/shared-assets/${share.id}/end/`, { as: member });
    const { version } = await api.offerHandover(owner, asset.id, member, 5);
    const accepted = await api.call('POST', `/api/shared-assets/${share.id}/handover/accept/`, {
      as: member,
      body: { version },
    });
    expect(accepted.status).toBe(200);
    api.clock.now = new Date('2026-04-02T00:00:00Z');
    await api.call('PATCH', `/api/assets/${asset.id}/`, { as: member, body: { subscription_cost: 99 } });
    expect((await read(owner)).data).toMatchObject({
      assets: [],
      prices: [{ asset_id: asset.id, asset_name: 'Car', from_month: '2026-03' }],
      asset_sessions: [{ asset_id: asset.id, username: 'ben', duration: 60 }],
    });
    expect((await read(member)).data).toMatchObject({ assets: [{ name: 'Car' }], asset_sessions: [] });
  });

  it('has the security events of the user alone, with this export as the latest', async () => {
    const { data } = await read(owner);
    expect(data.security_events.map(({ event }) => event)).toEqual(['data_exported', 'signed_in', 'account_created']);
  });

  it('is whole for someone who has nothing yet', async () => {
    expect((await read(member)).data).toMatchObject({ assets: [], shares: [], statements: [], payments: [] });
  });

  it('includes lists of more than one page', async () => {
    const asset = await api.addAsset(owner);
    const share = await api.share(owner, asset, member);
    await recordMany(share.id, 450);
    const { data } = await read(member);
    expect(new Set(data.sessions.map(({ id }) => id)).size).toBe(450);
    expect((await read(owner)).data.asset_sessions).toHaveLength(450);
  });
});

/** Adds consecutive ended sessions of a minute each. */
const recordMany = (shareId: number, count: number) =>
  sql`
    insert into sessions (share_id, started_at, ended_at, ends_by)
    select ${shareId}, at, at + interval '1 minute', at + interval '1 day'
    from generate_series(0, ${count - 1}::int) n
    cross join lateral (select timestamptz '2025-06-01T00:00:00Z' + n * interval '2 minutes' as at) each`.execute(
    api.deps.db,
  );

describe('as CSV files', () => {
  it('has a file for every part, which spreadsheets read as text', async () => {
    await household();
    const files = await readZip(owner);
    expect(Object.keys(files)).toEqual(
      [
        'account',
        'sign-ins',
        'access-tokens',
        'passkeys',
        'sign-in-providers',
        'security-events',
        'trusted-owners',
        'assets',
        'members',
        'prices',
        'asset-sessions',
        'shares',
        'sessions',
        'meters',
        'own-meters',
        'costs',
        'shared-costs',
        'statements',
        'charges',
        'balances',
        'payments',
        'deposits',
        'renewals',
        'notices',
        'notice-choices',
        'notice-targets',
      ].map((name) => `${name}.csv`),
    );
    expect(files['assets.csv']).toContain(`'=2+5,"first;`);
    expect(files['members.csv']).toContain(',ben,false,false,20,1,');
    expect(files['charges.csv']?.split('\r\n')).toHaveLength(4);
    expect((await readZip(member))['trusted-owners.csv']).toMatch(
      /^\uFEFFusername,offers,since,monthly_amount,currency\r\nana,accept,[^,]+,1000,USD\r\n$/,
    );
    for (const text of Object.values(files)) {
      expect(text.startsWith('\uFEFF')).toBe(true);
      expect(text).not.toMatch(/(?:^|,)[=+@]/m);
    }
  });
});

describe('its contents', () => {
  it('include neither secrets nor the private data of others', async () => {
    const { token } = await household();
    const hashes = await sql<{ text: string }>`
      select password_hash as text from users where password_hash is not null
      union all select refresh_hash from sign_ins union all select handle from sign_ins
      union all select token_hash from invitations union all select token_hash from access_tokens`.execute(api.deps.db);
    const secrets = [token, member.refresh, owner.refresh, ...hashes.rows.map(({ text }) => text)];
    for (const [as, hidden] of [
      [member, ['ana@example.org', IBAN, 'pay.example', 'Cash in hand']],
      [owner, ['ben@example.org']],
    ] as const) {
      const all = [(await read(as)).text, ...Object.values(await readZip(as))].join('\n');
      for (const each of [...secrets, ...hidden]) expect(all).not.toContain(each);
    }
  });
});

describe('creating it', () => {
  it('is limited for each user', async () => {
    const limited = await openTestApi({ RATE_LIMIT: 'on' });
    try {
      const [lou, kim] = [await limited.register('lou'), await limited.register('kim')];
      const statuses = [];
      for (const path of ['', '', '', 'csv/', 'csv/', 'csv/', '', 'csv/'])
        statuses.push((await limited.call('GET', `/api/me/export/${path}`, { as: lou })).status);
      expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429, 429]);
      expect((await limited.call('GET', '/api/me/export/', { as: kim })).status).toBe(200);
      limited.clock.advance(HOUR);
      expect((await limited.call('GET', '/api/me/export/', { as: lou })).status).toBe(200);
    } finally {
      await limited.close();
    }
  });

  it.each([
    ['the account is deleted', () => api.deps.db.deleteFrom('users').where('id', '=', member.user.id).execute()],
    ['the user signs out', () => api.call('POST', '/api/logout/', { body: { refresh_token: member.refresh } })],
  ])('is sent at the pace of the client, and breaks off when %s in the meantime', async (_what, end) => {
    const share = await api.share(owner, await api.addAsset(owner), member);
    await recordMany(share.id, 60_000);
    if (!api.app.server.listening) await api.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = api.app.server.address() as AddressInfo;
    const headers = { authorization: `Bearer ${await freshAccess(api.deps, member)}` };
    const [response] = (await once(request({ port, path: '/api/me/export/', headers }).end(), 'response')) as [
      IncomingMessage,
    ];
    await end();
    response.resume();
    await expect(once(response, 'end')).rejects.toThrow('aborted');
  });
});
