import { sql, type RawBuilder } from 'kysely';
import { OFFER_DAYS } from '@hourshare/contract/limits';
import type { SplitMethod } from '@hourshare/contract/fields';
import {
  dateInPeriod,
  nextPrice,
  nextTerms,
  sharedDuringPeriod,
  type StoredNextPrice,
  type StoredTerms,
} from '../periods/sql.ts';

// Expressions over shares that any store may join. Only this folder's stores write shares and allowances.

/** When an offer of share `sh` expires. */
export const offerExpiry = sql<Date>`(sh.created_at + make_interval(days => ${OFFER_DAYS}::int))`;

/** Condition: share `sh` is an offer that nothing has recorded as ended, but that has expired. */
export const isExpiredOffer = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`(sh.accepted_at is null and sh.ended_at is null and ${offerExpiry} <= ${now}::timestamptz)`;

/** Condition: share `sh` gives access or offers it. */
export const isOpenShare = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`(sh.ended_at is null and (sh.accepted_at is not null or ${offerExpiry} > ${now}::timestamptz))`;

/** What an asset costs now and later, and how it is split. */
export interface StoredPricing {
  price_cents: number;
  currency: string;
  split_method: SplitMethod;
  base_percent: number;
  owner_hours: number;
  next_terms: StoredTerms | null;
  next_price: StoredNextPrice | null;
}

/** Columns: what asset `a` costs in period `p`, and what differs in later ones. */
export const pricing = sql`
  p.price_cents, a.currency, p.split_method, p.base_percent, p.owner_hours, ${nextPrice} as next_price,
  (
    select ${nextTerms('next')} from periods next
    where next.asset_id = a.id and next.month = (p.month + interval '1 month')::date
  ) as next_terms`;

/** The number of members of asset `a` who have accepted. */
export const memberCount = sql<number>`(
  select count(*) from shares each
  where each.asset_id = a.id and each.ended_at is null and each.accepted_at is not null
)::int`;

/** Condition: invitation `i` to asset `a` can be accepted: its maker is the owner, or has been a co-manager since before. */
export const isOpenInvitation = (
  now: Date,
): RawBuilder<boolean> => sql<boolean>`(i.expires_at > ${now}::timestamptz and (
  i.maker_id = a.owner_id or exists (
    select 1 from shares making
    where making.asset_id = a.id and making.member_id = i.maker_id and making.manager_since <= i.created_at
      and making.ended_at is null)))`;

/** The days of span `piece` in period `p`: the `first`, and the one after the last. */
const daysOfPiece = sql`
  case when lower(piece) <= p.starts_at then p.month else ${dateInPeriod(sql`lower(piece)`)} end as first,
  least((p.month + interval '1 month')::date, ${dateInPeriod(sql`(upper(piece) - interval '1 microsecond')`)} + 1) as next`;

/**
 * A lateral table `access` of one row: in period `p`, the `days` on which shares `sh` of one member gave access, and
 * their `hour_days`, the allowances at the end of each of those days, or of its access, summed. A day counts once,
 * with the latest share's allowance, and not at all if the asset was archived throughout. Source:
 * docs/how-costs-are-split.md.
 */
export const accessInPeriod = (shares: RawBuilder<unknown>): RawBuilder<unknown> => sql`lateral (
  select coalesce(sum(days), 0)::int as days, coalesce(sum(days * monthly_hours), 0)::int as hour_days
  from (
    -- Stretches with one allowance are in order, so only the next one can take a day from each.
    select monthly_hours, greatest(0, least(next, lead(first, 1, next) over (order by id, start)) - first) as days
    from (
      select sh.id, held.monthly_hours, lower(piece) as start, ${daysOfPiece}
      from shares sh
      cross join lateral (
        select monthly_hours, tstzrange(since, lead(since) over (order by since)) as during
        from allowances where share_id = sh.id
      ) held
      cross join lateral unnest(
        tstzmultirange(held.during * tstzrange(sh.accepted_at, sh.ended_at) * tstzrange(p.starts_at, p.ends_at))
        - coalesce(
          (select range_agg(tstzrange(since, until)) from archivals where asset_id = sh.asset_id), '{}'::tstzmultirange
        )
      ) piece
      where ${shares} and ${sharedDuringPeriod}
    ) stretch
  ) counted
) access`;
