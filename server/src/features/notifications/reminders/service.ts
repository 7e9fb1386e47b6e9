import type { User } from '@hourshare/contract/users';
import type { Statement } from '@hourshare/contract/statements';
import { LIST_PAGE_SIZE } from '@hourshare/contract/limits';
import { toMinor } from '@hourshare/contract/money';
import type { Deps } from '../../../deps.ts';
import type { MailData, MailText } from '../../../mails.ts';
import { t } from '../../../messages/messages.ts';
import { transaction } from '../../../platform/database/transaction.ts';
import { queueMail } from '../../mail/service.ts';
import { claimMonthlyReminders, claimWeeklyReminders } from '../../accounts/reminders/service.ts';
import { me } from '../../users/service.ts';
import { listAllStatements } from '../../statements/reading/service.ts';
import { formatsOf, type Reader } from '../notices/wire.ts';
import { unsubscribeLinks } from '../unsubscribe/service.ts';
import * as store from './store.ts';

/** The hour of Monday from which weekly reminders are sent, in the user's time zone. */
const MORNING = 8;
/** How long after a month's end its reminder waits for the last asset to close. */
const WAIT_DAYS = 4;
const BATCH = 100;
/** How many statements are read at once. */
const STATEMENTS = 1000;

/** Queues the weekly reminders that are due: each once, however many servers there are. */
export async function queueWeeklyReminders(deps: Deps): Promise<void> {
  if (!deps.mailer) return;
  const now = await deps.confirmedTime(deps.db);
  for (let count = BATCH; count === BATCH;)
    count = await transaction(deps, async (deps) => {
      const due = await claimWeeklyReminders(deps.db, { now, hour: MORNING, limit: BATCH });
      for (const { user_id: userId, monday } of due)
        await queueMail(deps, 'weeklyReminder', { userId, monday }, userId);
      return due.length;
    });
}

/** Queues the monthly reminders that are due: each once, however many servers there are. */
export async function queueMonthlyReminders(deps: Deps): Promise<void> {
  if (!deps.mailer) return;
  const now = await deps.confirmedTime(deps.db);
  const month = previousMonth(now);
  for (let after: number | null = 0; after !== null;) {
    const page: store.StatementBatch = await store.usersWithStatements(deps.db, {
      month,
      now,
      waitDays: WAIT_DAYS,
      after,
      limit: STATEMENTS,
    });
    await queueMonthly(deps, page.user_ids, month);
    after = page.last;
  }
}

async function queueMonthly(deps: Deps, waiting: number[], month: string): Promise<void> {
  for (let from = 0; from < waiting.length; from += BATCH)
    await transaction(deps, async (deps) => {
      const userIds = waiting.slice(from, from + BATCH);
      for (const userId of await claimMonthlyReminders(deps.db, { userIds, month }))
        await queueMail(deps, 'monthlyReminder', { userId, month }, userId);
    });
}

/** Returns the month before that of an instant, `YYYY-MM`. Months close days after their end, so zones don't matter. */
const previousMonth = (now: Date): string =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);

/** Returns a user who still wants reminders, and how they read them. */
async function reminded(deps: Deps, userId: number): Promise<{ user: User; reader: Reader } | undefined> {
  const found = await me(deps, userId);
  if (!found.ok || !found.value.usage_reminders) return undefined;
  return { user: found.value, reader: { language: found.value.language ?? 'en', timeZone: found.value.time_zone } };
}

