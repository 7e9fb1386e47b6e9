import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { OwnedAsset } from '@hourshare/contract/assets';
import { INVITATION_DAYS, OPEN_INVITATIONS_MAX } from '@hourshare/contract/limits';
import type { Invitation, InvitedAsset, SharedAsset } from '@hourshare/contract/shares';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildApp } from '../../../app.ts';
import { createLog } from '../../../platform/log.ts';
import { openTestApi, TEST_PASSWORD, type Answer, type CallOptions, type TestApi } from '../../../testing/api.ts';
import { deleteExpiredInvitations } from './service.ts';

let api: TestApi;
let owner: SignedIn;
let member: SignedIn;
let asset: OwnedAsset;
beforeAll(async () => {
  api = await openTestApi({ APP_URL: 'https://hours.example.org' });
});
beforeEach(async () => {
  await api.reset();
  owner = await api.register('mira');
  member = await api.register('ben');
  asset = await api.addAsset(owner);
});
afterAll(() => api.close());

const DAY = 24 * 3_600_000;

const DEAD = {
  status: 404,
  body: { error: 'This invitation is no longer valid. Ask for a new link.', code: 'invitation_not_found' },
};

const create = (options: CallOptions = {}) =>
  api.call<InvitedAsset>('POST', `/api/assets/${asset.id}/invitations/`, {
    as: owner,
    body: { monthly_hours_allocated: 20 },
    ...options,
  });
const read = (token: string) => api.call<Invitation>('GET', `/api/invitations/${token}/`);
const accept = (token: string, caller: SignedIn, body: object = {}) =>
  api.call<SharedAsset>('POST', `/api/invitations/${token}/`, { as: caller, body });
const revoke = (id: number, caller = owner, assetId = asset.id) =>
  api.call<OwnedAsset>('DELETE', `/api/assets/${assetId}/invitations/${id}/`, { as: caller });
const sharedWith = async () =>
  (await api.call<OwnedAsset>('GET', `/api/assets/${asset.id}/`, { as: owner })).body.shared_with;
const registerWith = (invitation?: string, name = 'kim', on = api) =>
  on.call<SignedIn>('POST', '/api/register/', {
    body: { username: name, email: `${name}@example.org`, password: TEST_PASSWORD, invitation },
  });
const users = async () => (await api.deps.db.selectFrom('users').select('username').orderBy('id').execute()).length;
const archive = (archived: boolean) => api.call('PATCH', `/api/assets/${asset.id}/`, { as: owner, body: { archived } });

