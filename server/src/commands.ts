import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Email } from '@hourshare/contract/users';
import { english } from '@hourshare/contract/sentences';
import { PASSWORD_RESET_MINUTES, REGISTRATION_LINK_DAYS, SECURITY_EVENT_DAYS } from '@hourshare/contract/limits';
import { z } from 'zod';
import { settings } from './config.ts';
import type { Deps } from './deps.ts';
import {
  administratorNames,
  changeEmail,
  createAccount,
  disableAccount,
  enableAccount,
  resetPassword,
  setAdministrator,
} from './features/accounts/administration/service.ts';
import {
  chooseRegistration,
  createRegistrationLink,
  registrationOf,
} from './features/sign-ins/registration/service.ts';
import { deleteAccount } from './features/accounts/deletion/service.ts';
import { sendTestMail } from './features/mail/service.ts';
import { logCommand, readEventLog, type LoggedEvent } from './features/security-events/service.ts';
import { findUser } from './features/users/service.ts';
import { endTwoStep } from './features/sign-ins/two-step/service.ts';
import {
  BackupError,
  backUp,
  checkBackup,
  checkFile,
  copyDatabase,
  restore,
  type Summary,
} from './features/backups/service.ts';
import { readLastBackup } from './features/installation/service.ts';
import { findUsers, readHoldings, readTotals } from './features/insights/installation/service.ts';
import { brokenPeriods } from './features/periods/upkeep/service.ts';
import { listBalances } from './features/settlements/service.ts';
import { verifyUsage } from './features/usage/service.ts';
import type { Output } from './platform/command-socket.ts';
import { messageOf } from './platform/database/error-details.ts';
import { isUnavailable } from './platform/database/failure.ts';
import type { Result } from './platform/result.ts';
import { StartupError } from './platform/startup-error.ts';
import { mayConnect } from './platform/require-tls.ts';

// The administrator's commands. They run in the server if it uses the embedded database, otherwise in their own
// process.

/** Why a command failed, in one sentence. */
class CommandError extends Error {}

/** A command's result for its exit code and the log. */
interface Outcome {
  failed?: boolean;
  /** The account that the command was about. */
  userId?: number;
}

const options = {
  check: { type: 'boolean' },
  days: { type: 'string' },
  'hide-name': { type: 'boolean' },
  json: { type: 'boolean' },
  mail: { type: 'boolean' },
  off: { type: 'boolean' },
  repair: { type: 'boolean' },
  replace: { type: 'boolean' },
  since: { type: 'string' },
  yes: { type: 'boolean' },
} as const;

type Option = keyof typeof options;

/** What follows a command's name. */
interface Given {
  args: string[];
  options: { [Name in Option]?: ((typeof options)[Name]['type'] extends 'boolean' ? boolean : string) | undefined };
}

interface Command {
  usage: [args: string, about: string][];
  /** How many arguments it takes, not counting options. */
  takes: [min: number, max: number];
  options?: Option[];
  /** Whether its argument is the path of a file. */
  takesFile?: true;
  /** Yields the lines of its output, and sets its outcome before it ends or throws. */
  run: (deps: Deps, given: Given & { outcome: Outcome }) => AsyncGenerator<string, void>;
}

const LINK_DAYS_MAX = 30;