/** Writes what a user and their assets were used for last week; undefined if there is nothing to say. */
async function writeWeekly(deps: Deps, { userId, monday }: MailData['weeklyReminder']): Promise<MailText | undefined> {
  const found = await reminded(deps, userId);
  if (!found) return undefined;
  const { language } = found.reader;
  const formats = formatsOf(found.reader);
  const week = await store.readWeek(deps.db, { userId, day: monday });
  const running = await store.readRunning(deps.db, { userId, now: deps.clock() });
  const charges = (await readStatements(deps, userId)).flatMap(ownCharge(found.user.username));
  if (week.length === 0 && running.length === 0) return undefined;
  const day = (daysBefore: number) => formats.day(new Date(Date.parse(monday) - daysBefore * 24 * 3_600_000), 'UTC');
  const sections: [string, string[]][] = [
    [
      t(language, '{from} to {to}:', { from: day(7), to: day(1) }),
      week.map(({ asset_name: asset, owned, seconds }) => {
        const values = { asset, hours: formats.hours(Math.round(seconds / 36) / 100) };
        return owned ? t(language, '{asset}, all members: {hours}', values) : t(language, '{asset}: {hours}', values);
      }),
    ],
    [
      t(language, 'Your costs so far in {month}:', { month: formats.month(charges[0]?.month ?? monday.slice(0, 7)) }),
      charges.map(({ asset, amount, currency }) =>
        t(language, '{asset}: {amount}', { asset, amount: formats.money(amount, currency) }),
      ),
    ],
    [
      t(language, 'Still running:'),
      running.map(({ asset_name: asset, username: name, started_at: since }) =>
        t(language, '{asset}, {name}: since {time}', { asset, name, time: formats.time(since.toISOString()) }),
      ),
    ],
  ];
  return reminderMail(deps, found, {
    subject: t(language, 'Your week on HourShare'),
    sections,
    path: '/dashboard',
  });
}

/** Writes what a closed month came to for a user; undefined if there is nothing to say. */
async function writeMonthly(deps: Deps, { userId, month }: MailData['monthlyReminder']): Promise<MailText | undefined> {
  const found = await reminded(deps, userId);
  if (!found) return undefined;
  const { language } = found.reader;
  const formats = formatsOf(found.reader);
  const statements = await readStatements(deps, userId, month);
  const charges = statements.filter(({ closed }) => closed).flatMap(ownCharge(found.user.username));
  if (charges.length === 0) return undefined;
  const open = statements.filter(({ closed }) => !closed).map(({ asset_name: name }) => name);
  const list = new Intl.ListFormat(language).format(open);
  return reminderMail(deps, found, {
    subject: t(language, 'Your statements for {month} are ready', { month: formats.month(month) }),
    sections: [
      [
        t(language, 'Your shares:'),
        charges.map(({ asset, amount, currency }) =>
          t(language, '{asset}: {amount}', { asset, amount: formats.money(amount, currency) }),
        ),
      ],
      ['', open.length === 0 ? [] : [t(language, 'Not closed yet: {assets}', { assets: list })]],
    ],
    path: '/costs',
  });
}

function reminderMail(
  deps: Deps,
  { user, reader: { language } }: { user: User; reader: Reader },
  { subject, sections, path }: { subject: string; sections: [string, string[]][]; path: string },
): MailText {
  const paragraphs = sections.flatMap(([head, lines]) =>
    lines.length === 0 ? [] : [[...(head === '' ? [] : [head]), ...lines].join('\n')],
  );
  return {
    to: user.email,
    language,
    subject,
    paragraphs: [paragraphs.join('\n\n')],
    link: { text: t(language, 'Open HourShare'), address: `${deps.server.address}${path}` },
    unsubscribe: unsubscribeLinks(deps, { userId: user.id, setting: 'usage_reminders', language }),
  };
}

/** Returns a user's statements of a month, or of the current one. */
async function readStatements(deps: Deps, userId: number, month?: string): Promise<Statement[]> {
  const statements: Statement[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await listAllStatements(deps, userId, { limit: LIST_PAGE_SIZE, cursor, month });
    if (!page.ok) break;
    statements.push(...page.value.results);
    cursor = page.value.next;
  }
  return statements;
}

/** Returns what a user pays on a statement, in minor units, if there is something to pay. */
const ownCharge =
  (username: string) =>
  ({ asset_name: asset, month, currency, lines }: Statement) => {
    const amount = lines.find((line) => line.username === username)?.amount ?? 0;
    return amount === 0 ? [] : [{ asset, month, currency, amount: toMinor(amount, currency) }];
  };

export function defineMails({ mails }: Deps): void {
  mails.define('weeklyReminder', writeWeekly);
  mails.define('monthlyReminder', writeMonthly);
}