describe('creating an invitation', () => {
  it('returns the asset with a pending entry, and the link to pass on', async () => {
    const { status, body } = await create();
    expect(status).toBe(201);
    const { invitation, ...asset } = body;
    expect(asset).toMatchObject({ name: 'Netflix Premium', owner: 'mira' });
    expect(asset.shared_with).toEqual([
      {
        id: invitation.id,
        pending: true,
        invitation_id: invitation.id,
        shared_with_username: null,
        hue: null,
        person: false,
        manager: false,
        claim_expires_at: null,
        monthly_hours_allocated: null,
        usage_this_month: null,
        active_session: null,
        active_since: null,
        expires_at: '2026-03-17T12:00:00.000Z',
        accepted: false,
        starts_on: null,
        agreed: null,
        asked: false,
        unconfirmed: false,
      },
    ]);
    expect(invitation).toEqual({
      id: expect.any(Number) as number,
      link: expect.stringMatching(/^https:\/\/hours\.example\.org\/invite\/[\w-]{43,}$/) as string,
      expires_at: '2026-03-17T12:00:00.000Z',
      monthly_hours_allocated: 20,
    });
  });

  it('names the host of the request where no address is configured', async () => {
    const plain = await openTestApi();
    const caller = await plain.register('mira');
    const { id } = await plain.addAsset(caller);
    const make = async (host: string) => {
      const options = { as: caller, body: { monthly_hours_allocated: 1 }, headers: { host } };
      return (await plain.call<InvitedAsset>('POST', `/api/assets/${id}/invitations/`, options)).body.invitation.link;
    };
    expect(await make('hours.lan:3000')).toMatch(/^http:\/\/hours\.lan:3000\/invite\//);
    expect(await make('"evil"')).toMatch(/^\/invite\//);
    await plain.close();
  });

  it('shows the link only once, and stores nothing that leads to it', async () => {
    const { body } = await create({ headers: { 'idempotency-key': 'one' } });
    const token = body.invitation.link.replace(/^.*\//, '');
    expect((await read(token)).status).toBe(200);
    const texts = [JSON.stringify(await sharedWith())];
    for (const table of ['invitations', 'idempotency_keys', 'assets', 'shares'] as const)
      texts.push(JSON.stringify(await api.deps.db.selectFrom(table).selectAll().execute()));
    for (const text of texts) expect(text).not.toContain(token);
    expect(texts[2]).not.toContain('invite');
  });

  it('answers a repeated key with the same link, and makes no other invitation', async () => {
    const options = { headers: { 'idempotency-key': 'one' } };
    const first = await create(options);
    expect((await create(options)).text).toBe(first.text);
    expect(await sharedWith()).toHaveLength(1);
    const other = await create({ ...options, body: { monthly_hours_allocated: 5 } });
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
  });

  it('keeps no answer that another secret could read', async () => {
    const options = { headers: { 'idempotency-key': 'one' } };
    await create(options);
    await api.deps.db.updateTable('idempotency_keys').set({ body: 'AAAA' }).execute();
    expect(await create(options)).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
  });

  it('makes a different link each time', async () => {
    const links = await Promise.all(Array.from({ length: 5 }, () => create()));
    expect(new Set(links.map(({ body }) => body.invitation.link)).size).toBe(5);
  });

  it.each([0, 745, 1.5, '5', null, undefined])('rejects %j hours', async (hours) => {
    const answer = await create({ body: { monthly_hours_allocated: hours } });
    expect(answer).toMatchObject({
      status: 400,
      body: { fields: { monthly_hours_allocated: ['Monthly hours must be a whole number from 1 to 744'] } },
    });
    expect(await sharedWith()).toEqual([]);
  });

  it('is refused for an archived asset', async () => {
    await archive(true);
    expect(await create()).toMatchObject({ status: 400, body: { code: 'asset_archived' } });
  });

  it('is bounded per asset; expired and revoked ones make room', async () => {
    const made = [];
    for (let n = 0; n < OPEN_INVITATIONS_MAX; n++) made.push((await create()).body.invitation.id);
    expect(await create()).toMatchObject({ status: 400, body: { code: 'too_many_invitations' } });
    await revoke(made[0]!);
    expect((await create()).status).toBe(201);
    expect((await create()).status).toBe(400);
    api.clock.advance(INVITATION_DAYS * DAY);
    expect((await create()).status).toBe(201);
  });

  it('gives entries ids that no share has', async () => {
    const { id } = await api.invite(owner, asset);
    const share = await api.share(owner, asset, member);
    const second = await api.invite(owner, asset);
    expect((await sharedWith()).map((entry) => [entry.id, entry.invitation_id])).toEqual([
      [id, id],
      [share.id, null],
      [second.id, second.id],
    ]);
    for (const [method, body] of [
      ['DELETE', undefined],
      ['PATCH', { monthly_hours_allocated: 5 }],
    ] as const)
      expect((await api.call(method, `/api/assets/${asset.id}/share/${id}/`, { as: owner, body })).status).toBe(404);
    expect((await revoke(share.id)).status).toBe(404);
    expect(await sharedWith()).toHaveLength(3);
  });
});

describe('reading an invitation', () => {
  it('shows anyone with the link what is offered', async () => {
    await api.call('PATCH', `/api/assets/${asset.id}/`, {
      as: owner,
      body: { currency: 'EUR', subscription_cost: 22.99, base_percent: 25, owner_hours: 10 },
    });
    await api.share(owner, asset, member);
    const { token } = await api.invite(owner, asset, 12);
    expect(await read(token)).toMatchObject({
      status: 200,
      body: {
        asset_name: 'Netflix Premium',
        owner: 'mira',
        monthly_hours_allocated: 12,
        price: 22.99,
        currency: 'EUR',
        split_method: 'usage',
        base_percent: 25,
        owner_hours: 10,
        members: 1,
        expires_at: '2026-03-17T12:00:00.000Z',
        measured: true,
        // Of $22.99, a quarter by allowance, the rest by use: 12 of 42 h.
        terms: { price: 22.99, total_hours: 42, places: 3, monthly_hours: 12 },
        cost_of_all: 6.57,
        starts_on: null,
        next_terms: null,
        next_price: null,
      },
    });
  });

  it('shows what differs in later months, which is compared with what was seen', async () => {
    await api.share(owner, asset, member);
    const { token } = await api.invite(owner, asset);
    const newcomer = { username: 'kim', email: 'kim@example.org', password: TEST_PASSWORD, invitation: token };
    const join = (seen: object) => api.call('POST', '/api/register/', { body: { ...newcomer, seen } });
    const body = { from_month: '2026-05', subscription_cost: 30 };
    await api.call('POST', `/api/assets/${asset.id}/prices/`, { as: owner, body });
    await api.call('PATCH', `/api/assets/${asset.id}/`, { as: owner, body: { base_percent: 100 } });
    const { next_terms, next_price } = (await read(token)).body;
    expect(next_terms).toMatchObject({ from_month: '2026-04', base_percent: 100 });
    expect(next_price).toEqual({ from_month: '2026-05', price: 30 });
    const changed = { status: 409, body: { code: 'offer_changed' } };
    for (const seen of [{ next_price: null }, { next_price, next_terms: null }])
      expect(await join(seen)).toMatchObject(changed);
    expect((await join({ next_terms, next_price })).status).toBe(201);
  });

  it('tells the price of the current month, even if no one has signed in since it began', async () => {
    const { token } = await api.invite(owner, asset);
    await api.call('POST', `/api/assets/${asset.id}/prices/`, {
      as: owner,
      body: { from_month: '2026-04', subscription_cost: 30 },
    });
    await sql`update invitations set expires_at = '2027-01-01'`.execute(api.deps.db);
    api.clock.advance(100 * DAY);
    expect((await read(token)).body.price).toBe(30);
  });

  it('answers the same for used, revoked, expired, and unknown ones', async () => {
    const used = await api.invite(owner, asset);
    const revoked = await api.invite(owner, asset);
    const expired = await api.invite(owner, asset);
    const other = await api.addAsset(owner);
    const deleted = await api.invite(owner, other);
    await accept(used.token, member);
    await revoke(revoked.id);
    await api.call('DELETE', `/api/assets/${other.id}/`, { as: owner });
    api.clock.advance(INVITATION_DAYS * DAY - 1);
    expect((await read(expired.token)).status).toBe(200);
    api.clock.advance(1);
    const stranger = await api.register('zoe');
    for (const token of [used.token, revoked.token, expired.token, deleted.token, 'x', '%00', '__proto__']) {
      const answers: Answer[] = [await read(token), await accept(token, stranger)];
      for (const { status, body } of answers) expect({ status, body }).toEqual(DEAD);
    }
  });

  it('says so while the asset is archived, and works again once it is restored', async () => {
    const { token } = await api.invite(owner, asset);
    await archive(true);
    const paused = {
      status: 400,
      body: { error: 'This asset is archived. Ask its owner to restore it.', code: 'asset_archived' },
    };
    expect(await read(token)).toMatchObject(paused);
    expect(await accept(token, member)).toMatchObject(paused);
    expect(await registerWith(token)).toMatchObject(paused);
    await archive(false);
    expect((await accept(token, member)).status).toBe(201);
  });

  it('limits failures by network, and leaves other networks alone', async () => {
    const limited = await openTestApi({ RATE_LIMIT: 'on' });
    const from = (remoteAddress: string) => limited.call('GET', '/api/invitations/guess/', { remoteAddress });
    for (let n = 0; n < 60; n++) expect((await from('192.0.2.1')).status).toBe(404);
    expect((await from('192.0.2.1')).status).toBe(429);
    expect((await from('192.0.2.2')).status).toBe(404);
    await limited.close();
  });

  it('never puts the token into a log or a Referer', async () => {
    let log = '';
    const write = (line: string) => void (log += line);
    const app = await buildApp({ ...api.deps, log: createLog('trace', { write }) });
    const { token } = await api.invite(owner, asset);
    const readLogged = () => app.inject({ url: `/api/invitations/${token}/` });
    expect(await readLogged()).toMatchObject({ statusCode: 200, headers: { 'referrer-policy': 'no-referrer' } });
    expect((await app.inject({ url: `/invite/${token}` })).headers['referrer-policy']).toBe('no-referrer');
    await sql`alter table invitations rename to hidden`.execute(api.deps.db);
    expect((await readLogged()).statusCode).toBe(500);
    await sql`alter table hidden rename to invitations`.execute(api.deps.db);
    await app.close();
    expect(log).toContain('/api/invitations/:token/');
    expect(log).not.toContain(token);
  });
});

describe('accepting an invitation', () => {
  it('gives access at once, and uses it up', async () => {
    const { token } = await api.invite(owner, asset, 12);
    const { status, body } = await accept(token, member);
    expect(status).toBe(201);
    expect(body).toMatchObject({ asset_name: 'Netflix Premium', status: 'accepted', monthly_hours_allocated: 12 });
    expect(await sharedWith()).toMatchObject([
      { id: body.id, pending: false, invitation_id: null, shared_with_username: 'ben', monthly_hours_allocated: 12 },
    ]);
    expect((await api.call('POST', `/api/shared-assets/${body.id}/start/`, { as: member })).status).toBe(201);
    const allowances = await api.deps.db.selectFrom('allowances').selectAll().execute();
    const hours = { monthly_hours: 12, agreed_hours: 12, counted_hours: 12 };
    expect(allowances).toEqual([{ share_id: body.id, since: api.clock.now, ...hours }]);
    expect(await accept(token, await api.register('zoe'))).toMatchObject(DEAD);
  });

  it('is refused to its owner, and stays usable', async () => {
    const { token } = await api.invite(owner, asset);
    expect(await accept(token, owner)).toMatchObject({
      status: 400,
      body: { code: 'share_with_self', error: 'This is your own asset. Pass the link on to someone else.' },
    });
    expect((await accept(token, member)).status).toBe(201);
  });

  it('is refused to a member, and stays usable', async () => {
    await api.share(owner, asset, member, 5);
    const { token } = await api.invite(owner, asset);
    expect(await accept(token, member)).toMatchObject({
      status: 400,
      body: { code: 'already_shared', error: 'You already have access to this asset.' },
    });
    expect((await accept(token, await api.register('zoe'))).status).toBe(201);
  });

  it('takes the place of an open or expired offer', async () => {
    for (const wait of [0, 20 * DAY]) {
      const other = await api.addAsset(owner);
      await api.offer(owner, other, member, 5);
      api.clock.advance(wait);
      const { token } = await api.invite(owner, other, 12);
      expect((await accept(token, member)).body).toMatchObject({ status: 'accepted', monthly_hours_allocated: 12 });
      const list = await api.call<{ results: SharedAsset[] }>('GET', '/api/shared-assets/', { as: member });
      expect(list.body.results.filter((share) => share.asset.id === other.id)).toHaveLength(1);
    }
  });

  // The owner raises the price while the other side reads what is offered.
  it('is refused if it costs more than was seen, and stays usable', async () => {
    const { token } = await api.invite(owner, asset);
    const { terms, price } = (await read(token)).body;
    const put = (cost: number) =>
      api.call('PATCH', `/api/assets/${asset.id}/`, { as: owner, body: { subscription_cost: cost } });
    await put(23);
    for (const seen of [{ terms }, { price }])
      expect(await accept(token, member, seen)).toMatchObject({ status: 409, body: { code: 'offer_changed' } });
    await put(5);
    expect(await accept(token, member, { terms, price })).toMatchObject({
      status: 201,
      body: { agreed: { price: 5 } },
    });
  });

  it('answers a repeated key with the same share', async () => {
    const { token } = await api.invite(owner, asset);
    const options = { as: member, body: {}, headers: { 'idempotency-key': 'one' } };
    const first = await api.call('POST', `/api/invitations/${token}/`, options);
    expect(await api.call('POST', `/api/invitations/${token}/`, options)).toMatchObject({
      status: 201,
      text: first.text,
    });
  });
});

describe('revoking an invitation', () => {
  it('returns the asset without it', async () => {
    const { id, token } = await api.invite(owner, asset);
    expect(await revoke(id)).toMatchObject({ status: 200, body: { id: asset.id, shared_with: [] } });
    expect(await revoke(id)).toMatchObject({ status: 404, body: { error: 'Invitation not found.' } });
    expect(await read(token)).toMatchObject(DEAD);
  });

  it('is for the owner, and under the asset it is for', async () => {
    const { id, token } = await api.invite(owner, asset);
    const other = await api.addAsset(owner);
    expect((await revoke(id, member)).status).toBe(404);
    expect((await revoke(id, owner, other.id)).status).toBe(404);
    expect((await read(token)).status).toBe(200);
  });
});

it('expired invitations are deleted by the schedule, open ones are not', async () => {
  await api.invite(owner, asset);
  api.clock.advance(DAY);
  const { id } = await api.invite(owner, asset);
  api.clock.advance((INVITATION_DAYS - 1) * DAY);
  await deleteExpiredInvitations(api.deps);
  expect(await api.deps.db.selectFrom('invitations').select('id').execute()).toEqual([{ id }]);
});

describe('registering with an invitation', () => {
  it('creates the account with access', async () => {
    const { token } = await api.invite(owner, asset, 12);
    const { status, body: newcomer } = await registerWith(token);
    expect(status).toBe(201);
    const { body } = await api.call<{ results: SharedAsset[] }>('GET', '/api/shared-assets/', { as: newcomer });
    expect(body.results).toMatchObject([{ status: 'accepted', monthly_hours_allocated: 12, owner: 'mira' }]);
    expect(await read(token)).toMatchObject(DEAD);
  });

  it('registers no one with a dead one', async () => {
    const { id, token } = await api.invite(owner, asset);
    await revoke(id);
    const before = await users();
    for (const dead of [token, '', 'x', '\u0000']) {
      const { status, body } = await registerWith(dead);
      expect({ status, body }).toEqual(DEAD);
    }
    expect(await users()).toBe(before);
    expect((await registerWith()).status).toBe(201);
  });

  it("doesn't reveal which names are taken to someone with a dead one", async () => {
    expect(await registerWith('x', 'ben')).toMatchObject(DEAD);
  });

  it('creates no account if it costs more than was seen', async () => {
    const { token } = await api.invite(owner, asset, 12);
    const { monthly_hours_allocated, price, terms } = (await read(token)).body;
    const seen = { monthly_hours_allocated, price };
    await api.call('PATCH', `/api/assets/${asset.id}/`, { as: owner, body: { subscription_cost: 99 } });
    const body = { username: 'kim', email: 'kim@example.org', password: TEST_PASSWORD, invitation: token };
    const before = await users();
    for (const known of [seen, { terms }])
      expect(await api.call('POST', '/api/register/', { body: { ...body, seen: known } })).toMatchObject({
        status: 409,
        body: { code: 'offer_changed' },
      });
    expect(await users()).toBe(before);
    expect((await api.call('POST', '/api/register/', { body: { ...body, seen: { ...seen, price: 99 } } })).status).toBe(
      201,
    );
  });

  it('leaves the invitation usable if the name is taken or the password is weak', async () => {
    const { token } = await api.invite(owner, asset);
    expect(await registerWith(token, 'ben')).toMatchObject({ status: 400, body: { code: 'username_taken' } });
    const body = { username: 'kim', email: 'kim@example.org', password: 'password', invitation: token };
    expect((await api.call('POST', '/api/register/', { body })).status).toBe(400);
    expect((await registerWith(token)).status).toBe(201);
  });
});

describe('REGISTRATION', () => {
  /** Opens a server of this kind, with an owner from before it became one. */
  async function serverWith(registration: string) {
    const server = await openTestApi({ REGISTRATION: registration });
    const configured = server.deps.config.REGISTRATION;
    server.deps.config.REGISTRATION = 'open';
    const caller = await server.register('mira');
    const owned = await server.addAsset(caller);
    server.deps.config.REGISTRATION = configured;
    return { server, caller, owned };
  }

  it.each(['open', 'invited', 'closed'])('is told to clients: %s', async (registration) => {
    const { server } = await serverWith(registration);
    expect(await server.call('GET', '/api/about/')).toMatchObject({ body: { contact: null, registration } });
    await server.close();
  });

  it('is open unless set', async () => {
    expect(await api.call('GET', '/api/about/')).toMatchObject({ body: { registration: 'open' } });
  });

  it('invited takes only people with a live invitation', async () => {
    const { server, caller, owned } = await serverWith('invited');
    const { token } = await server.invite(caller, owned);
    expect(await registerWith(undefined, 'kim', server)).toMatchObject({
      status: 403,
      body: { code: 'invitation_required' },
    });
    expect(await registerWith('x', 'kim', server)).toMatchObject(DEAD);
    expect((await registerWith(token, 'kim', server)).status).toBe(201);
    expect(await registerWith(token, 'lou', server)).toMatchObject(DEAD);
    await server.close();
  });

  it('closed takes no one, and existing users can still accept invitations', async () => {
    const { server, caller, owned } = await serverWith('closed');
    server.deps.config.REGISTRATION = 'open';
    const known = await server.register('ben');
    server.deps.config.REGISTRATION = 'closed';
    const { token } = await server.invite(caller, owned);
    for (const invitation of [undefined, token])
      expect(await registerWith(invitation, 'kim', server)).toMatchObject({
        status: 403,
        body: { code: 'registration_closed' },
      });
    expect((await server.call('POST', `/api/invitations/${token}/`, { as: known })).status).toBe(201);
    await server.close();
  });
});
