import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import { lockThenRead } from '../../../platform/database/lock-then-read.ts';
import { accessFrom, periodOfAccess } from '../sql.ts';
import { shownTerms, termsAsJson, type AgreedTerms } from './sql.ts';

/**
 * Records that the member of a share agrees to the terms they have seen or, without any, to what a month costs them now or when their
 * access begins, and to their allowance. With `made`, records what a new offer shows.
 */
export async function insertAgreement(
  db: Database,
  { shareId, seen, made = false, now }: { shareId: number; seen?: AgreedTerms | undefined; made?: boolean; now: Date },
): Promise<void> {
  await sql`
    insert into agreements (share_id, agreed_at, split_method, base_percent, price_cents, currency, total_hours, places,
      monthly_hours, max_hour_cents, plan, extra_cost_cents)
    select sh.id, ${made ? sql`null` : accessFrom('a', 'sh', now)}, shown.split_method, shown.base_percent, shown.price_cents,
      a.currency, shown.total_hours, shown.places, shown.monthly_hours, shown.max_hour_cents, shown.plan, shown.extra_cost_cents
    from shares sh join assets a on a.id = sh.asset_id
    cross join ${periodOfAccess('a', 'sh', now)} p cross join ${seen ? asRow(seen) : shownTerms('a', 'p', 'sh')} shown
    where sh.id = ${shareId}`.execute(db);
  if (made) return;
  await sql`
    insert into allowances (share_id, since, monthly_hours, agreed_hours, counted_hours)
    select share_id, greatest(since, ${now}::timestamptz), monthly_hours, monthly_hours, counted_hours from allowances
    where share_id = ${shareId} and agreed_hours < monthly_hours
      and since = (select max(since) from allowances where share_id = ${shareId})
    on conflict (share_id, since) do update set agreed_hours = excluded.monthly_hours`.execute(db);
}

/** A table of one row, as `shownTerms`. */
const asRow = (terms: AgreedTerms) => sql`(
  select ${terms.method}::text as split_method, ${terms.basePercent}::int as base_percent, ${terms.priceCents}::bigint as price_cents,
    ${terms.totalHours}::int as total_hours, ${terms.places}::int as places, ${terms.monthlyHours}::int as monthly_hours,
    ${terms.maxHourCents}::bigint as max_hour_cents, ${terms.plan ? JSON.stringify(terms.plan) : null}::jsonb as plan,
    ${terms.extraCostCents}::bigint as extra_cost_cents
)`;

/** Locks an asset against changes of its terms, and returns those that an offer made now would show. */
export async function lockTermsToOffer(
  db: Database,
  {
    assetId,
    allocationHours,
    startsOn,
    now,
  }: { assetId: number; allocationHours: number; startsOn: string | undefined; now: Date },
): Promise<{ shown: AgreedTerms; currency: string } | undefined> {
  const [offered] = await lockThenRead(
    db,
    sql`select 1 from assets where id = ${assetId} for share`,
    sql<{ shown: AgreedTerms; currency: string }>`
      select (select ${termsAsJson('shown')} from ${shownTerms('a', 'p', 'sh')} shown) as shown, a.currency
      from assets a
      cross join lateral (
        select null::timestamptz as accepted_at, true as counted, ${allocationHours}::int as monthly_hours_allocated,
          ${startsOn ?? null}::date as starts_on
      ) sh
      cross join ${periodOfAccess('a', 'sh', now)} p
      where a.id = ${assetId}`,
  );
  return offered;
}
