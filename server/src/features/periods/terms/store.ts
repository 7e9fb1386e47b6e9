import { averageMonth } from '@hourshare/contract/cycles';
import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import type { Plan } from '../../assets/plans/rules.ts';
import { toRow, type PeriodTerms } from '../rules.ts';
import { currentMonth, currentPeriod, pricePerCycle, sharedDuringPeriod, termsOf } from '../sql.ts';

interface KnownTerms {
  next: PeriodTerms;
  /** The next month's, or what a month of its cycle costs on average, in minor units. */
  priceCents: number;
  /** The hours of all members. */
  memberHours: number;
  /** Whether anyone with an account had access in the current period. The owner decides for people without one. */
  hasMembers: boolean;
  /** When the current period ends. */
  endsAt: Date;
  /** The month after the current one, YYYY-MM. */
  nextMonth: string;
}

/** Returns the terms of an asset's next period, and what decides from when on an owner can change them. */
export async function readTerms(db: Database, assetId: number, now: Date): Promise<KnownTerms | undefined> {
  const { rows } = await sql<KnownTerms & { plan: Plan | null }>`
    select ${termsOf('following')} as next, ${pricePerCycle('following')} as "priceCents", following.plan, (
        select coalesce(sum(sh.monthly_hours_allocated), 0)::int from shares sh
        where sh.asset_id = a.id and not sh.own and sh.accepted_at is not null and sh.ended_at is null
      ) as "memberHours",
      exists (
        select 1 from shares sh join users u on u.id = sh.member_id and u.email is not null
        where sh.asset_id = a.id and not sh.own and ${sharedDuringPeriod('sh', 'p')}
      ) as "hasMembers", p.ends_at as "endsAt", to_char(following.month, 'YYYY-MM') as "nextMonth"
    from assets a cross join ${currentPeriod('a', now)} p
    join periods following on following.asset_id = a.id and following.month = (p.month + interval '1 month')::date
    where a.id = ${assetId}`.execute(db);
  return rows.map(({ plan, ...known }) => ({
    ...known,
    priceCents: averageMonth(known.priceCents, plan?.cycle ?? null),
  }))[0];
}

/** Changes an asset's terms from the current month on, or from the next. */
export async function setTerms(
  db: Database,
  { assetId, terms, from, now }: { assetId: number; terms: PeriodTerms; from: 'current' | 'next'; now: Date },
): Promise<void> {
  await db
    .updateTable('periods')
    .set(toRow(terms))
    .where('asset_id', '=', assetId)
    .where('month', from === 'current' ? '>=' : '>', currentMonth(assetId, now))
    .where('closed_at', 'is', null)
    .execute();
}
