import type { SignedIn } from '@hourshare/contract/sign-ins';
import { endpoints } from '@hourshare/contract/endpoints';
import type { OwnedAsset } from '@hourshare/contract/assets';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestApi, type TestApi } from '../../../testing/api.ts';
import { billingCalls } from '../../../testing/bills.ts';
import { dispatchAll } from '../../notifications/dispatch/service.ts';
import { closeDuePeriods } from '../../statements/closing/service.ts';
import { usersAround } from '../store.ts';
import { updateAccess } from '../starts/service.ts';

// Every query of `shares` has to decide about those of owners, so this compares what everyone sees before and after one takes part.

let api: TestApi;
let mira: SignedIn;
let people: Record<string, SignedIn>;
let asset: OwnedAsset;
/** What each person can name in the path of a call. */
let shareIds: Record<string, number>;

const { setClock, get, send, record } = billingCalls(() => api);

/** Only some fields say that the owner takes part. Each export is a security event. */
const OWN_FIELDS = new Set(['owner_takes_part', 'own_share_id', 'own', 'version', 'security_events']);
/** What is no one's figure: calls with random or secret answers, or about the caller's own shares. */
const SKIPPED =
  /events|token|push|unsubscribe|claims|invitations|about|export\/csv|providers|identities|security-events/;

const NOW = '2026-04-02T12:00:00Z';

/** Mira's asset since February: Max co-manages it, Ana and a person without an account use it, Zoe is offered it. */
beforeAll(async () => {
  api = await openTestApi();
  setClock('2026-02-01T00:00:00Z');
  mira = await api.register('mira');
  const [max, ana, zoe] = [await api.register('max'), await api.register('ana'), await api.register('zoe')];
  people = { mira, max, ana, zoe };
  asset = await api.addAsset(mira, { subscription_cost: 20, owner_hours: 10 });
  const path = `/api/assets/${asset.id}`;
  const [maxs, anas] = [await api.share(mira, asset, max, 20), await api.share(mira, asset, ana, 30)];
  await send('PATCH', `${path}/share/${maxs.id}/`, { as: mira, body: { manager: true } });
  await send('POST', `${path}/people/`, { as: mira, body: { name: 'Grandma', monthly_hours_allocated: 5 } });
  await api.share(zoe, await api.addAsset(zoe), mira, 5);
  await record(maxs, '2026-02-03T00:00:00Z', 5);
  await record(anas, '2026-02-04T00:00:00Z', 25);
  await record(anas, '2026-03-04T00:00:00Z', 3);
  setClock('2026-03-05T00:00:00Z');
  await closeDuePeriods(api.deps);
  setClock(NOW);
  const zoes = await api.offer(mira, asset, zoe, 5);
  await send('POST', `/api/shared-assets/${anas.id}/start/`, { as: ana });
  await api.invite(mira, asset);
  await api.offerHandover(mira, asset.id, ana, 7);
  shareIds = { max: maxs.id, ana: anas.id, zoe: zoes.id };
});
afterAll(() => api.close());

/** Everything that everyone can read, by person and call. */
async function readEverything(): Promise<Record<string, unknown>> {
  await dispatchAll(api.deps);
  const found: Record<string, unknown> = {};
  for (const [name, as] of Object.entries(people))
    for (const key of Object.keys(endpoints)) {
      if (!key.startsWith('GET ') || SKIPPED.test(key)) continue;
      const id = key.includes('/shared-assets/') ? (shareIds[name] ?? 0) : asset.id;
      for (const month of /\{month\}|GET \/api\/statements\/$/.test(key) ? ['2026-02', '2026-03', '2026-04'] : ['']) {
        const path = key.slice(4).replace('{id}', String(id)).replace('{month}', month);
        const query = key === 'GET /api/statements/' ? `?month=${month}` : '';
        const { status, text } = await api.call('GET', path + query, { as });
        found[`${name} ${path}${query}`] = { status, body: withoutOwn(text === '' ? '' : JSON.parse(text)) };
      }
    }
  return found;
}

/** Returns an answer without what says that the owner takes part. */
function withoutOwn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutOwn);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([field, each]) => (OWN_FIELDS.has(field) ? [] : [[field, withoutOwn(each)]])),
  );
}

