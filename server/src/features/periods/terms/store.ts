import { sql } from 'kysely';
import type { Database } from '../../../platform/database/database.ts';
import type { PeriodTerms } from '../rules.ts';
import { currentMonth, currentPeriod, sharedDuringPeriod } from '../sql.ts';

interface KnownTerms {
  next: PeriodTerms;
  /** Whether anyone with an account had access in the current period. The owner decides for people without one. */
  hasMembers: boolean;
  /** When the current period ends. */
  endsAt: Date;
  /** The month after the current one, YYYY-MM. */
  nextMonth: string;
}

/** Returns the terms of an asset's next period, and what decides from when on an owner can change them. */
export async function readTerms(db: Database, assetId: number, now: Date): Promise<KnownTerms | undefined> {
  const { rows } = await sql<KnownTerms>`
    select json_build_object('method', following.split_method, 'basePercent', following.base_percent,
        'ownerHours', following.owner_hours, 'maxSessionHours', following.max_session_hours) as next,
      exists (
        select 1 from shares sh join users u on u.id = sh.member_id and u.email is not null
        where sh.asset_id = a.id and ${sharedDuringPeriod}
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