const commands: Record<string, Command> = {
  users: {
    usage: [
      ['[SEARCH]', 'list accounts, or those with a text in their username or email address'],
      ['[SEARCH] --json', 'as lines of JSON'],
    ],
    takes: [0, 1],
    options: ['json'],
    async *run(deps, { args: [search = ''], options: { json } }) {
      if (json === true) {
        for await (const { id: _, ...user } of findUsers(deps, search)) yield JSON.stringify(user);
        return;
      }
      yield userLine(['USERNAME', 'CREATED', 'LAST USED', 'ASSETS', 'DISABLED', 'EMAIL']);
      for await (const user of findUsers(deps, search))
        yield userLine([
          user.username,
          day(user.created_at),
          user.last_used_at ? day(user.last_used_at) : '-',
          String(user.assets),
          user.disabled ? 'yes' : 'no',
          user.email,
        ]);
    },
  },

  create: {
    usage: [
      ['USER EMAIL', 'create an account, and print a link to set its password'],
      ['USER EMAIL --days 7', `with a link that works for 7 days instead of ${PASSWORD_RESET_MINUTES} minutes`],
      [
        'USER EMAIL --mail',
        `and send them the link, which works for ${REGISTRATION_LINK_DAYS} days unless --days says otherwise`,
      ],
    ],
    takes: [2, 2],
    options: ['days', 'mail'],
    async *run(deps, { args: [username = '', email = ''], options: { days: typedDays, mail }, outcome }) {
      const days = typedDays === undefined ? undefined : readDays(typedDays);
      if (mail === true) requireMailer(deps);
      const lasting =
        mail === true
          ? { mailedDays: days ?? REGISTRATION_LINK_DAYS }
          : { minutes: days === undefined ? PASSWORD_RESET_MINUTES : days * 24 * 60 };
      const { userId, link } = valueOf(await createAccount(deps, { username, email, ...lasting }));
      outcome.userId = userId;
      if (link === null) {
        yield `Created ${username}. The link to set the password is on its way to ${email}.`;
        return;
      }
      const time = days === undefined ? `${PASSWORD_RESET_MINUTES} minutes` : count(days, 'day');
      yield `Created ${username}. This link to set the password works once, for ${time}:`;
      yield link;
    },
  },

  invite: {
    usage: [
      ['', 'print a link with which one person may create an account'],
      ['--days 3', `that works for 3 days instead of ${REGISTRATION_LINK_DAYS}`],
    ],
    takes: [0, 0],
    options: ['days'],
    async *run(deps, { options: { days: typedDays } }) {
      const days = typedDays === undefined ? REGISTRATION_LINK_DAYS : readDays(typedDays);
      if ((await registrationOf(deps)) === 'closed')
        throw new CommandError(
          'Registration is closed; with "registration invited", people with such a link may register.',
        );
      yield `One person can create an account with this link, within ${count(days, 'day')}:`;
      yield (await createRegistrationLink(deps, { days })).link;
    },
  },

  administrator: {
    usage: [
      ['', 'list the accounts that may use the page for administrators'],
      ['USER', 'let an account use it'],
      ['USER --off', 'and no longer'],
    ],
    takes: [0, 1],
    options: ['off'],
    async *run(deps, given) {
      const isOne = given.options.off !== true;
      if (given.args.length === 0) {
        if (!isOne) throw new CommandError('Say which account.');
        yield* await administratorNames(deps.db);
        return;
      }
      const { id, username } = await namedUser(deps, given);
      const isChanged = (await setAdministrator(deps, id, isOne)) ?? gone(username);
      yield `${username} ${isOne ? 'may' : 'may not'} use the page for administrators${isChanged ? '' : ', as before'}.`;
      if (isOne) yield `It is at ${deps.server.address}/administration. Changes there need two-step sign-in.`;
    },
  },

  'change-email': {
    usage: [['USER EMAIL', "change an account's email address, without asking for confirmation"]],
    takes: [2, 2],
    async *run(deps, { args, outcome }) {
      const { id, username } = await namedUser(deps, { args, outcome });
      const [, email = ''] = args;
      if (!valueOf(await changeEmail(deps, id, email))) gone(username);
      yield `The email address of ${username} is now ${email}.`;
    },
  },

  'test-mail': {
    usage: [['EMAIL', 'send a test message, and print what the mail server answers']],
    takes: [1, 1],
    async *run(deps, { args: [email = ''] }) {
      requireMailer(deps);
      if (!Email.safeParse(email).success) throw new CommandError('Enter a valid email address.');
      const problem = await sendTestMail(deps, email);
      if (problem !== undefined) throw new CommandError(`The mail server didn't accept the message: ${problem}`);
      yield `The mail server accepted a message to ${email}. If it doesn't arrive, look into the spam folder.`;
    },
  },

  'reset-password': {
    usage: [['USER', 'print a link to set a new password']],
    takes: [1, 1],
    async *run(deps, given) {
      const { id, username } = await namedUser(deps, given);
      const link = (await resetPassword(deps, id)) ?? gone(username);
      yield `This link to set a new password for ${username} works once, for ${PASSWORD_RESET_MINUTES} minutes:`;
      yield link;
    },
  },

  'two-step-off': {
    usage: [['USER', 'let an account sign in without a code, for someone who lost both app and recovery codes']],
    takes: [1, 1],
    async *run(deps, given) {
      const { id, username } = await namedUser(deps, given);
      yield (await endTwoStep(deps, id, 'administrator'))
        ? `Two-step sign-in of ${username} is off.`
        : `Two-step sign-in of ${username} was off already.`;
    },
  },

  disable: {
    usage: [['USER', 'sign an account out everywhere and keep it from signing in; nothing is lost']],
    takes: [1, 1],
    async *run(deps, given) {
      const { id, username } = await namedUser(deps, given);
      const ended = (await disableAccount(deps, id)) ?? gone(username);
      yield `Disabled ${username}; ${count(ended, 'sign-in')} ended.`;
    },
  },

  enable: {
    usage: [['USER', 'let a disabled account sign in again']],
    takes: [1, 1],
    async *run(deps, given) {
      const { id, username } = await namedUser(deps, given);
      if (!(await enableAccount(deps, id))) gone(username);
      yield `Enabled ${username}.`;
    },
  },

  delete: {
    usage: [
      ['USER', 'print what deleting an account would remove'],
      ['USER --yes', "and delete it; this can't be undone"],
      ['USER --yes --hide-name', 'and hide its name from others'],
    ],
    takes: [1, 1],
    options: ['yes', 'hide-name'],
    async *run(deps, given) {
      const { id, username } = await namedUser(deps, given);
      const keepName = given.options['hide-name'] !== true;
      if (given.options.yes === true) {
        if (!(await deleteAccount(deps, { userId: id, keepName }, 'administrator')).ok) gone(username);
        yield `Deleted ${username}.`;
        return;
      }
      const { assets, shares } = await readHoldings(deps, id);
      yield `Deleting ${username} deletes ${count(assets, 'asset')}, and ends access to ${count(shares, 'asset')} of others.`;
      yield `Open months are billed up to now. Statements and payments of others stay, with${keepName ? ' the name; --hide-name hides it' : 'out the name'}.`;
      const { results, next } = valueOf(await listBalances(deps, id, { limit: BALANCES_SHOWN }));
      for (const { username: other, they_owe: theyOwe, you_owe: youOwe, currency } of results) {
        if (theyOwe > 0) yield `${other} owes ${username} ${theyOwe} ${currency}.`;
        if (youOwe > 0) yield `${username} owes ${other} ${youOwe} ${currency}.`;
      }
      if (next !== null) yield 'There are more balances.';
      yield 'Nothing was deleted. To delete it, run the same with --yes.';
      given.outcome.failed = true;
    },
  },

  registration: {
    usage: [
      ['', 'print who may create an account: open (anyone), invited, or closed (no one)'],
      ['open|invited|closed', 'and change it at once, if REGISTRATION is unset'],
    ],
    takes: [0, 1],
    async *run(deps, { args: [choice] }) {
      const isSet = deps.config.REGISTRATION !== undefined;
      if (choice !== undefined) {
        const chosen = settings.REGISTRATION.schema.safeParse(choice);
        if (!chosen.success) throw new CommandError(`Registration must be ${settings.REGISTRATION.must}.`);
        if (isSet)
          throw new CommandError(
            `The setting REGISTRATION is ${deps.config.REGISTRATION} and decides; unset it first, and restart the server.`,
          );
        await chooseRegistration(deps, chosen.data);
      }
      yield `Registration is ${await registrationOf(deps)}${isSet ? ', by the setting REGISTRATION' : ''}.`;
    },
  },

  events: {
    usage: [
      ['', `print the security events of the last ${SECURITY_EVENT_DAYS} days, oldest first`],
      ['USER', 'those of an account'],
      ['[USER] --since DATE', 'those since a day (2026-03-10) or a time (2026-03-10T08:00Z)'],
      ['[USER] --json', 'as lines of JSON'],
    ],
    takes: [0, 1],
    options: ['since', 'json'],
    async *run(deps, given) {
      const { since: typedTime, json } = given.options;
      const since = typedTime === undefined ? undefined : readTime(typedTime);
      const user = given.args.length === 0 ? undefined : await namedUser(deps, given);
      if (json === true) {
        for await (const { id: _, ...event } of readEventLog(deps, { userId: user?.id, since }))
          yield JSON.stringify(event);
        return;
      }
      yield eventLine(['TIME (UTC)', 'ACCOUNT', 'EVENT', 'DETAILS']);
      for await (const event of readEventLog(deps, { userId: user?.id, since })) yield describeEvent(event);
    },
  },

  stats: {
    usage: [['', 'print how much there is']],
    takes: [0, 0],
    async *run(deps) {
      const totals = await readTotals(deps);
      const line = (name: string, value: string | number) => `${`${name}:`.padEnd(22)}${value}`;
      yield line('Accounts', `${totals.users}, ${totals.disabled_users} of them disabled`);
      yield line('People without one', totals.people);
      yield line('Assets', totals.assets);
      yield line('Running sessions', totals.open_sessions);
      yield line('Sessions this month', totals.month_sessions);
      yield line('Closed statements', totals.statements);
      yield line('Database', `${(totals.database_bytes / 1_000_000).toFixed(1)} MB`);
      yield line('Newest migration', totals.migration);
      const { madeAt, failedAt } = await readLastBackup(deps.db);
      const failed = failedAt ? `, failing since ${minute(failedAt)}; the log says why` : '';
      yield line('Daily backup', `${madeAt ? minute(madeAt) : 'none yet'}${failed}`);
    },
  },

  backup: {
    usage: [['FILE', 'write everything in the database into a new file']],
    takes: [1, 1],
    takesFile: true,
    async *run(deps, { args: [path = ''] }) {
      const { bytes, ...summary } = await backUp(deps, path);
      yield `Backed up ${contentsOf(summary)} to ${path} (${(bytes / 1_000_000).toFixed(1)} MB).`;
      yield summary.secret
        ? 'The file holds the secret of this server, so keep it private.'
        : "The file doesn't include SECRET. You'll need it to restore, so keep it safe.";
    },
  },

  restore: {
    usage: [
      ['FILE', 'fill the database from a backup, if it has no accounts'],
      ['FILE --replace', "delete everything in the database first; this can't be undone"],
      ['FILE --check', 'restore it into a temporary database instead, to see that it works'],
    ],
    takes: [1, 1],
    options: ['replace', 'check'],
    takesFile: true,
    async *run(deps, { args: [path = ''], options: { replace } }) {
      const { adopted, ...summary } = await restore(deps, path, { replace: replace === true });
      yield `Restored ${contentsOf(summary)}. Everything matches the backup.`;
      if (adopted && deps.config.DATABASE_URL !== undefined)
        yield "The backup's secret is now in DATA_DIR. Restart every running server of this database.";
    },
  },

  'copy-database': {
    usage: [['ADDRESS', 'copy the database into an empty PostgreSQL database']],
    takes: [1, 1],
    async *run(deps, { args: [address = ''] }) {
      if (!settings.DATABASE_URL.schema.safeParse(address).success)
        throw new CommandError(`The address must be ${settings.DATABASE_URL.must}.`);
      if (!mayConnect(deps.config, address))
        throw new CommandError(
          'With REQUIRE_TLS on, the address must use ?sslmode=verify-full or point to this machine.',
        );
      yield `Copied ${contentsOf(await copyDatabase(deps, address))}. Both databases match.`;
      const secret = deps.config.SECRET === undefined ? 'DATA_DIR, which keeps the secret' : 'SECRET';
      yield `To move there, stop this server, set DATABASE_URL to that address, and start again with the same ${secret}.`;
      yield 'If anyone has used this server in the meantime, copy again, into an empty database, after stopping it.';
    },
  },

  verify: {
    usage: [
      ['', 'check the stored usage totals against the sessions they come from'],
      ['--repair', 'and rebuild wrong totals of open months; closed months never change'],
    ],
    takes: [0, 0],
    options: ['repair'],
    run: verify,
  },
};

