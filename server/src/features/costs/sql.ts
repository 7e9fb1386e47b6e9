import type { CostSplit } from '@hourshare/contract/costs';
import { sql, type RawBuilder } from 'kysely';
import { accessOnDay } from '../shares/sql.ts';

// Expressions over extra costs that other stores join. Only this folder's store writes them.

/** A cost of a period, as JSON has it. Deleted accounts have their former ids. */
export interface StoredCost {
  id: number;
  version: number;
  status: 'proposed' | 'counted';
  /** `YYYY-MM-DD` */
  day: string;
  text: string;
  cents: number;
  split: CostSplit;
  /** Null for an account that is gone altogether. */
  payerId: number | null;
  personId: number | null;
  authorId: number | null;
  access: { userId: number; hours: number }[];
  /** With a yes, the most that it costs; null for any part. */
  answers: { userId: number; answer: 'yes' | 'no'; agreedCents: number | null }[];
}

/** A lateral table `v` of one row: the version of cost `c` that counts. */
export const lastVersion = (c: string): RawBuilder<unknown> => sql`lateral (
  select * from cost_versions where cost_id = ${sql.id(c)}.id order by version desc limit 1
)`;

/** Condition: in period `p`, a cost that someone else entered waits for the owner to count or decline it. */
export const hasProposals = (p: string): RawBuilder<boolean> => sql<boolean>`exists (
  select 1 from costs c
  where c.asset_id = ${sql.id(p)}.asset_id and c.month = ${sql.id(p)}.month and c.status = 'proposed'
    and c.author_id is distinct from ${sql.id(p)}.owner_id
)`;

/** The id of a user, the former one of a deleted account. */
const idOf = (column: RawBuilder<unknown>) => sql`(select coalesce(former_id, id) from users where id = ${column})`;

/** A lateral table of one row: the costs of period `p` of asset `a` that count or may yet, as a `list` in the order of their entry. */
export const costsOfPeriod = (a: string, p: string): RawBuilder<unknown> => sql`lateral (
  select coalesce(json_agg(json_build_object(
    'id', c.id, 'version', v.version, 'status', c.status, 'day', v.day, 'text', v.text, 'cents', v.amount_cents, 'split', v.split,
    'payerId', ${idOf(sql`v.payer_id`)}, 'personId', ${idOf(sql`v.person_id`)}, 'authorId', ${idOf(sql`c.author_id`)},
    'access', (
      select coalesce(json_agg(json_build_object('userId', ${idOf(sql`held.member_id`)}, 'hours', held.hours)), '[]')
      from ${accessOnDay(a, 'paid', sql`v.day`)} held
    ),
    'answers', (
      select coalesce(json_agg(json_build_object('userId', ${idOf(sql`answered.user_id`)}, 'answer', answered.answer, 'agreedCents', answered.agreed_cents)), '[]')
      from cost_answers answered where answered.cost_id = c.id and answered.version = v.version
    )
  ) order by c.id), '[]') as list
  from costs c cross join ${lastVersion('c')} v
  join periods paid on paid.asset_id = c.asset_id and paid.month = date_trunc('month', v.day)::date
  where c.asset_id = ${sql.id(a)}.id and c.month = ${sql.id(p)}.month and c.status in ('proposed', 'counted')
)`;
