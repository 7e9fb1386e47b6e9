import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import type { PeriodTerms } from '../rules.ts';
import { currentMonth, currentPeriod, isOfAccount, sharedDuringPeriod, termsOf } from '../sql.ts';

interface KnownTerms {
  current: PeriodTerms;
  next: PeriodTerms;
  hasMembers: boolean;
  /** When the current period ends. */
  endsAt: Date;
  /** The month after the current one, YYYY-MM. */
  nextMonth: string;
}

/** Returns the terms of an asset's current period and of the next, as an owner changes them. */
export async function readTerms(db: Database, assetId: number, now: Date): Promise<KnownTerms | undefined> {
  const { rows } = await sql<KnownTerms>`
    select ${termsOf('p')} as current, ${termsOf('following')} as next, exists (
        select 1 from shares sh where sh.asset_id = a.id and ${sharedDuringPeriod} and ${isOfAccount}
      ) as "hasMembers", p.ends_at as "endsAt", to_char(following.month, 'YYYY-MM') as "nextMonth"
    from assets a cross join ${currentPeriod(now)}
    join periods following on following.asset_id = a.id and following.month = (p.month + interval '1 month')::date
    where a.id = ${assetId}`.execute(db);
  return rows[0];
}

/** Changes an asset's terms from the current month on, or from the next. */
export async function setTerms(
  db: Database,
  { assetId, terms, from, now }: { assetId: number; terms: PeriodTerms; from: 'current' | 'next'; now: Date },
): Promise<void> {
  await db
    .updateTable('periods')
    .set({
      split_method: terms.method,
      base_percent: terms.basePercent,
      owner_hours: terms.ownerHours,
      max_session_hours: terms.maxSessionHours,
    })
    .where('asset_id', '=', assetId)
    .where('month', from === 'current' ? '>=' : '>', currentMonth(assetId, now))
    .where('closed_at', 'is', null)
    .execute();
}
