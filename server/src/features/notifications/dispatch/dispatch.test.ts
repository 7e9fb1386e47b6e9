import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../../../testing/api.ts';
import { coalesced } from '../../../platform/coalesced.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { dispatchAll } from './service.ts';
import * as store from './store.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());
beforeEach(() => api.reset());

const add = (kind: string, count: number, data = "jsonb_build_object('session_id', n)") =>
  sql`
  insert into outbox (kind, data, happened_at)
  select ${kind}, ${sql.raw(data)}, now() from generate_series(1, ${count}::int) n`.execute(api.database.db);

const passedOn = () =>
  api.database.db.selectFrom('live_events').select(['kind', 'data', 'user_ids']).orderBy('id').execute();

test('two racing dispatchers, whose transactions sometimes break, pass on 1,000 events exactly once', async () => {
  await add('session.started', 1000);
  // What a killed server leaves: a transaction that took the turn and never committed.
  const cutOff = () =>
    expect(
      inTransaction(api.database.db, async (db) => {
        await store.lockDispatcher(db);
        await db.deleteFrom('outbox').where('id', '<=', 300).execute();
        throw new Error('killed');
      }),
    ).rejects.toThrow('killed');
  await Promise.all([dispatchAll(api.deps), cutOff(), dispatchAll({ ...api.deps }), cutOff(), dispatchAll(api.deps)]);
  const ids = (await passedOn()).map(({ data }) => (data as { session_id: number }).session_id);
  expect(ids).toEqual(Array.from({ length: 1000 }, (_, index) => index + 1));
  expect(await api.database.db.selectFrom('outbox').select('id').execute()).toEqual([]);
});

test("an event that can't be passed on is set aside and doesn't delay others", async () => {
  await add('session.started', 3);
  await add('of.a.newer.version', 1);
  await add('session.ended', 3);
  await dispatchAll(api.deps);
  expect((await passedOn()).map(({ kind }) => kind)).toEqual([
    ...Array<string>(3).fill('session.started'),
    ...Array<string>(3).fill('session.ended'),
  ]);
  const left = await api.database.db.selectFrom('outbox').select(['kind', 'failed_at']).execute();
  expect(left).toEqual([{ kind: 'of.a.newer.version', failed_at: api.clock.now }]);
});

test('each kind of event is for those whom it concerns', async () => {
  const owner = await api.register('mira');
  const manager = await api.register('max');
  const member = await api.register('ben');
  const other = await api.register('zoe');
  const asset = await api.addAsset(owner);
  const managing = await api.share(owner, asset, manager);
  await api.call('PATCH', `/api/assets/${asset.id}/share/${managing.id}/`, { as: owner, body: { manager: true } });
  const share = await api.share(owner, asset, member);
  await api.share(owner, asset, other);
  await dispatchAll(api.deps);
  await api.database.db.deleteFrom('live_events').execute();
  const [ownerId, managerId, memberId, otherId] = [owner, manager, member, other].map(({ user }) => user.id);

  const insert = (kind: string, columns: { asset?: boolean; share?: boolean; named?: number[]; data?: object }) =>
    sql`
    insert into outbox (kind, asset_id, share_id, user_ids, data, happened_at)
    values (${kind}, ${columns.asset ? asset.id : null}, ${columns.share ? share.id : null},
      ${columns.named ?? []}::bigint[], ${JSON.stringify(columns.data ?? {})}::jsonb, now())`.execute(api.database.db);
  const ofShare = ['session.started', 'session.ended', 'session.edited', 'session.removed', 'session.recorded'];
  ofShare.push(
    'objection.changed',
    'share.offered',
    'share.accepted',
    'share.declined',
    'share.changed',
    'share.ended',
  );
  ofShare.push('invitation.accepted', 'handover.changed', 'manager.changed', 'period.confirmed');
  const ofAsset = ['asset.changed', 'asset.deleted', 'price.changed', 'terms.changed', 'period.closed'];
  const named = ['lines.marked', 'settlement.changed', 'account.changed', 'account.signed_in'];
  for (const kind of ofShare) await insert(kind, { share: true });
  for (const kind of ofAsset) await insert(kind, { asset: true, data: { month: '2026-02' } });
  for (const kind of ['invitation.changed', 'person.changed', 'asset.added']) await insert(kind, { asset: true });
  for (const kind of named)
    await insert(kind, { asset: true, named: [memberId ?? 0], data: { line_ids: [1], status: 'sent' } });
  await insert('terms.proposed', { asset: true, data: { change: 'proposed' } });
  await insert('terms.proposed', { share: true, data: { change: 'answered' } });
  await dispatchAll(api.deps);

  const told = (await passedOn())
    .filter(({ kind }) => kind !== 'notices.changed')
    .map(({ kind, user_ids: userIds }) => [kind, userIds]);
  const [managers, aboutMember, everyone] = [
    [ownerId, managerId],
    [ownerId, managerId, memberId],
    [ownerId, managerId, memberId, otherId],
  ];
  expect(told).toEqual([
    ...ofShare.map((kind) => [kind, aboutMember]),
    ...ofAsset.map((kind) => [kind, everyone]),
    ...['invitation.changed', 'person.changed', 'asset.added'].map((kind) => [kind, managers]),
    ...named.map((kind) => [kind, [memberId]]),
    ['terms.proposed', everyone],
    ['terms.proposed', aboutMember],
  ]);
});

test('calls during a run share one more run', async () => {
  let runs = 0;
  const release: (() => void)[] = [];
  const run = coalesced(() => {
    runs += 1;
    return new Promise((resolve) => release.push(resolve));
  });
  const first = run();
  const rest = [run(), run(), run()];
  release.shift()?.();
  await first;
  await expect.poll(() => release.length).toBe(1);
  release.shift()?.();
  await Promise.all(rest);
  expect(runs).toBe(2);
});
