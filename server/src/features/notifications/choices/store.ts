import type { NoticeChannels } from '@hourshare/contract/notifications';
import type { Database } from '../../../platform/database/database.ts';

export type StoredChoice = NoticeChannels & { kind: string };

export const readChoices = (db: Database, userId: number): Promise<StoredChoice[]> =>
  db.selectFrom('notice_choices').select(['kind', 'bell', 'mail', 'push']).where('user_id', '=', userId).execute();

export async function saveChoices(
  db: Database,
  { userId, choices }: { userId: number; choices: StoredChoice[] },
): Promise<void> {
  await db
    .insertInto('notice_choices')
    .values(choices.map((choice) => ({ user_id: userId, ...choice })))
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'kind']).doUpdateSet((builder) => ({
        bell: builder.ref('excluded.bell'),
        mail: builder.ref('excluded.mail'),
        push: builder.ref('excluded.push'),
      })),
    )
    .execute();
}
