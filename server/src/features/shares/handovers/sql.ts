import type { SplitMethod } from '@hourshare/contract/fields';
import { OFFER_DAYS } from '@hourshare/contract/limits';
import { sql, type RawBuilder } from 'kysely';
import type { Plan } from '../../assets/plans/rules.ts';
import { nextPrice, pricePerCycle } from '../../periods/sql.ts';

// Expressions over handovers that any store may join. Only this folder's store writes them.

/** The hours that handover `h` reserves for the new owner: the ones they have as a member. */
const hoursOfNewOwner = (h: string) =>
  sql`(select monthly_hours_allocated from shares where id = ${sql.id(h)}.share_id)`;

/** The price and terms that someone accepts who takes over asset `a` by handover `h`, starting with period `p`. */
export const termsToAgree = (
  a: string,
  p: string,
  h: string,
) => sql`jsonb_build_object('price_cents', ${pricePerCycle(p)}, 'plan', ${sql.id(p)}.plan, 'currency', ${sql.id(a)}.currency,
  'split_method', ${sql.id(p)}.split_method, 'base_percent', ${sql.id(p)}.base_percent, 'owner_hours', ${hoursOfNewOwner(h)},
  'max_session_hours', ${sql.id(p)}.max_session_hours, 'max_hour_cents', ${sql.id(p)}.max_hour_cents, 'owner_takes_part', ${sql.id(p)}.owner_takes_part,
  'measured', ${sql.id(p)}.measured, 'time_zone', ${sql.id(p)}.time_zone, 'next_price', ${nextPrice(a, p)})`;

/** When handover `h` expires unless it is accepted. */
const expiry = (h: string) => sql`(${sql.id(h)}.offered_at + make_interval(days => ${OFFER_DAYS}::int))`;

/** Condition: the member has accepted handover `h` of asset `a`, and their first month `p` still matches what they accepted. */
export const isAcceptedFor = (a: string, p: string, h: string) =>
  sql<boolean>`(${sql.id(h)}.month = ${sql.id(p)}.month and ${sql.id(h)}.agreed = ${termsToAgree(a, p, h)})`;

/** Condition: the first month of the next owner of asset `a` has begun, and it isn't theirs yet. */
export const isHandoverDue = (a: string, now: Date) => sql<boolean>`exists (
  select 1 from handovers h join periods p on p.asset_id = h.asset_id and ${isAcceptedFor(a, 'p', 'h')}
  where h.asset_id = ${sql.id(a)}.id and p.starts_at <= ${now}::timestamptz)`;

/** Condition: handover `h` of asset `a` is accepted. */
const isAccepted = (a: string, h: string) => sql<boolean>`exists (
  select 1 from periods p where p.asset_id = ${sql.id(a)}.id and p.month = ${sql.id(h)}.month and ${isAcceptedFor(a, 'p', h)})`;

/** Condition: no one has accepted handover `h` of asset `a`, and it has expired. */
export const isExpiredHandover = (a: string, h: string, now: Date): RawBuilder<boolean> =>
  sql<boolean>`(${expiry(h)} <= ${now}::timestamptz and not ${isAccepted(a, h)})`;

/** The handover of asset `a` to a member, in JSON types; months are `YYYY-MM`. */
export interface StoredHandover {
  username: string;
  accepted: boolean;
  from_month: string;
  stay_hours: number | null;
  /** Null once accepted. */
  expires_at: string | null;
}

const columns = sql`'accepted', state.accepted, 'from_month', to_char(state.from_month, 'YYYY-MM'),
  'stay_hours', h.stay_hours, 'expires_at', case when not state.accepted then ${expiry('h')} end`;

/** Table `h` with the open handover of asset `a` to user `u` of share `to_share`; `state` has its month, if accepted in period `p`. */
const openHandover = (a: string, p: string, now: Date) => sql`
  handovers h
  join shares to_share on to_share.id = h.share_id and to_share.ended_at is null
  join users u on u.id = to_share.member_id
  cross join lateral (select ${isAccepted(a, 'h')} as accepted) known
  cross join lateral (
    select known.accepted, case when known.accepted then h.month else (${sql.id(p)}.month + interval '1 month')::date end as from_month
  ) state
  where h.asset_id = ${sql.id(a)}.id and (state.accepted or ${expiry('h')} > ${now}::timestamptz)`;

/** Condition: asset `a` has a handover, perhaps an expired one. Most have none, so that is asked first: joining costs more. */
export const isHandedOver = (a: string) => sql<boolean>`exists (
  select 1 from handovers any_h where any_h.asset_id = ${sql.id(a)}.id)`;

/** A JSON object: the handover of asset `a` in period `p` as its owner sees it; null if there is none. */
export const handoverOfAsset = (a: string, p: string, now: Date): RawBuilder<unknown> =>
  sql`case when ${isHandedOver(a)} then (
  select json_build_object('username', u.username, ${columns}) from ${openHandover(a, p, now)}) end`;

/** What the new owner gets. */
export interface StoredHandoverTerms extends Omit<StoredHandover, 'username'> {
  offered_at: string;
  /** Of a cycle of the plan, if there is one; otherwise of a month. */
  price_cents: number;
  plan: Plan | null;
  currency: string;
  split_method: SplitMethod;
  base_percent: number;
  owner_hours: number;
  max_session_hours: number;
  max_hour_cents: number | null;
  owner_takes_part: boolean;
  measured: boolean;
  time_zone: string;
  next_price: { from_month: string; price_cents: number } | null;
  members: number;
}

/** A JSON object: the handover of asset `a` in period `p` as offered to the member of share `sh`; null if there is none. */
export const handoverToShare = (a: string, p: string, sh: string, now: Date): RawBuilder<unknown> =>
  sql`(
  select (
    select jsonb_build_object(${columns}) || ${termsToAgree(a, 'p', 'h')} || jsonb_build_object(
      'offered_at', h.offered_at,
      'members', (
        -- people without an account leave with the owner who added them
        select count(*) from shares each join users m on m.id = each.member_id
        where each.asset_id = ${sql.id(a)}.id and not each.own and each.id <> to_share.id and each.ended_at is null and each.accepted_at is not null
          and m.email is not null
      ) + case when h.stay_hours is null then 0 else 1 end)
    from periods p where p.asset_id = ${sql.id(a)}.id and p.month = state.from_month
  )
  from ${openHandover(a, p, now)} and to_share.id = ${sql.id(sh)}.id)`;

/** A JSON object: the member who has accepted to own asset `a`, and their first month; null if no one has. */
export const nextOwner = (a: string, p: string, now: Date): RawBuilder<unknown> =>
  sql`(
  select json_build_object('username', u.username, 'from_month', to_char(state.from_month, 'YYYY-MM'))
  from ${openHandover(a, p, now)} and state.accepted)`;