const BALANCES_SHOWN = 100;

async function* verify(
  { db }: Deps,
  { options: { repair }, outcome }: Given & { outcome: Outcome },
): AsyncGenerator<string, void> {
  let [assets, wrong, repaired] = [0, 0, 0];
  for (const line of await brokenPeriods(db)) {
    wrong += 1;
    yield line;
  }
  for await (const { assetId, days } of verifyUsage(db, { repair: repair === true })) {
    assets += 1;
    for (const each of days) {
      wrong += 1;
      if (each.repaired) repaired += 1;
      const [stored, expected] = [
        usage(each.seconds, each.sessions),
        usage(each.expected_seconds, each.expected_sessions),
      ];
      const result = each.repaired ? ', repaired' : each.closed ? ', closed' : '';
      yield `asset ${assetId}, share ${each.share_id}, ${each.day}: ${stored} stored, ${expected} expected${result}`;
    }
  }
  const differences = wrong === 0 ? 'no differences' : `${count(wrong, 'difference')}, ${repaired} repaired`;
  yield `Verified ${count(assets, 'asset')}: ${differences}.`;
  outcome.failed = wrong > repaired;
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;

const usage = (seconds: number, sessions: number) => `${seconds} s in ${count(sessions, 'session')}`;

const minute = (time: Date) => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const contentsOf = ({ rows, tables }: Summary) => `${count(rows, 'row')} in ${count(tables, 'table')}`;

const day = (time: Date) => time.toISOString().slice(0, 10);

/** Returns a number of days for which a link works. */
function readDays(typed: string): number {
  const days = Number(typed);
  if (!/^\d{1,2}$/.test(typed) || days < 1 || days > LINK_DAYS_MAX)
    throw new CommandError(`--days must be a whole number from 1 to ${LINK_DAYS_MAX}.`);
  return days;
}

function requireMailer({ mailer }: Deps): void {
  if (!mailer) throw new CommandError('No mail server is set; set SMTP_URL and MAIL_FROM, and restart the server.');
}

const Since = z.union([z.iso.date(), z.iso.datetime({ offset: true, local: true })]);

/** Returns a point in time from a day or a time in ISO 8601; without a time zone, it is UTC. */
function readTime(typed: string): Date {
  if (!Since.safeParse(typed).success)
    throw new CommandError('--since must be a day (2026-03-10) or a time (2026-03-10T08:00Z).');
  return new Date(/T[\d:.]+$/.test(typed) ? `${typed}Z` : typed);
}

const eventLine = ([time = '', account = '', event = '', details = '']: string[]) =>
  [time.padEnd(20), account.padEnd(30), event.padEnd(24), details].join('  ').trimEnd();

/** Returns an event as one line. */
function describeEvent(event: LoggedEvent): string {
  const account = event.username ?? (event.former_id === null ? '-' : `Deleted user ${event.former_id}`);
  const device = [event.browser, event.system].filter((each) => each !== null).join(' on ');
  const details = [
    event.detail,
    event.count === 1 ? undefined : `count ${event.count}`,
    event.actor === 'administrator'
      ? ['by the administrator', event.actor_name].filter((each) => each !== null).join(' ')
      : undefined,
    event.actor === 'other' ? `by ${event.actor_name ?? 'a deleted account'}` : undefined,
    device === '' ? undefined : device,
    event.sign_in_id === null ? undefined : `sign-in ${event.sign_in_id}`,
  ].filter((each) => typeof each === 'string');
  return eventLine([`${event.happened_at.toISOString().slice(0, 19)}Z`, account, event.event, details.join(', ')]);
}

const userLine = ([username = '', created = '', used = '', assets = '', disabled = '', email = '']: string[]) =>
  [username.padEnd(30), created.padEnd(10), used.padEnd(10), assets.padStart(6), disabled.padEnd(8), email].join('  ');

function valueOf<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new CommandError(english(result.sentence));
}

