import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { Statement } from '@hourshare/contract/statements';
import { endpoints } from '@hourshare/contract/endpoints';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAdministrator } from './testing/administrators.ts';
import { openTestApi, type Answer, type TestApi } from './testing/api.ts';
import { hashToken } from './platform/tokens.ts';
import { everyCase } from './testing/every-case.ts';
import { kept } from './testing/kept.ts';
import { validBodies } from './testing/named-calls.ts';
import { plantIdentity } from './testing/providers.ts';
import { NOTICE_TARGET, PUSH_SUBSCRIPTION } from './testing/successes.ts';
import { HANG_MILLISECONDS, randomRuns } from './testing/thorough.ts';
import { sql } from 'kysely';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

const calls = Object.keys(validBodies);
const isOwnerCall = (call: string) => call.includes(' /api/assets/');
const isMemberCall = (call: string) => call.includes(' /api/shared-assets/');
/** Calls that both the owner and a member may make, each seeing their own part. */
const isSharedCall = (call: string) =>
  call.startsWith('GET /api/assets/{id}/statements/') ||
  call.includes('-lines/') ||
  call.endsWith('{month}/confirm/') ||
  isPaymentCall(call) ||
  isDepositCall(call);
const isSignInCall = (call: string) => call.includes(' /api/me/sign-ins/');
const isTokenCall = (call: string) => call.includes(' /api/me/access-tokens/');
const isPasskeyCall = (call: string) => call.includes(' /api/me/passkeys/');
const isIdentityCall = (call: string) => call.includes(' /api/me/identities/');
const isBrowserCall = (call: string) => call.includes(' /api/push/subscriptions/');
const isTargetCall = (call: string) => call.includes(' /api/notifications/targets/');
const isAdministratorCall = (call: string) => call.includes(' /api/administration/');
const isPaymentCall = (call: string) => call.includes(' /api/settlements/');
const isDepositCall = (call: string) => call.includes(' /api/deposits/');

const BILLED_MONTH = '2026-02';

/** The first household's share, the second one created after a reset. */
const SHARE = 2;

/** The share and the session of its person without an account. */
const GUEST_SHARE = 3;
const GUEST_SESSION = 3;
const isPersonCall = (call: string) => /\{share_id\}\/(?:claim|sessions)\//.test(call);

const INVITATION = 1_000_001;

/** Ids of sign-ins and access tokens start after this one. */
const ACCOUNT_IDS = 2_000_000;

/** Ids of passkeys start after this one. */
const PASSKEYS = 3_000_000;
const IDENTITIES = 4_000_000;
const BROWSERS = 5_000_000;
/** The first meter has a token; of the second, each member makes one. */
const METERS = 6_000_000;
const TARGETS = 7_000_000;
/** The first is held, the second waits to be confirmed. */
const DEPOSITS = 9_000_000;
/** The first cost is the owner's, the second the member's. */
const COSTS = 8_000_000;
const costOf = (call: string) => COSTS + (isMemberCall(call) !== call.endsWith('/answer/') ? 2 : 1);

type Ids = Record<string, string | number>;

/** What a call about the first household has in its path besides its first id. */
const idsOf = (call: string): Ids => ({
  share_id: isPersonCall(call) ? GUEST_SHARE : SHARE,
  session_id: isPersonCall(call) ? GUEST_SESSION : 1,
  invitation_id: INVITATION,
  meter_id: METERS + (isMemberCall(call) && call.endsWith('/token/') ? 2 : 1),
  cost_id: costOf(call),
  month: BILLED_MONTH,
});

const fill = (template: string, ids: Ids) =>
  template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(ids[name] ?? whole));

const askAt = (call: string, ids: Ids, caller?: SignedIn): Promise<Answer> => {
  const [method = '', template = ''] = call.split(' ');
  const body = validBodies[call];
  const options = { ...(caller ? { as: caller } : {}), ...(body ? { body } : {}) };
  return api.call(method, fill(template, { ...idsOf(call), ...ids }), options);
};
const ask = (call: string, id: string | number, caller?: SignedIn) => askAt(call, { id }, caller);

