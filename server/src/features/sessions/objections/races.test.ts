import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { LoggedSession } from '@hourshare/contract/sessions';
import type { Statement } from '@hourshare/contract/statements';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { verifyUsage } from '../../usage/service.ts';
import { openTestApi, type Answer, type TestApi } from '../../../testing/api.ts';
import { billingCalls, CLOSED, type Household } from '../../../testing/bills.ts';
import { HANG_MILLISECONDS, randomRuns } from '../../../testing/thorough.ts';
import { runScheduledJobs } from '../../../testing/records.ts';

let api: TestApi;
let home: Household;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(async () => {
  await api.reset();
  home = await household();
});
afterAll(() => api.close());

const { setClock, get, record, statementOf, household } = billingCalls(() => api);

const logs = async () =>
  (await get<{ results: LoggedSession[] }>(`/api/shared-assets/${home.shareOfAna.id}/logs/`, home.ana)).results;
const ownPath = (id: number) => `/api/shared-assets/${home.shareOfAna.id}/logs/${id}/`;
const objectionPath = (id: number) => `/api/assets/${home.asset.id}/sessions/${id}/objection/`;
const object = (id: number) => api.call('POST', objectionPath(id), { as: home.mira, body: {} });
const withdraw = (id: number) => api.call('DELETE', objectionPath(id), { as: home.mira });
const agree = (id: number) => api.call('POST', `${ownPath(id)}objection/agree/`, { as: home.ana });
const accept = (id: number, as = home.mira) =>
  api.call('POST', `/api/assets/${home.asset.id}/sessions/${id}/request/accept/`, { as });
const decline = (id: number) =>
  api.call('POST', `/api/assets/${home.asset.id}/sessions/${id}/request/decline/`, { as: home.mira });
const withdrawRequest = (id: number) => api.call('DELETE', `${ownPath(id)}request/`, { as: home.ana });
const edit = (id: number, end_time: string) => api.call('PATCH', ownPath(id), { as: home.ana, body: { end_time } });
const remove = (id: number) => api.call('DELETE', ownPath(id), { as: home.ana });

/** Sends a press that was made some minutes ago. */
const pressLate = (kind: 'late start' | 'late end', minutes: number) =>
  api.call('POST', `/api/shared-assets/${home.shareOfAna.id}/${kind.replace(' ', '-')}/`, {
    as: home.ana,
    body: {
      at: new Date(api.clock.now.getTime() - minutes * 600_000).toISOString(),
      client_time: api.clock.now.toISOString(),
    },
  });

async function expectConsistent(): Promise<void> {
  for await (const { days } of verifyUsage(api.deps.db, { repair: false })) expect(days).toEqual([]);
  const { rows } = await sql`
    select 1 from sessions one join sessions other on other.share_id = one.share_id and other.id > one.id
    where one.started_at < coalesce(other.ended_at, 'infinity') and other.started_at < coalesce(one.ended_at, 'infinity')
      and one.started_at < coalesce(one.ended_at, 'infinity')`.execute(api.deps.db);
  expect(rows).toEqual([]);
}

/** Records a session of ten hours on each of some days of February. */
async function recordTens(count: number): Promise<void> {
  for (let day = 1; day <= count; day++)
    await record(home.shareOfAna, `2026-02-${String(5 + day).padStart(2, '0')}T08:00:00Z`, 10);
}

/** An instant of the day of a session that `recordTens` has made, the newest first. */
const endsOn = (index: number, time: string, count = ROUNDS) =>
  `2026-02-${String(5 + count - index).padStart(2, '0')}T${time}Z`;

/** Such sessions in a month that has ended, of which the member asks to shorten each to a second; returns their ids. */
async function requestedSessions(count: number): Promise<number[]> {
  await recordTens(count);
  setClock('2026-03-01T12:00:00Z');
  const ids = (await logs()).slice(0, count).map(({ id }) => id);
  for (const [index, id] of ids.entries()) expect((await edit(id, endsOn(index, '08:00:01', count))).status).toBe(200);
  return ids;
}

/** Such sessions, shortened to a second; returns their ids. */
async function shortenedSessions(count: number): Promise<number[]> {
  await recordTens(count);
  const sessions = (await logs()).slice(0, count);
  for (const { id, start_time } of sessions)
    expect((await edit(id, new Date(Date.parse(start_time) + 1000).toISOString())).status).toBe(200);
  return sessions.map(({ id }) => id);
}

const statuses = (answers: Answer[]) =>
  [...new Set(answers.map(({ status }) => status))].toSorted((one, other) => one - other);
const ROUNDS = 8;