async function namedUser(deps: Deps, { args: [username = ''], outcome }: { args: string[]; outcome: Outcome }) {
  const user = (await findUser(deps, username)) ?? gone(username);
  outcome.userId = user.id;
  return user;
}

function gone(username: string): never {
  throw new CommandError(`No account has the username ${username}.`);
}

/** Returns the command that these arguments name, and what follows it; undefined if there is none, or if it doesn't take that. */
function readCommand(typed: string[]) {
  const [name = '', ...rest] = typed;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) return undefined;
  try {
    const { values, positionals: args } = parseArgs({ args: rest, options, allowPositionals: true });
    const [min, max] = command.takes;
    const takesOptions = Object.keys(values).every((each) => command.options?.some((option) => option === each));
    return takesOptions && args.length >= min && args.length <= max
      ? { name, command, args, options: values }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Returns arguments with the path of a file as it is for this folder, because the server may run in another one. */
export function resolveFile(typed: string[], folder: string): string[] {
  const known = readCommand(typed);
  if (known?.command.takesFile !== true) return typed;
  // None of its options has a value.
  const given = Object.keys(known.options).map((option) => `--${option}`);
  return [known.name, ...known.args.map((path) => resolve(folder, path)), ...given];
}

/** Returns the file that these arguments ask to restore, and whether only to check it; undefined for other commands. */
export function fileToRestore(typed: string[]): { path: string; isCheck: boolean } | undefined {
  const { name, args: [path] = [], options: given } = readCommand(typed) ?? {};
  return name === 'restore' && path !== undefined ? { path, isCheck: given?.check === true } : undefined;
}

/** Returns the usage text if these arguments name no command. `caller` is what people type before the arguments. */
export function usageProblem(typed: string[], caller: string): string | undefined {
  if (readCommand(typed)) return undefined;
  const [name] = typed;
  const isKnown = name !== undefined && Object.hasOwn(commands, name);
  const lines = Object.entries(commands)
    .filter(([each]) => !isKnown || each === name)
    .flatMap(([each, { usage: calls }]) =>
      calls.map(([args, about]) => `${`${caller} ${each} ${args}`.trimEnd().padEnd(54)}${about}`),
    );
  return [...(isKnown || name === undefined ? [] : [`${name}: no such command`, '']), ...lines].join('\n');
}

/** Checks a backup without the server's database. Yields and returns as `runCommand` does. */
export async function* runCheck(path: string): AsyncGenerator<Output, number> {
  try {
    const { createdAt, version, neededSecret, ...summary } = await checkBackup(path);
    const about = `${contentsOf(summary)}, from ${minute(createdAt)}, by version ${version}`;
    yield { text: `${path} can be restored: ${about}.`, isError: false };
    if (neededSecret !== null) yield { text: `It needs the SECRET with the code ${neededSecret}.`, isError: false };
    return 0;
  } catch (error) {
    const text = messageFor(error);
    if (text === undefined) throw error;
    yield { text, isError: true };
    return 1;
  }
}

/** Returns why a file can't be restored, before there is a database to restore it into; undefined if it can. */
export async function restoreProblem(path: string): Promise<string | undefined> {
  try {
    await checkFile(path);
    return undefined;
  } catch (error) {
    const text = messageFor(error);
    if (text === undefined) throw error;
    return text;
  }
}

/** Returns what the administrator can do something about, in a sentence; undefined for other failures. */
function messageFor(error: unknown): string | undefined {
  if (error instanceof CommandError || error instanceof BackupError || error instanceof StartupError)
    return error.message;
  if (!isUnavailable(error)) return undefined;
  return `The database is unavailable (${messageOf(error)}); check that it is running and that its disk has space, then run this again.`;
}

/**
 * Runs the command that these arguments name, and logs it. Yields the lines to print, and returns the exit code: 0 if it
 * succeeded, 1 if not, 2 if there is no such command.
 */
export async function* runCommand(deps: Deps, typed: string[]): AsyncGenerator<Output, number> {
  const known = readCommand(typed);
  if (!known) {
    yield { text: "The running server is a different version and doesn't know this command.", isError: true };
    return 2;
  }
  const { name, command, ...given } = known;
  const outcome: Outcome = {};
  // Stays unknown if the client stops reading.
  let code: 0 | 1 | undefined;
  try {
    for await (const text of command.run(deps, { ...given, outcome })) yield { text, isError: false };
    code = outcome.failed ? 1 : 0;
  } catch (error) {
    code = 1;
    const text = messageFor(error);
    if (text === undefined) deps.log.error({ err: error, command: name }, 'a command failed');
    yield { text: text ?? 'The command failed; the log says why.', isError: true };
  } finally {
    logCommand(deps, { userId: outcome.userId ?? null, command: name, code });
  }
  return code;
}