/** Returns whether ids lead to another call: the client resolves ids of dots as relative paths. */
const isAnotherCall = (call: string, ids: Ids) => {
  const [method = '', template = ''] = call.split(' ');
  const { pathname } = new URL(fill(template, ids), 'http://localhost');
  return `${method} ${pathname.replaceAll('%7B', '{').replaceAll('%7D', '}')}` in endpoints;
};

/** Every place of an id in a path, such as "/api/assets/{id}", with the calls that have it. */
const places = new Map<string, { place: string; name: string; calls: string[] }>();
for (const call of calls)
  for (const { 0: whole, 1: name = '', index } of call.matchAll(/\{(\w*id)\}/g)) {
    const place = call.slice(call.indexOf('/'), index + whole.length);
    const known = places.get(place) ?? { place, name, calls: [] };
    known.calls.push(call);
    places.set(place, known);
  }

const range = (first: number, count: number) => Array.from({ length: count }, (_, n) => first + n);

/**
 * Creates two owners, each with a member and an active session on every share, and users without access. Ids of assets,
 * shares, and users differ, so that using one in place of another can't find the right row by chance.
 */
async function createHouseholds() {
  for (const table of ['sign_ins', 'access_tokens'])
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${ACCOUNT_IDS})`.execute(api.deps.db);
  await sql`select setval(pg_get_serial_sequence('identities', 'id'), ${IDENTITIES})`.execute(api.deps.db);
  const [owner, member, otherOwner, otherMember, stranger] = (await Promise.all(
    ['mira', 'ben', 'ida', 'kim', 'lou'].map((name) => api.register(name)),
  )) as [SignedIn, SignedIn, SignedIn, SignedIn, SignedIn];
  const { user: bystander } = await api.register('zoe');
  const administrator = await addAdministrator(api, 'ada');
  for (const _ of range(0, 20)) await api.addAsset(otherOwner);
  const cycle = { every: 1, unit: 'year', anchor: '2026-03-20' };
  const asset = await api.addAsset(owner, { subscription_cost: 120, cycle });
  const other = await api.addAsset(otherOwner);
  const otherShare = await api.share(otherOwner, other, otherMember);
  const share = await api.share(owner, asset, member);
  const person = { name: 'Grandma', monthly_hours_allocated: 5 };
  await api.call('POST', `/api/assets/${asset.id}/people/`, { as: owner, body: person });
  const invitation = {
    asset_id: asset.id,
    maker_id: owner.user.id,
    monthly_hours_allocated: 5,
    created_at: api.clock.now,
  };
  const expires_at = new Date('2030-01-01T00:00:00Z');
  await api.deps.db
    .insertInto('invitations')
    .values({ ...invitation, id: INVITATION, token_hash: hashToken('a token that only tests know'), expires_at })
    .execute();
  // Both assets start in the month before, which is closed and has lines of the owner and the member.
  const created = { created_at: new Date(`${BILLED_MONTH}-01T00:00:00.000Z`) };
  await api.deps.db.updateTable('assets').set(created).execute();
  await addEarlierPeriods();
  await api.deps.db
    .updateTable('shares')
    .set({ ...created, accepted_at: created.created_at })
    .execute();
  await api.deps.db.updateTable('allowances').set({ since: created.created_at }).execute();
  await readClosedStatement(otherOwner, other.id);
  const line = (await readClosedStatement(owner, asset.id)).lines[1]?.id ?? Number.NaN;
  for (const [id, caller] of [
    [share.id, member],
    [otherShare.id, otherMember],
  ] as const)
    await api.call('POST', `/api/shared-assets/${id}/start/`, { as: caller });
  const recorded = { start_time: '2026-03-09T10:00:00Z', end_time: '2026-03-09T11:00:00Z' };
  await api.call('POST', `/api/assets/${asset.id}/share/${GUEST_SHARE}/sessions/`, { as: owner, body: recorded });
  const billed = await api.billedAsset(owner, member, BILLED_MONTH);
  await sql`select setval(pg_get_serial_sequence('meters', 'id'), ${METERS})`.execute(api.deps.db);
  for (const per_member of [false, true])
    await api.call('POST', `/api/assets/${asset.id}/meters/`, { as: owner, body: { name: 'TV', per_member } });
  const agreed = { as: member, body: { agreed: true } };
  await api.call('POST', `/api/shared-assets/${share.id}/meters/${METERS + 2}/`, agreed);
  await sql`select setval(pg_get_serial_sequence('costs', 'id'), ${COSTS})`.execute(api.deps.db);
  for (const [path, as] of [
    [`/api/assets/${asset.id}/costs/`, owner],
    [`/api/shared-assets/${share.id}/costs/`, member],
  ] as const)
    await api.call('POST', path, { as, body: { text: 'Fuel', amount: 5 } });
  await sql`select setval(pg_get_serial_sequence('deposits', 'id'), ${DEPOSITS})`.execute(api.deps.db);
  for (const _ of range(0, 2))
    await api.call('POST', `/api/shared-assets/${share.id}/deposits/`, { as: member, body: { amount: 50 } });
  await api.call('POST', `/api/deposits/${DEPOSITS + 1}/confirm/`, { as: owner });
  const payment = { username: owner.user.username, lines: [billed.lineId] };
  const sent = await api.call<{ id: number }>('POST', '/api/settlements/', { as: member, body: payment });
  const accessToken = await api.call<{ id: number }>('POST', '/api/me/access-tokens/', {
    as: owner,
    body: { name: 'Report' },
  });
  const signIn = await api.deps.db
    .selectFrom('sign_ins')
    .select('id')
    .where('user_id', '=', owner.user.id)
    .executeTakeFirstOrThrow();
  await sql`select setval(pg_get_serial_sequence('passkeys', 'id'), ${PASSKEYS})`.execute(api.deps.db);
  const { added: passkey } = await api.addPasskey(owner);
  const identity = await plantIdentity(api.deps, owner.user.id, 'mira-there');
  await sql`select setval(pg_get_serial_sequence('push_subscriptions', 'id'), ${BROWSERS})`.execute(api.deps.db);
  const browser = await api.call<{ id: number }>('POST', '/api/push/subscriptions/', {
    as: owner,
    body: PUSH_SUBSCRIPTION,
  });
  await sql`select setval(pg_get_serial_sequence('notice_targets', 'id'), ${TARGETS})`.execute(api.deps.db);
  const target = await api.call<{ id: number }>('POST', '/api/notifications/targets/', {
    as: owner,
    body: NOTICE_TARGET,
  });
  const idOf = (call: string) => {
    if (isPasskeyCall(call)) return passkey.id;
    if (isSignInCall(call)) return signIn.id;
    if (isTokenCall(call)) return accessToken.body.id;
    if (isIdentityCall(call)) return identity;
    if (isBrowserCall(call)) return browser.body.id;
    if (isTargetCall(call)) return target.body.id;
    if (isAdministratorCall(call)) return bystander.id;
    if (isDepositCall(call)) return DEPOSITS + (call.endsWith('/return/') ? 1 : 2);
    return isOwnerCall(call) ? asset.id : isMemberCall(call) ? share.id : isPaymentCall(call) ? sent.body.id : line;
  };
  const allowed = (call: string) => {
    if (isAdministratorCall(call)) return administrator;
    return isMemberCall(call) || call.endsWith('/undo/') ? member : owner;
  };
  return { owner, member, otherOwner, otherMember, stranger, asset, billed, share, otherShare, idOf, allowed };
}

const twoHouseholds = kept(() => api, createHouseholds);

/** Adds the billed month before every asset's first one. */
const addEarlierPeriods = () =>
  sql`
    insert into periods (asset_id, month, time_zone, starts_at, ends_at, price_cents, price_since, split_method,
      base_percent, owner_hours, owner_id)
    select distinct on (asset_id) asset_id, month - interval '1 month', time_zone, starts_at - interval '1 month',
      starts_at, price_cents, month - interval '1 month', split_method, base_percent, owner_hours, owner_id
    from periods order by asset_id, month`.execute(api.deps.db);

const readClosedStatement = async (caller: SignedIn, assetId: number): Promise<Statement> =>
  (await api.call<Statement>('GET', `/api/assets/${assetId}/statements/${BILLED_MONTH}/`, { as: caller })).body;

const readTables = async () => ({
  users: await api.deps.db.selectFrom('users').selectAll().orderBy('id').execute(),
  resets: await api.deps.db.selectFrom('password_resets').selectAll().orderBy('id').execute(),
  assets: await api.deps.db.selectFrom('assets').selectAll().orderBy('id').execute(),
  claims: await api.deps.db.selectFrom('claims').selectAll().execute(),
  invitations: await api.deps.db.selectFrom('invitations').selectAll().orderBy('id').execute(),
  shares: await api.deps.db.selectFrom('shares').selectAll().orderBy('id').execute(),
  sessions: await api.deps.db.selectFrom('sessions').selectAll().orderBy('id').execute(),
  periods: await api.deps.db.selectFrom('periods').selectAll().orderBy('asset_id').orderBy('month').execute(),
  lines: await api.deps.db.selectFrom('statement_lines').selectAll().orderBy('id').execute(),
  browsers: await api.deps.db.selectFrom('push_subscriptions').selectAll().orderBy('id').execute(),
  targets: await api.deps.db.selectFrom('notice_targets').selectAll().orderBy('id').execute(),
  passkeys: await api.deps.db.selectFrom('passkeys').selectAll().orderBy('id').execute(),
  signIns: await api.deps.db.selectFrom('sign_ins').selectAll().orderBy('id').execute(),
  tokens: await api.deps.db.selectFrom('access_tokens').selectAll().orderBy('id').execute(),
  meters: await api.deps.db.selectFrom('meters').selectAll().orderBy('id').execute(),
  answers: await api.deps.db.selectFrom('meter_members').selectAll().orderBy('meter_id').execute(),
  costs: await api.deps.db.selectFrom('costs').selectAll().orderBy('id').execute(),
  costVersions: await api.deps.db
    .selectFrom('cost_versions')
    .selectAll()
    .orderBy('cost_id')
    .orderBy('version')
    .execute(),
  costAnswers: await api.deps.db.selectFrom('cost_answers').selectAll().orderBy('cost_id').execute(),
  identities: await api.deps.db.selectFrom('identities').selectAll().orderBy('id').execute(),
  payments: await api.deps.db.selectFrom('payment_steps').selectAll().orderBy('id').execute(),
  deposits: await api.deps.db.selectFrom('deposits').selectAll().orderBy('id').execute(),
});

/** Returns an answer without what changes from one moment to the next. */
const comparable = ({ status, text, headers: { date: _date, 'x-request-id': _id, ...headers } }: Answer) => ({
  status,
  text,
  headers,
});

it('covers every call with an id in its path', () => {
  expect(
    Object.keys(endpoints)
      .filter((key) => /\{(?!username|token)/.test(key))
      .toSorted(),
  ).toEqual(calls.toSorted());
});

const everyCall = (some: string[], check: (call: string) => Promise<void>) => everyCase(some, String, check);

/** Makes refused calls. Checks that none of them changes anything. */
async function everyRefused<T>(cases: Iterable<T>, name: (each: T) => string, check: (each: T) => Promise<void>) {
  await twoHouseholds();
  const before = await readTables();
  await everyCase(cases, name, async (each) => {
    await twoHouseholds();
    const writes = api.database.writes();
    await check(each);
    expect(api.database.writes() === writes ? before : await readTables()).toEqual(before);
  });
  expect(await readTables()).toEqual(before);
}

describe('each call', { timeout: HANG_MILLISECONDS }, () => {
  it('succeeds for the user who may make it', async () => {
    await everyCall(calls, async (call) => {
      const { allowed, idOf } = await twoHouseholds();
      // An active session blocks another start, and can't be edited before it ends. Nothing is offered, handed over, or
      // waiting for confirmation, and an accepted share has no estimate.
      const refused =
        /\/(?:start|decline|\{month\}\/confirm|handover\/accept)\/$/.test(call) ||
        (call.includes('{session_id}') && !isPersonCall(call));
      const expected = call.endsWith('/estimate/') ? [404] : refused ? [400] : [200, 201, 204];
      expect(expected).toContain((await ask(call, idOf(call), allowed(call))).status);
    });
  });

  it('responds to everyone else exactly as if nothing existed, and changes nothing', async () => {
    await everyRefused(calls, String, async (call) => {
      const { owner, member, otherOwner, otherMember, stranger, idOf, allowed } = await twoHouseholds();
      const absent = comparable(await ask(call, 9_999_999, stranger));
      expect(absent).toMatchObject({ status: 404 });
      for (const caller of [owner, member, otherOwner, otherMember, stranger]) {
        if (caller === allowed(call) || ((caller === member || caller === owner) && isSharedCall(call))) continue;
        expect(comparable(await ask(call, idOf(call), caller))).toEqual(absent);
      }
      expect(comparable(await ask(call, 9_999_999, allowed(call)))).toEqual(absent);
    });
  });

  it('responds the same without a token, whether or not the id exists', async () => {
    await everyRefused(calls, String, async (call) => {
      const { idOf } = await twoHouseholds();
      const response = comparable(await ask(call, idOf(call)));
      expect(response).toMatchObject({ status: 401 });
      for (const id of [9_999_999, 'abc', 0]) expect(comparable(await ask(call, id))).toEqual(response);
    });
  });
});

describe('each place of an id', { timeout: HANG_MILLISECONDS }, () => {
  const malformedIds = [
    '0',
    '-1',
    '1.5',
    '01',
    '1e0',
    '0x1',
    '+1',
    ' 1',
    '%201',
    '1%20',
    '1%0a',
    '9999999999',
    '9007199254740991',
    '9007199254740992',
    '9223372036854775807',
    '9223372036854775808',
    '1'.repeat(30),
    '1'.repeat(200),
    'abc',
    '__proto__',
    'constructor',
    'null',
    'undefined',
    'NaN',
    'true',
    '[]',
    '%00',
    '1%00',
    '%ff',
    '%zz',
    '%',
    "1'--",
    '1;select',
    '*',
    '１',
    '٣',
    '%F0%9F%98%80',
    '1,2',
    '1|2',
    '$1',
    '..',
    '%2e%2e',
    '1%2f2',
  ];

  const notFound = [404, 'not_found'];

  /** Calls with an id at a place, the other ids being right. Returns the status and the code. */
  async function outcomeAt(call: string, name: string, id: string): Promise<unknown[]> {
    const { allowed, idOf } = await twoHouseholds();
    if (isAnotherCall(call, { [name]: id })) return notFound;
    const { status, body } = await askAt(call, { id: idOf(call), [name]: id }, allowed(call));
    return [status, (body as { code: string } | undefined)?.code];
  }

  it('returns 404 for malformed ids and changes nothing', async () => {
    await everyRefused(
      places.values(),
      ({ place }) => place,
      async ({ name, calls: [call = ''] }) => {
        const { idOf } = await twoHouseholds();
        const right = String({ ...idsOf(call), id: idOf(call) }[name]);
        const spaced = malformedIds.map((id) => id.replaceAll('1', (one) => (id.length < 8 ? right : one)));
        for (const id of [...malformedIds, ...spaced])
          expect([id, await outcomeAt(call, name, id)]).toEqual([id, notFound]);
      },
    );
  });

  // Each call reads its ids with the same code.
  it('returns 404 for a malformed id in every call', async () => {
    const all = [...places.values()].flatMap(({ name, calls: some }) => some.map((call) => ({ name, call })));
    await everyRefused(
      all,
      ({ name, call }) => `${name} of ${call}`,
      async ({ name, call }) => {
        for (const id of ['abc', '9223372036854775808', '%00'])
          expect([id, await outcomeAt(call, name, id)]).toEqual([id, notFound]);
      },
    );
  });

  it('returns 404 for generated ids', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }).map(encodeURIComponent),
      fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
      fc.double().map(String),
      fc.stringMatching(/^[%0-9a-f._~!$&'()*+,;=:@-]{1,20}$/),
    );
    // Skips the first hundred ids, which may exist, and ids of dots, which the client resolves.
    const unknown = text.filter((each) => !/^(?:(?:[1-9]|%3\d)(?:\d|%3\d)?|(?:\.|%2e)+)$/i.test(each));
    await everyRefused(
      places.values(),
      ({ place }) => place,
      async ({ name, calls: [call = ''] }) => {
        await fc.assert(
          fc.asyncProperty(unknown, async (id) => {
            expect(await outcomeAt(call, name, id)).toEqual(notFound);
          }),
          { numRuns: randomRuns(30) },
        );
      },
    );
  });
});

describe('a co-manager', () => {
  /** Includes lowering the price. */
  const isForOwnerOnly = (call: string) =>
    ['DELETE /api/assets/{id}/', 'POST /api/assets/{id}/prices/', 'POST /api/assets/{id}/people/'].includes(call) ||
    call === 'POST /api/assets/{id}/renewal/' ||
    call === 'POST /api/assets/{id}/deposits/' ||
    /\/(?:close|request\/accept|request\/decline)\/$/.test(call) ||
    call.endsWith(' /api/assets/{id}/handover/') ||
    call.includes('/costs/{cost_id}/') ||
    isPersonCall(call);

  it('can make each call until the role ends, unless it is reserved for the owner', async () => {
    const some = calls.filter((call) => isOwnerCall(call) && !call.endsWith('/confirm/'));
    await everyCall(some, async (call) => {
      const { owner, asset, stranger, idOf } = await twoHouseholds();
      const manager = await api.register('gus');
      const { id } = await api.share(owner, asset, manager);
      const name = (isManager: boolean) =>
        api.call('PATCH', `/api/assets/${asset.id}/share/${id}/`, { as: owner, body: { manager: isManager } });
      await name(true);
      const before = await readTables();
      const { status } = await ask(call, idOf(call), manager);
      // The session wasn't edited.
      const isUnedited = call.includes('{session_id}') && !isPersonCall(call);
      expect(isForOwnerOnly(call) ? [403] : isUnedited ? [400] : [200, 201, 204]).toContain(status);
      const after = isForOwnerOnly(call) ? await readTables() : before;
      expect(after).toEqual(before);
      await name(false);
      if (isSharedCall(call)) return;
      expect(comparable(await ask(call, idOf(call), manager))).toEqual(
        comparable(await ask(call, 9_999_999, stranger)),
      );
    });
  });
});

describe('an ended share', () => {
  it('is gone for its member', async () => {
    // Former members still read and edit their sessions and what they paid, and add what they pressed offline.
    const some = calls.filter((call) => isMemberCall(call) && !/\/(?:logs|late-start|late-end|costs)\//.test(call));
    const { member, share } = await twoHouseholds();
    const expectGone = () =>
      everyCall(some, async (call) => {
        const absent = comparable(await ask(call, 9_999_999, member));
        expect(comparable(await ask(call, share.id, member))).toEqual(absent);
      });
    await api.deps.db.updateTable('shares').set({ ended_at: api.clock.now }).where('id', '=', share.id).execute();
    await expectGone();
    await api.deps.db.deleteFrom('shares').where('id', '=', share.id).execute();
    await expectGone();
  });
});

describe('a deleted asset', () => {
  it('is gone for everyone', async () => {
    const { allowed, idOf, asset } = await twoHouseholds();
    await api.deps.db.deleteFrom('assets').where('id', '=', asset.id).execute();
    // Statements of the asset stay.
    await everyCall(
      calls.filter((call) => isOwnerCall(call) || isMemberCall(call)),
      async (call) => {
        const answer = comparable(await ask(call, idOf(call), allowed(call)));
        expect(answer).toEqual(comparable(await ask(call, 9_999_999, allowed(call))));
        expect(answer.status).toBe(404);
      },
    );
  });
});

describe('a deleted account', () => {
  it('can neither see nor change anything with a valid token', async () => {
    const { owner, member } = await twoHouseholds();
    await api.deps.db.deleteFrom('users').where('id', 'in', [owner.user.id, member.user.id]).execute();
    const before = await readTables();
    for (const caller of [owner, member]) {
      for (const call of calls) expect([401, 404]).toContain((await ask(call, 1, caller)).status);
      expect((await api.call('GET', '/api/me/', { as: caller })).status).toBe(401);
      const body = { name: 'Gym', subscription_cost: 5 };
      for (const headers of [{}, { 'idempotency-key': 'one' }])
        expect((await api.call('POST', '/api/assets/', { as: caller, body, headers })).status).toBe(401);
      for (const path of ['/api/assets/', '/api/shared-assets/'])
        expect((await api.call<{ results?: unknown[] }>('GET', path, { as: caller })).body.results ?? []).toEqual([]);
    }
    expect(await readTables()).toEqual(before);
  });

  it('cannot be given access', async () => {
    const { owner, asset, stranger } = await twoHouseholds();
    await api.deps.db.deleteFrom('users').where('id', '=', stranger.user.id).execute();
    const body = { username: 'lou', monthly_hours_allocated: 5 };
    expect(await api.call('POST', `/api/assets/${asset.id}/share/`, { as: owner, body })).toMatchObject({
      status: 404,
      body: { error: 'User "lou" not found', code: 'user_not_found' },
    });
  });
});

describe('the lists', () => {
  it('contain only what the caller may see', async () => {
    const { owner, member, stranger, asset, billed, share } = await twoHouseholds();
    const list = async (path: string, caller: SignedIn) =>
      (await api.call<{ results: { id: number }[] }>('GET', path, { as: caller })).body.results.map(({ id }) => id);
    expect(await list('/api/assets/', owner)).toEqual([asset.id, billed.assetId]);
    expect(await list('/api/shared-assets/', member)).toEqual([share.id, expect.any(Number)]);
    for (const [path, caller] of [
      ['/api/assets/', member],
      ['/api/shared-assets/', owner],
      ['/api/assets/', stranger],
      ['/api/shared-assets/', stranger],
    ] as const)
      expect(await list(path, caller)).toEqual([]);
  });

  it('of a share never contain another share’s sessions, whatever the cursor', async () => {
    const { member, share, otherShare, otherMember } = await twoHouseholds();
    const logs = (query: string) => api.call('GET', `/api/shared-assets/${share.id}/logs/${query}`, { as: member });
    await api.call('POST', `/api/shared-assets/${otherShare.id}/end/`, { as: otherMember });
    const ownLogs = (await logs('')).text;
    const keys = [`[${api.clock.now.getTime() + 1},1]`, '[99999999999999,9007199254740991]', '[4102444800000,1]'];
    for (const place of keys)
      expect((await logs(`?cursor=${Buffer.from(place).toString('base64url')}`)).text).toBe(ownLogs);
    const seen = new Set<number>();
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }).map((each) => Buffer.from(each).toString('base64url')),
      fc.stringMatching(/^\[\d{1,17},\d{1,17}\]$/).map((each) => Buffer.from(each).toString('base64url')),
      fc.base64String(),
    );
    await fc.assert(
      fc.asyncProperty(text, async (cursor) => {
        const { status, text } = await logs(`?cursor=${encodeURIComponent(cursor)}`);
        seen.add(status);
        if (status === 200 && text !== ownLogs && text !== '{"results":[],"next":null}') seen.add(0);
      }),
      { numRuns: 200 },
    );
    expect([...seen].filter((status) => ![200, 400].includes(status))).toEqual([]);
  });
});
