import { z } from 'zod';
import { ById, type EndpointTable } from './calls.ts';
import { Id, Instant, listOf, pageFields, Registration } from './fields.ts';
import { LIST_PAGE_SIZE, USERNAME_MAX_LENGTH } from './limits.ts';

// What administrators can do in the app. Only a command makes an account one; everyone else gets 404.

/** When backups were made in the server's folder for them. */
const Backups = z.object({
  /** Whether the server has such a folder. */
  folder: z.boolean(),
  made_at: Instant.nullable(),
  /** Since when making one has failed; null if the last attempt succeeded. */
  failing_since: Instant.nullable(),
});

const Job = z.object({
  /** As the log and the metrics name it, in English. */
  name: z.string(),
  every_seconds: z.number(),
  /** When it last ended on the server that answers, and when it last succeeded there; null if it hasn't yet. */
  last_run_at: Instant.nullable(),
  last_success_at: Instant.nullable(),
  failing: z.boolean(),
});

/** The state of the server. */
export const Administration = z
  .object({
    registration: Registration,
    /** Whether a setting of the server decides that. */
    registration_set: z.boolean(),
    mail: z.boolean(),
    backups: Backups,
    jobs: z.array(Job),
    versions: z.object({ hourshare: z.string(), node: z.string(), database: z.string(), migration: z.string() }),
  })
  .meta({ id: 'Administration' });
export type Administration = z.infer<typeof Administration>;

export const UpdateAdministrationRequest = z
  .strictObject({ registration: Registration })
  .meta({ id: 'UpdateAdministrationRequest' });

/** An account as administrators see it: nothing of what it shares, pays, or uses. */
export const AdministeredAccount = z
  .object({
    id: Id,
    username: z.string(),
    /** Days in UTC. */
    created_on: z.iso.date(),
    /** Null if the account isn't signed in anywhere. */
    last_used_on: z.iso.date().nullable(),
    assets: z.int(),
    disabled: z.boolean(),
    /** Its account changes only by commands. */
    administrator: z.boolean(),
  })
  .meta({ id: 'AdministeredAccount' });
export type AdministeredAccount = z.infer<typeof AdministeredAccount>;

const AccountsQuery = z
  .strictObject({
    ...pageFields(LIST_PAGE_SIZE),
    /** A part of the username, in any case. */
    search: z.string('search must be text').max(USERNAME_MAX_LENGTH, 'search is too long').optional(),
  })
  .transform(({ limit = LIST_PAGE_SIZE, search = '', cursor }) => ({ limit, search, cursor }));

export const UpdateAccountRequest = z
  .strictObject({ disabled: z.boolean('disabled must be true or false') })
  .meta({ id: 'UpdateAccountRequest' });

/** A link that works once. It is shown only now. */
const MadeLink = z.object({ link: z.string(), expires_at: Instant }).meta({ id: 'MadeLink' });

/** What went wrong, in English, as the file system or the mail server says it; null if it worked. */
const Attempt = z.object({ problem: z.string().nullable() }).meta({ id: 'Attempt' });

export const administrationEndpoints = {
  'GET /api/administration/': {
    summary: 'Get the state of the server; answers only administrators, like all calls below it',
    administrator: true,
    answers: { 200: Administration },
  },
  'PATCH /api/administration/': {
    summary: 'Choose who may create an account, unless a setting of the server decides',
    administrator: true,
    recentCheck: true,
    body: UpdateAdministrationRequest,
    answers: { 200: Administration },
  },
  'POST /api/administration/invitations/': {
    summary: 'Make a link with which one person can create an account',
    administrator: true,
    recentCheck: true,
    idempotent: true,
    secret: true,
    answers: { 201: MadeLink },
  },
  'POST /api/administration/test-mail/': {
    summary: 'Send a test message to the address of the administrator',
    administrator: true,
    recentCheck: true,
    answers: { 200: Attempt },
  },
  'POST /api/administration/backups/': {
    summary: "Make a backup in the server's folder for them",
    administrator: true,
    recentCheck: true,
    answers: { 200: Attempt },
  },
  'GET /api/administration/accounts/': {
    summary: 'List the accounts, oldest first',
    administrator: true,
    query: AccountsQuery,
    answers: { 200: listOf(AdministeredAccount).meta({ id: 'AdministeredAccountList' }) },
  },
  'PATCH /api/administration/accounts/{id}/': {
    summary:
      'Disable an account, which signs it out everywhere and keeps it from signing in, or enable it; not for those of administrators',
    administrator: true,
    recentCheck: true,
    params: ById,
    body: UpdateAccountRequest,
    answers: { 200: AdministeredAccount },
  },
  'POST /api/administration/accounts/{id}/reset-link/': {
    summary: 'Make a link with which the user can set a new password; not for accounts of administrators',
    administrator: true,
    recentCheck: true,
    idempotent: true,
    secret: true,
    params: ById,
    answers: { 201: MadeLink },
  },
} as const satisfies EndpointTable;