describe('at the same time', () => {
  it('of many objections to an edit, one is made', async () => {
    const [id = 0] = await shortenedSessions(1);
    const answers = await Promise.all(Array.from({ length: ROUNDS }, () => object(id)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(statuses(answers)).toEqual([201, 409]);
  });

  it('an objection is withdrawn or agreed to, not both', async () => {
    const ids = await shortenedSessions(ROUNDS);
    for (const id of ids) expect((await object(id)).status).toBe(201);
    const answers = await Promise.all(ids.flatMap((id) => [withdraw(id), agree(id)]));
    expect(statuses(answers)).toEqual([200, 409]);
    const counted = (await logs()).filter(({ id }) => ids.includes(id));
    for (const { duration, objection } of counted) expect(duration).toBe(objection?.status === 'agreed' ? 600 : 0.02);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(ROUNDS);
    await expectConsistent();
  });

  it('an edit or a removal either comes before the agreement, or changes the restored session', async () => {
    const ids = await shortenedSessions(ROUNDS);
    for (const id of ids) await object(id);
    const answers = await Promise.all(
      ids.flatMap((id, index) => [
        agree(id),
        index % 2 === 0 ? edit(id, `2026-02-${String(13 - index).padStart(2, '0')}T09:00:00Z`) : remove(id),
      ]),
    );
    expect(answers.filter(({ status }) => status >= 500 || status === 404)).toEqual([]);
    await expectConsistent();
  });

  it('a close takes an objection into account, or refuses it', async () => {
    const ids = await shortenedSessions(ROUNDS);
    setClock('2026-03-03T23:59:59Z');
    const month = `/api/assets/${home.asset.id}/statements/2026-02`;
    const confirmations = [home.ana, home.ben].map((as: SignedIn) => api.call('POST', `${month}/confirm/`, { as }));
    for (const { status } of await Promise.all(confirmations)) expect(status).toBe(200);
    const close = api.call<Statement>('POST', `${month}/close/`, { as: home.mira });
    const answers = await Promise.all(ids.map((id) => object(id)));
    const closed = await close;
    expect(answers.filter(({ status }) => ![201, 400].includes(status))).toEqual([]);
    expect(closed.status).toBe(answers.some(({ status }) => status === 201) ? 409 : 200);
    await expectConsistent();
  });

  it('of many acceptances of a request, one makes the edit', async () => {
    const [id = 0] = await requestedSessions(1);
    const answers = await Promise.all(Array.from({ length: ROUNDS }, () => accept(id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(statuses(answers)).toEqual([200, 409]);
    await expectConsistent();
  });

  it('the last person to accept a request makes the edit, in any order', async () => {
    await api.deps.db.updateTable('periods').set({ split_method: 'share_of_use', max_hour_cents: 100 }).execute();
    const ids = await requestedSessions(ROUNDS);
    const answers = await Promise.all(ids.flatMap((id) => [accept(id), accept(id, home.ben)]));
    expect(statuses(answers)).toEqual([200]);
    for (const { duration, request } of (await logs()).filter(({ id }) => ids.includes(id)))
      expect([duration, request?.status]).toEqual([0.02, 'accepted']);
    await expectConsistent();
  });

  it('a request is accepted, declined, or withdrawn, or gives way to another edit, and never twice', async () => {
    const ids = await requestedSessions(ROUNDS);
    const answers = await Promise.all(
      ids.flatMap((id, index) => [
        accept(id),
        index % 2 === 0 ? decline(id) : index % 3 === 0 ? withdrawRequest(id) : edit(id, endsOn(index, '08:00:02')),
      ]),
    );
    expect(answers.filter(({ status }) => ![200, 400, 409].includes(status))).toEqual([]);
    const counted = (await logs()).filter(({ id }) => ids.includes(id));
    // Those that weren't accepted count as recorded, or as the other edit, which adds time to one that was.
    const unanswered = counted.filter(({ request }) => request?.status !== 'accepted');
    expect(unanswered.map(({ duration }) => duration).filter((duration) => duration !== 600)).toEqual([]);
    await expectConsistent();
  });

  it('a month that is due closes once, with what was accepted by then', async () => {
    const ids = await requestedSessions(ROUNDS);
    setClock('2026-03-03T23:59:59.999Z');
    const accepted = Promise.all(ids.map((id) => accept(id)));
    setClock(CLOSED);
    await Promise.all([runScheduledJobs(api.deps), ...ids.map((id) => edit(id, endsOn(0, '08:00:03')))]);
    const count = (await accepted).filter(({ status }) => status === 200).length;
    const { lines } = await statementOf(home.asset, '2026-02', home.mira);
    const seconds = 30 * 3600 + (ROUNDS - count) * 36_000 + count;
    expect(lines[1]?.used_seconds).toBe(seconds);
    expect((await logs()).flatMap(({ request }) => request?.status ?? []).toSorted()).toEqual([
      ...Array.from({ length: count }, () => 'accepted'),
      ...Array.from({ length: ROUNDS - count }, () => 'lapsed'),
    ]);
    await expectConsistent();
  });

  it('a month is closed early, or waits for a request', async () => {
    await recordTens(ROUNDS);
    const ids = (await logs()).slice(0, ROUNDS).map(({ id }) => id);
    setClock('2026-03-01T12:00:00Z');
    const month = `/api/assets/${home.asset.id}/statements/2026-02`;
    for (const as of [home.ana, home.ben])
      expect((await api.call('POST', `${month}/confirm/`, { as })).status).toBe(200);
    const [closed, ...edits] = await Promise.all([
      api.call<Statement>('POST', `${month}/close/`, { as: home.mira }),
      ...ids.map((id) => remove(id)),
    ]);
    const requested = edits.filter(({ status }) => status === 200);
    expect(edits.filter(({ status }) => ![200, 400].includes(status))).toEqual([]);
    expect(closed.status === 200 ? requested : edits).toHaveLength(closed.status === 200 ? 0 : requested.length);
    await expectConsistent();
  });

  it('a month that is due closes once, with all recorded times', async () => {
    const ids = await shortenedSessions(ROUNDS);
    for (const id of ids) await object(id);
    setClock(CLOSED);
    const answers = await Promise.all([
      runScheduledJobs(api.deps),
      ...ids.map((id) => withdraw(id)),
      ...[home.mira, home.ana, home.ben].map((as) => statementOf(home.asset, '2026-02', as)),
    ]);
    expect(answers).toHaveLength(ROUNDS + 4);
    const { lines } = await statementOf(home.asset, '2026-02', home.mira);
    expect(lines[1]).toMatchObject({ used_hours: 30 + ROUNDS * 10 });
    await expectConsistent();
  });
});

it(
  'no time counts twice after any history of edits and objections, and closed months stay as they are',
  async () => {
    const step = fc.record({
      kind: fc.constantFrom(
        ...(['edit', 'edit', 'edit', 'remove', 'object', 'object', 'withdraw', 'agree', 'wait'] as const),
        ...(['accept', 'accept', 'decline', 'late start', 'late end'] as const),
      ),
      session: fc.nat(7),
      from: fc.nat(120),
      hours: fc.integer({ min: 1, max: 20 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        await api.reset();
        home = await household();
        setClock('2026-03-03T02:00:00Z');
        for (const [day, hours] of [
          ['02-26', 20],
          ['02-27', 3],
          ['02-28', 30],
          ['03-02', 5],
          ['03-02', 0],
        ] as const)
          await record(home.shareOfAna, `2026-${day}T${hours === 0 ? '20' : '01'}:00:00Z`, hours || 5);
        const closed = new Map<string, string>();
        for (const { kind, session, from, hours } of steps) {
          const ids = (await api.deps.db.selectFrom('sessions').select('id').orderBy('id').execute()).map(
            (row) => row.id,
          );
          const id = ids[session % ids.length]!;
          const start = Date.parse('2026-02-26T00:00:00Z') + from * 3_600_000;
          const body = {
            start_time: new Date(start).toISOString(),
            end_time: new Date(start + hours * 3_600_000).toISOString(),
          };
          if (kind === 'edit') await api.call('PATCH', ownPath(id), { as: home.ana, body });
          else if (kind === 'remove') await remove(id);
          else if (kind === 'object') await object(id);
          else if (kind === 'withdraw') await withdraw(id);
          else if (kind === 'agree') await agree(id);
          else if (kind === 'accept') await accept(id);
          else if (kind === 'decline') await decline(id);
          else if (kind === 'late start' || kind === 'late end') await pressLate(kind, from);
          else api.clock.advance(hours * 3_600_000);
          await runScheduledJobs(api.deps);
          await expectConsistent();
          for (const month of ['2026-02', '2026-03']) {
            const statement = await statementOf(home.asset, month, home.mira);
            const text = JSON.stringify(statement);
            expect(text).toBe(closed.get(month) ?? text);
            if (statement.closed) closed.set(month, text);
            expect(statement.lines[1]?.used_hours).toBe(
              (
                await get<{ total_usage: number }>(
                  `/api/shared-assets/${home.shareOfAna.id}/analytics/?month=${month}`,
                  home.ana,
                )
              ).total_usage,
            );
          }
        }
      }),
      { numRuns: randomRuns(10) },
    );
  },
  HANG_MILLISECONDS,
);
