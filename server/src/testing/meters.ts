import type { EventResults, MemberMeter, Meter, MeterWithToken } from '@hourshare/contract/meters';
import type { OwnSession } from '@hourshare/contract/sessions';
import type { SharedAsset } from '@hourshare/contract/shares';
import type { SignedIn } from '@hourshare/contract/sign-ins';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { verifyUsage } from '../features/usage/service.ts';
import type { CallOptions, TestApi } from './api.ts';

export interface MeteredShare {
  owner: SignedIn;
  member: SignedIn;
  share: SharedAsset;
  meter: Meter;
  token: string;
}

/** Empties the database. Returns a share of 20 hours of ben's since March 1, 2026, with a meter, at another instant. */
export async function meteredShare(
  api: TestApi,
  { now, ...meter }: { now: string; name: string; kind?: 'totals' },
): Promise<MeteredShare> {
  await api.reset();
  api.clock.now = new Date('2026-03-01T00:00:00Z');
  const [owner, member] = [await api.register('mira'), await api.register('ben')];
  const share = await api.share(owner, await api.addAsset(owner, { time_zone: 'UTC' }), member);
  const path = `/api/assets/${share.asset.id}/meters/`;
  const { body } = await api.call<MeterWithToken>('POST', path, { as: owner, body: meter });
  api.clock.now = new Date(now);
  return { owner, member, share, meter: body.meter, token: body.token ?? '' };
}

/** Calls about what a test has just now; `called` is what its meter calls the member. */
export function callsOfMeter(current: () => { api: TestApi } & MeteredShare, called: string) {
  const manage = <T>(method: string, action = '', options: CallOptions = {}) => {
    const { api, owner, share } = current();
    return api.call<T>(method, `/api/assets/${share.asset.id}/meters/${action}`, { as: owner, ...options });
  };
  const callShare = <T>(method: string, action: string, options: CallOptions = {}) => {
    const { api, member, share } = current();
    return api.call<T>(method, `/api/shared-assets/${share.id}/${action}/`, { as: member, ...options });
  };
  const match = (name = called, shareId: number | null = current().share.id, meterId = current().meter.id) =>
    manage<Meter>('PUT', `${meterId}/names/`, { body: { names: [{ external_name: name, share_id: shareId }] } });
  const answer = (agreed: boolean, more: object = {}) =>
    callShare<MemberMeter>('POST', `meters/${current().meter.id}`, { body: { agreed, ...more } });
  const agree = async (more: object = {}) => {
    await match();
    return answer(true, more);
  };
  /** Adds another meter of sessions, which calls the member the same and may record them. */
  const addMeter = async (name: string) => {
    const { meter, token } = (await manage<MeterWithToken>('POST', '', { body: { name } })).body;
    await match(called, current().share.id, meter.id);
    await callShare('POST', `meters/${meter.id}`, { body: { agreed: true } });
    return { meter, token: token ?? '' };
  };
  /** Sends events as the meter. Returns what becomes of each, such as `ignored: too_old`. */
  const send = async (...events: object[]) => {
    const { api, token } = current();
    const answer = await api.call<EventResults>('POST', '/api/meters/events/', { token, body: { events } });
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.body.results.map(({ result, reason }) => (reason === null ? result : `${result}: ${reason}`));
  };
  const logs = async () => (await callShare<{ results: OwnSession[] }>('GET', 'logs')).body.results;
  /** Days of use are what sessions and metered days add up to, and no sessions overlap. */
  async function expectConsistent(): Promise<void> {
    const { db } = current().api.deps;
    for await (const { days } of verifyUsage(db, { repair: false })) expect(days).toEqual([]);
    const { rows } = await sql`
      select 1 from (
        select started_at, lag(coalesce(ended_at, 'infinity')) over (partition by share_id order by started_at, ended_at) as before
        from sessions
      ) each
      where started_at < before`.execute(db);
    expect(rows).toEqual([]);
  }
  return { manage, callShare, match, answer, agree, addMeter, send, logs, expectConsistent };
}
