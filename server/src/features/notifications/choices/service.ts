import {
  NOTICE_DEFAULTS,
  NoticeKind,
  type NoticeChannels,
  type NoticeChoice,
  type NoticeChoices,
  type NoticeChoicesUpdate,
} from '@hourshare/contract/notifications';
import type { Deps } from '../../../deps.ts';
import { transaction } from '../../../platform/database/transaction.ts';
import { failField, ok, type Result } from '../../../platform/result.ts';
import { notSignedIn } from '../../users/errors.ts';
import { lockUsers } from '../../users/service.ts';
import * as rules from '../notices/rules.ts';
import * as store from './store.ts';

/** Returns how a user is notified of each kind. */
export async function listChoices({ db }: Deps, userId: number): Promise<Result<NoticeChoices>> {
  const chosen = new Map((await store.readChoices(db, userId)).map((choice) => [choice.kind, choice]));
  return ok({ results: NoticeKind.options.map((kind) => toChoice(kind, chosen.get(kind))), next: null });
}

function toChoice(kind: NoticeKind, chosen: NoticeChannels | undefined): NoticeChoice {
  const { bell, mail, push } = chosen ?? NOTICE_DEFAULTS[kind];
  return { kind, bell, mail: mail || rules.isMailedAlways(kind), push, mail_always: rules.isMailedAlways(kind) };
}

/** Changes how a user is notified of some kinds. */
export function changeChoices(
  deps: Deps,
  userId: number,
  { choices }: NoticeChoicesUpdate,
): Promise<Result<NoticeChoices>> {
  return transaction(deps, async (deps) => {
    if (choices.some(({ kind, mail }) => mail === false && rules.isMailedAlways(kind)))
      return failField('choices', { english: 'This email is always sent' });
    const users = await lockUsers(deps.db, [userId]);
    if (!users.has(userId)) return notSignedIn();
    const current = await listChoices(deps, userId);
    if (!current.ok) return current;
    const all = new Map(current.value.results.map(({ mail_always: _always, ...choice }) => [choice.kind, choice]));
    for (const { kind, bell, mail, push } of choices) {
      const before = all.get(kind) ?? NOTICE_DEFAULTS[kind];
      all.set(kind, { kind, bell: bell ?? before.bell, mail: mail ?? before.mail, push: push ?? before.push });
    }
    const kinds = [...new Set(choices.map(({ kind }) => kind))];
    await store.saveChoices(deps.db, { userId, choices: kinds.flatMap((kind) => all.get(kind) ?? []) });
    return listChoices(deps, userId);
  });
}