/** Lets Mira take part since March, as if she had chosen it then, with sessions that ended and one that runs. */
async function takePart(): Promise<number> {
  const { db } = api.deps;
  await sql`update periods set owner_takes_part = true where asset_id = ${asset.id} and closed_at is null`.execute(db);
  await updateAccess(api.deps);
  const { own_share_id: id } = await get<OwnedAsset>(`/api/assets/${asset.id}/`, mira);
  if (id === null) throw new Error('Mira takes no part.');
  await sql`update shares set created_at = '2026-03-01T00:00:00Z', accepted_at = '2026-03-01T00:00:00Z' where own`.execute(
    db,
  );
  await sql`update allowances set since = '2026-03-01T00:00:00Z' where share_id = ${id}`.execute(db);
  await record({ id } as never, '2026-03-02T00:00:00Z', 9);
  await send('POST', `/api/shared-assets/${id}/start/`, { as: mira });
  return id;
}

describe("an owner's own use", () => {
  it('changes nothing that anyone sees of the members, and no amount', async () => {
    const before = await readEverything();
    const id = await takePart();
    const after = await readEverything();
    const differing = Object.keys(before).filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
    // Only the owner's figures on statements, what everyone used in analytics, and the export of what is theirs.
    expect(differing.map((key) => key.replace(/\/assets\/\d+/, '/assets/{id}')).toSorted()).toEqual([
      'ana /api/assets/{id}/statements/',
      'ana /api/assets/{id}/statements/2026-03/',
      'ana /api/statements/?month=2026-03',
      'max /api/assets/{id}/analytics/',
      'max /api/assets/{id}/statements/',
      'max /api/assets/{id}/statements/2026-03/',
      'max /api/statements/?month=2026-03',
      'mira /api/assets/{id}/analytics/',
      'mira /api/assets/{id}/statements/',
      'mira /api/assets/{id}/statements/2026-03/',
      'mira /api/me/export/',
      'mira /api/statements/?month=2026-03',
    ]);
    for (const key of differing.filter((each) => each.includes('statements')))
      expect(withoutOwnUse(after[key])).toEqual(withoutOwnUse(before[key]));
    const exported = await get<{ shares: { own: boolean }[]; sessions: { share_id: number }[] }>(
      '/api/me/export/',
      mira,
    );
    expect(exported.shares.filter(({ own }) => own)).toHaveLength(1);
    expect(exported.sessions.filter(({ share_id: share }) => share === id)).toHaveLength(2);
  });

  it('neither keeps a month open, nor makes the owner one of those around others', async () => {
    const closing = `/api/assets/${asset.id}/statements/2026-03/`;
    expect((await api.call('POST', `${closing}confirm/`, { as: mira })).status).toBe(404);
    for (const name of ['max', 'ana']) await send('POST', `${closing}confirm/`, { as: people[name] ?? mira });
    await send('POST', `${closing}close/`, { as: mira });
    const names = await api.deps.db
      .selectFrom('users')
      .select('username')
      .where('id', 'in', await usersAround(api.deps.db, [people['zoe']?.user.id ?? 0]))
      .execute();
    expect(names).toEqual([{ username: 'mira' }]);
  });

  it('is in the statement of a month that closes', async () => {
    setClock('2026-05-04T00:00:00Z');
    await closeDuePeriods(api.deps);
    expect(await get(`/api/assets/${asset.id}/statements/2026-03/`, mira)).toMatchObject({
      closed: true,
      lines: [
        { role: 'owner', used_hours: 9 },
        { username: 'ana' },
        { username: 'Grandma (mira)' },
        { username: 'max' },
      ],
    });
  });
});

/** Returns a statement, or a list of them, without what the owner used. */
function withoutOwnUse(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutOwnUse);
  if (typeof value !== 'object' || value === null) return value;
  const { used_seconds: _seconds, used_hours: _hours, sources: _sources, ...others } = value as Record<string, unknown>;
  const isOthers = 'role' in others && others['role'] === 'member';
  return Object.fromEntries(
    Object.entries(isOthers ? value : others).map(([field, each]) => [field, withoutOwnUse(each)]),
  );
}
