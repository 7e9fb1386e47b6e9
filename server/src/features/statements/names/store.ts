import { sql, type RawBuilder } from 'kysely';
import type { Names } from '../../../causes.ts';
import type { Database } from '../../../platform/database/database.ts';
import { renamedGuest } from '../../accounts/guests/sql.ts';

/** Replaces a user's name on all statements, and in the names of people without an account that contain it. */
export async function hideName(db: Database, userId: number, { from, to }: Names): Promise<void> {
  const renamed = (name: RawBuilder<unknown>) => renamedGuest(name, { from, to });
  await sql`
    update statements st set edited_sessions = (
      select jsonb_agg(case
          when (each ->> 'member_id')::bigint = ${userId} and each ->> 'username' = ${from}::text
            then jsonb_set(each, '{username}', to_jsonb(${to}::text))
          when st.owner_id = ${userId}
            then jsonb_set(each, '{username}', to_jsonb(${renamed(sql`(each ->> 'username')`)}))
          else each
        end order by position)
      from jsonb_array_elements(st.edited_sessions) with ordinality listed (each, position)
    )
    where st.edited_sessions <> '[]' and st.id in (
      select id from statements where owner_id = ${userId}
      union all select statement_id from statement_lines where user_id = ${userId}
    )`.execute(db);
  await sql`
    update statements st set renewal = jsonb_set(st.renewal, '{votes}', (
      select jsonb_agg(case
          when each ->> 'username' = ${from}::text then jsonb_set(each, '{username}', to_jsonb(${to}::text)) else each
        end order by position)
      from jsonb_array_elements(st.renewal -> 'votes') with ordinality listed (each, position)
    ))
    -- also where they have no line, because they had left by then; as arrays, so that only these are read
    where st.id = any(array(
        select id from statements
        where asset_id = any(array(select asset_id from renewal_votes where user_id = ${userId}))
          or owner_id = any(array(select owner_id from statement_lines where user_id = ${userId}))
      ))
      and st.renewal @> jsonb_build_object('votes', jsonb_build_array(jsonb_build_object('username', ${from}::text)))`.execute(
    db,
  );
  await sql`update statements set owner_name = ${to} where owner_id = ${userId}`.execute(db);
  await sql`
    update statement_lines set username = ${to}
    where user_id = ${userId} and username = ${from}`.execute(db);
  const person = sql`username`;
  await sql`
    update statement_lines set username = ${renamed(person)}
    where owner_id = ${userId} and username <> ${renamed(person)}`.execute(db);
}
