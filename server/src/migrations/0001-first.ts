import { sql, type Kysely } from 'kysely';

// Every table, by subject. The comments become comments in the database and in schema.ts.
//
// Rules that must hold whatever the code does are constraints: one active session per share, one open share per asset
// and member, one statement per asset and month. Only plain PostgreSQL is used, without extensions or triggers, and no
// now(), because every instant comes from the server's clock.
//
// Throughout: `_cents` are minor units of the currency, a `month` is its first day, and a sealed text is encrypted with
// the secret of the server.

/** A column's type and constraints, and a comment unless its name says enough. */
type Column = string | readonly [definition: string, comment: string];

interface Table {
  comment: string;
  columns: Readonly<Record<string, Column>>;
  /** The primary key, unless one column is it, and what else involves several columns. */
  constraints?: readonly string[];
  indexes?: readonly string[];
}

const id = 'bigint generated always as identity primary key';
const userId = 'bigint not null references users (id) on delete cascade';
const assetId = 'bigint not null references assets (id) on delete cascade';
const shareId = 'bigint not null references shares (id) on delete cascade';
/** Keeps the row when the account is deleted. */
const userOrGone = 'bigint references users (id) on delete set null';
const ofPeriod = 'foreign key (asset_id, month) references periods (asset_id, month) on delete cascade';

const firstOfMonth = (name: string, column = 'month') => `constraint ${name} check (extract(day from ${column}) = 1)`;
const oneOf = (name: string, column: string, values: string) =>
  `constraint ${name} check (${column} in ('${values.replaceAll(' ', "', '")}'))`;
const between = (name: string, column: string, [from, to]: readonly [number, number]) =>
  `constraint ${name} check (${column} between ${from} and ${to})`;
/** A month has at most 744 hours. */
const monthlyHours = (name: string, column: string) => between(name, column, [1, 744]);
const tokenHash = (table: string): Column => [
  `text not null constraint ${table}_token_hash unique`,
  'SHA-256 of the token, in hexadecimal. The token itself is not stored.',
];
const splitMethod = (table: string) =>
  `text not null ${oneOf(`${table}_split_method`, 'split_method', 'usage allocation equal share_of_use')}`;
const addedLate = (table: string) => `text ${oneOf(`${table}_added_late`, 'added_late', 'start end both')}`;

const sessionSource = (table: string) =>
  `text not null default 'pressed' ${oneOf(`${table}_source`, 'source', 'pressed added metered')}`;
const externalId = (table: string) =>
  `text constraint ${table}_external_id check (char_length(external_id) between 1 and 100)`;

/** Of a cost, and of what is written about it. */
const COST_TEXT_LENGTH = 120;

const managerChanges =
  'details price terms archived restored shared hours removed invited revoked objected withdrawn replied';
const paymentSteps = 'sent paid confirmed not_received undo_asked undo_withdrawn confirmation_undone undone';

const accounts: Record<string, Table> = {
  users: {
    comment:
      'Accounts; people without an account, who have a host_id; and what is left of deleted accounts, with a former_id.',
    columns: {
      id,
      username: [
        'text not null',
        'Unique regardless of case. People without an account are named like "Grandma (ana)", which no account can be.',
      ],
      email: ['text', 'Unique regardless of case. Only accounts have one.'],
      email_confirmed_at: [
        'timestamptz',
        'When someone first opened a link that was sent to the address; null until then.',
      ],
      password_hash: ['text', 'Argon2id; null without an account, and for accounts without a password.'],
      time_zone: 'text not null',
      language: [
        `text ${oneOf('users_language', 'language', 'en de fr es pt-BR ja ar')}`,
        'For screens and email; null until one is chosen, so that each browser decides.',
      ],
      email_notifications: ['boolean not null default true', 'Whether notices are sent by email at all.'],
      usage_reminders: ['boolean not null default true', 'Whether weekly and monthly reminders are sent by email.'],
      payment_methods: [
        `jsonb not null default '[]'`,
        'Kind, value, holder, and town of each. Shown only to people who owe this user.',
      ],
      two_step_since: ['timestamptz', 'Since when signing in also takes a code; null if it does not.'],
      administrator_since: ['timestamptz', 'Since when a command lets the account use the page for administrators.'],
      disabled_at: ['timestamptz', 'When an administrator disabled the account; null if it is enabled.'],
      host_id: [
        'bigint references users (id) on delete cascade',
        'The owner who added this guest, a person without an account; null for accounts.',
      ],
      former_id: [
        'bigint constraint users_former_id_unique unique',
        'The id of the deleted account whose shares and assets this row keeps; null for others.',
      ],
      reminded_week: ['date', 'The Monday of the last weekly reminder.'],
      reminded_month: ['date', 'First day of the last month whose statements were in a reminder.'],
      created_at: 'timestamptz not null',
    },
    constraints: [
      `constraint users_username_shape check (
        username ~ case
          when former_id is not null then '^([A-Za-z0-9._-]{3,30}|Deleted user [0-9]+)$'
          when host_id is null then '^[A-Za-z0-9._-]{3,30}$'
          else ' \\(([A-Za-z0-9._-]{3,30}|Deleted user [0-9]+)\\)$'
        end
      )`,
      `constraint users_account check (
        (host_id is null and former_id is null) = (email is not null)
        and (password_hash is null or (host_id is null and former_id is null))
        and (host_id is null or former_id is null)
      )`,
      'constraint users_disabled check (disabled_at is null or host_id is null)',
      'constraint users_administrator check (administrator_since is null or email is not null)',
      'constraint users_two_step check (two_step_since is null or email is not null)',
    ],
    indexes: [
      'unique index users_username_unique on users (lower(username))',
      'unique index users_email_unique on users (lower(email))',
      'index users_host on users (host_id) where host_id is not null',
    ],
  },
  passkeys: {
    comment: 'WebAuthn credentials. Each signs its user in without a password.',
    columns: {
      id,
      user_id: userId,
      credential_id: [
        'text not null constraint passkeys_credential_id unique',
        'Chosen by the device, in base64url, as are user_handle and public_key.',
      ],
      user_handle: ['text not null', 'Random; identifies the user to devices, and is the same for all their passkeys.'],
      public_key: ['text not null', 'In COSE format. It only verifies, so a copy of it gives no access.'],
      counter: [
        'bigint not null constraint passkeys_counter check (counter >= 0)',
        'How often the device says it was used; 0 if the device does not count. A lower number means a copy.',
      ],
      transports: ['text[] not null', 'How browsers reach the device: internal, hybrid, usb.'],
      backed_up: ['boolean not null', 'Whether it was stored in several places when last used.'],
      name: ['text', 'Chosen by the user; null until then.'],
      device: ['text not null', 'The User-Agent it was created with, cut to 200 characters.'],
      created_at: 'timestamptz not null',
      last_used_at: 'timestamptz',
    },
    indexes: ['index passkeys_user on passkeys (user_id)'],
  },
  used_challenges: {
    comment: 'Passkey challenges that were answered, so that each counts once. Others are not stored.',
    columns: {
      challenge_hash: ['text primary key', 'SHA-256, in hexadecimal.'],
      expires_at: 'timestamptz not null',
    },
    indexes: ['index used_challenges_end on used_challenges (expires_at)'],
  },
  sign_ins: {
    comment: 'One sign-in on one device, until sign-out, expiry, or a replayed refresh token.',
    columns: {
      id,
      user_id: userId,
      handle: [
        'text not null constraint sign_ins_handle_unique unique',
        'Random name inside its tokens. Unlike an id, it never comes back after a backup is restored.',
      ],
      generation: ['integer not null default 0', 'The number of the current refresh token, counted from 0.'],
      refresh_hash: ['text not null', 'SHA-256 of the current refresh token.'],
      replaced_at: [
        'timestamptz',
        'When the current refresh token replaced the previous one; null for the first token.',
      ],
      confirmed: [
        'boolean not null default true',
        'Whether its client has the current refresh token: it has used that, or the access token that came with it.',
      ],
      checked_at: ['timestamptz not null', 'When the user last proved who they are.'],
      checked_with: `text not null ${oneOf('sign_ins_checked_with', 'checked_with', 'password passkey provider')}`,
      passkey_id: [
        'bigint references passkeys (id) on delete set null',
        'The passkey it was made with; null if it was made another way, or the passkey was removed.',
      ],
      device: ['text not null', 'The User-Agent it was made with, cut to 200 characters.'],
      name: [
        'text constraint sign_ins_name_length check (char_length(name) between 1 and 50)',
        'What the user calls the device; null until they name it.',
      ],
      created_at: 'timestamptz not null',
      last_used_at: 'timestamptz not null',
      expires_at: 'timestamptz not null',
      ended_at: ['timestamptz', 'When it ended before it expired; null if it has not.'],
    },
    indexes: ['index sign_ins_user on sign_ins (user_id)', 'index sign_ins_passkey on sign_ins (passkey_id)'],
  },
  two_step_keys: {
    comment: 'Keys of authenticator apps. A key is not in use while its user has no two_step_since.',
    columns: {
      user_id: 'bigint primary key references users (id) on delete cascade',
      sealed: ['text not null', 'The key, sealed.'],
      created_at: 'timestamptz not null',
      last_step: [
        'bigint',
        'The latest period of 30 seconds since 1970 whose code was used. Only later codes are accepted.',
      ],
    },
  },
  recovery_codes: {
    comment: 'Each stands in for one code of the authenticator app, and is deleted when used.',
    columns: {
      user_id: userId,
      code_hash: ['text not null', 'SHA-256 of the code without hyphens, in hexadecimal.'],
    },
    constraints: ['primary key (user_id, code_hash)'],
  },
  identities: {
    comment: 'Accounts at sign-in providers that users have connected.',
    columns: {
      id,
      user_id: userId,
      provider: `text not null ${oneOf('identities_provider', 'provider', 'google github oidc')}`,
      issuer: ['text not null', 'The provider itself. After a change of settings, oidc may be another one.'],
      subject: ['text not null', 'The permanent id of the account at the provider.'],
      name: ['text', 'What the account was called when it was connected, to tell it from others.'],
      created_at: 'timestamptz not null',
      last_used_at: 'timestamptz not null',
    },
    constraints: [
      'constraint identities_subject unique (issuer, subject)',
      'constraint identities_user unique (user_id, issuer)',
    ],
  },
  provider_flows: {
    comment:
      'People who are signing in at a provider (state), or who are back and must choose how to continue (ticket).',
    columns: {
      id,
      step: `text not null ${oneOf('provider_flows_step', 'step', 'state ticket')}`,
      token_hash: [
        'text not null constraint provider_flows_token_hash unique',
        'SHA-256 of the state or the ticket, in hexadecimal.',
      ],
      browser_hash: ['text not null', 'SHA-256 of a cookie: only the browser that started can continue.'],
      provider: `text not null ${oneOf('provider_flows_provider', 'provider', 'google github oidc')}`,
      purpose: `text not null ${oneOf('provider_flows_purpose', 'purpose', 'sign-in link check')}`,
      sealed: ['text not null', 'What verifies the answer of the provider, or whom it named, sealed.'],
      created_at: 'timestamptz not null',
      expires_at: 'timestamptz not null',
    },
    constraints: ['constraint provider_flows_expire_later check (expires_at > created_at)'],
    indexes: ['index provider_flows_end on provider_flows (expires_at)'],
  },
  calendar_feeds: {
    comment: 'Addresses at which calendar programs read sessions and closings, one for each user.',
    columns: {
      user_id: 'bigint primary key references users (id) on delete cascade',
      token_hash: tokenHash('calendar_feeds'),
      created_at: 'timestamptz not null',
    },
  },
  registration_links: {
    comment: 'Links of the administrator, with which one person may create an account. Deleted when used.',
    columns: {
      id,
      token_hash: tokenHash('registration_links'),
      created_at: 'timestamptz not null',
      expires_at: 'timestamptz not null',
    },
    constraints: ['constraint registration_links_expire_later check (expires_at > created_at)'],
  },
  password_resets: {
    comment: 'Links for setting a new password.',
    columns: {
      id,
      user_id: userId,
      token_hash: tokenHash('password_resets'),
      emailed: ['boolean not null', "Whether it was sent to the user's address; else the administrator made it."],
      created_at: 'timestamptz not null',
      expires_at: 'timestamptz not null',
    },
    constraints: ['constraint password_resets_expire_later check (expires_at > created_at)'],
    indexes: [
      'index password_resets_user on password_resets (user_id)',
      'index password_resets_end on password_resets (expires_at)',
    ],
  },
  email_changes: {
    comment: 'Email addresses, new or first ones, that wait to be confirmed, at most one for each user.',
    columns: {
      user_id: 'bigint primary key references users (id) on delete cascade',
      email: 'text not null',
      token_hash: tokenHash('email_changes'),
      created_at: 'timestamptz not null',
      expires_at: 'timestamptz not null',
    },
    constraints: ['constraint email_changes_expire_later check (expires_at > created_at)'],
    indexes: ['index email_changes_end on email_changes (expires_at)'],
  },
  security_events: {
    comment: 'Events in the security of accounts and of the server, shown to users and to the administrator.',
    columns: {
      id,
      user_id: [
        'bigint references users (id) on delete cascade',
        'Null if no account has the name that was tried, or if it is about the whole server.',
      ],
      former_id: ['bigint', 'The id of a deleted account, of which nothing else is kept.'],
      event: [
        'text not null',
        'The kind, as in docs/security.md. Not a closed list, because later versions add kinds.',
      ],
      detail: [
        'text',
        'Why sign-ins or access tokens ended, how someone signed in, who may create an account from then on, or what an administrator did.',
      ],
      count: [
        'integer not null constraint security_events_count check (count > 0)',
        'How many attempts, sign-ins, or access tokens it stands for.',
      ],
      actor: [
        `text not null ${oneOf('security_events_actor', 'actor', 'user other administrator unknown')}`,
        'user: the account itself. other: the account in actor_id, as administrator is in the app. unknown: someone who was not signed in.',
      ],
      actor_id: [userOrGone, 'Null if that account was deleted, and for commands.'],
      browser: ['text', 'In words, as in lists of devices; of the latest attempt if several are counted.'],
      system: 'text',
      sign_in_id: ['bigint', 'The sign-in that was used or made. Its row may be gone.'],
      happened_at: 'timestamptz not null',
      last_at: ['timestamptz not null', 'When the latest of those counted happened.'],
      hour: [
        'timestamptz',
        'Set for events that strangers can cause: one row counts all of an hour, so that no one can fill the table.',
      ],
    },
    constraints: [
      'constraint security_events_former check (user_id is null or former_id is null)',
      `constraint security_events_actor_id check (actor_id is null or actor in ('other', 'administrator'))`,
    ],
    indexes: [
      `unique index security_events_hour on security_events (user_id, event, hour) nulls not distinct
        where hour is not null`,
      'index security_events_user on security_events (user_id, id)',
      'index security_events_actor_id on security_events (actor_id) where actor_id is not null',
      'index security_events_end on security_events (last_at)',
    ],
  },
};

const installation: Record<string, Table> = {
  installation: {
    comment: 'Facts about the whole installation, in one row.',
    columns: {
      id: 'smallint primary key default 1 check (id = 1)',
      secret_fingerprint: ['text not null', 'Tells which secret the servers use, without revealing it.'],
      registration: [
        `text ${oneOf('installation_registration', 'registration', 'open invited closed')}`,
        'Who may create an account, unless a setting of the server decides; null if no one has chosen.',
      ],
      backed_up_at: ['timestamptz', 'When a server last made the daily backup; null if none has.'],
      backup_failed_at: [
        'timestamptz',
        'When the daily backup first failed since the last one that was made; null if it has not failed since.',
      ],
      backed_up_by_hand_at: ['timestamptz', 'When an administrator last made a backup in the app; null if none has.'],
      push_public_key: ['text', 'Identifies this installation to push services; made when first needed.'],
      push_sealed_key: ['text', 'The private key for push messages, sealed.'],
      periods_extended_at: [
        'timestamptz',
        'When every asset last had its periods for two months ahead; null if unknown.',
      ],
    },
  },
  job_runs: {
    comment: 'Jobs that one server does for all.',
    columns: {
      job: 'text primary key',
      started_at: ['timestamptz not null', 'When it last started, by the clock of the database.'],
    },
  },
  idempotency_keys: {
    comment: 'Answers kept for 24 hours, so that a repeated request gets the same bytes.',
    columns: {
      user_id: userId,
      key: ['text not null', 'Chosen by the client.'],
      request_hash: ['text not null', 'SHA-256 of the method, path, and body.'],
      status: ['integer not null', 'The HTTP status; 0 while the first request is being handled.'],
      body: ['text not null', 'JSON, sealed if it contains a secret.'],
      created_at: 'timestamptz not null',
    },
    constraints: ['primary key (user_id, key)'],
    indexes: ['index idempotency_keys_age on idempotency_keys (created_at)'],
  },
};

const assets: Record<string, Table> = {
  assets: {
    comment: 'What is paid for and shared. What can differ from month to month is in periods.',
    columns: {
      id,
      owner_id: [
        'bigint not null references users (id) on delete cascade',
        'The current owner; periods has the owner of each month.',
      ],
      name: 'text not null constraint assets_name_length check (char_length(name) between 1 and 100)',
      description: `text not null constraint assets_description_length check (char_length(description) <= 2000)`,
      currency: [`text not null default 'USD'`, 'An ISO 4217 code.'],
      archived_at: ['timestamptz', 'Null unless it is archived now.'],
      ends_on: ['date', 'From this day on it is archived, in the time zone of its month.'],
      cancel_by_days: [
        `integer ${between('assets_cancel_by', 'cancel_by_days', [0, 365])}`,
        'How many days before a renewal it can be canceled for the last time.',
      ],
      auto_renews: ['boolean not null default true', 'Whether it renews unless it is canceled.'],
      reminder_days: [
        `integer[] not null default '{}' constraint assets_reminders check (cardinality(reminder_days) <= 5)`,
        'How many days before the last day to cancel, or else before a renewal, to remind of it.',
      ],
      deleted_at: [
        'timestamptz',
        'When its owner deleted it. No one has access any more. It is removed with nothing left to close, and no offer to count.',
      ],
      created_at: 'timestamptz not null',
    },
    indexes: [
      'index assets_owner on assets (owner_id, id)',
      // For the schedule, which looks for them every few minutes.
      'index assets_ending on assets (ends_on) where ends_on is not null and archived_at is null',
      `index assets_reminded on assets (id) where reminder_days <> '{}' and archived_at is null and deleted_at is null`,
      'index assets_deleted on assets (id) where deleted_at is not null',
    ],
  },
  archivals: {
    comment: 'When an asset was archived, so that no one could use it.',
    columns: {
      asset_id: assetId,
      since: 'timestamptz not null',
      until: [
        'timestamptz constraint archivals_forward check (since <= until)',
        'When it was restored; null while it is archived.',
      ],
    },
    constraints: ['primary key (asset_id, since)'],
    indexes: ['unique index archivals_one_open on archivals (asset_id) where until is null'],
  },
  periods: {
    comment: 'A billing period: one calendar month of an asset, with everything that can differ from month to month.',
    columns: {
      asset_id: assetId,
      month: [`date not null ${firstOfMonth('periods_month')}`, 'First day of the month.'],
      owner_id: [
        userOrGone,
        'Who owns the asset in this period; null if the period is closed and that account was deleted.',
      ],
      time_zone: 'text not null',
      starts_at: ['timestamptz not null', 'The end of the previous period.'],
      ends_at: [
        'timestamptz not null',
        'The start of the next month in the time zone of this period, or when the asset was deleted.',
      ],
      price_cents: [
        'bigint not null constraint periods_price check (price_cents >= 0)',
        'What the month costs; with a plan, calculated from it.',
      ],
      plan: ['jsonb', 'How the price spreads over months; null for a price per calendar month.'],
      cycle_cents: [
        'bigint constraint periods_cycle_price check (cycle_cents >= 0)',
        'The price of cycles that start in this month or later; null without a plan.',
      ],
      price_parts: ['jsonb', 'What each cycle adds to price_cents; null without a plan, and until it is calculated.'],
      price_since: ['date not null', 'First day of the month from which that price was set.'],
      split_method: [splitMethod('periods'), 'By use, by allowance, evenly, or by share of use.'],
      base_percent: [
        `integer not null ${between('periods_base_percent', 'base_percent', [0, 100])}`,
        'With split_method usage or share_of_use, this part of the price is split by allowance.',
      ],
      max_hour_cents: [
        'bigint constraint periods_max_hour check (max_hour_cents >= 0)',
        'The most that an hour costs a member with split_method share_of_use; null with the others.',
      ],
      extra_cost_cents: [
        'bigint not null default 0 constraint periods_extra_cost check (extra_cost_cents >= 0)',
        'How much of extra costs a member bears a month without being asked.',
      ],
      max_hour_chosen: [
        'boolean not null default false constraint periods_max_hour_chosen check (max_hour_cents is not null or not max_hour_chosen)',
        'Whether someone chose max_hour_cents; if not, it was the price divided by all hours.',
      ],
      owner_takes_part: ['boolean not null default false', 'Whether the owner has sessions, too.'],
      measured: ['boolean not null default true', 'Whether members have sessions; if not, it is split evenly.'],
      owner_hours: [
        `integer not null ${between('periods_owner_hours', 'owner_hours', [0, 744])}`,
        'Whole hours a month reserved for the owner.',
      ],
      max_session_hours: [
        `integer not null default 24 ${monthlyHours('periods_max_session_hours', 'max_session_hours')}`,
        'After how many hours a session ends by itself.',
      ],
      partial: ['boolean not null default false', 'Whether the asset was added, archived, or restored within it.'],
      unbilled: [
        'boolean not null default false',
        'Whether its price counts as 0, as the owner chose when archiving or deleting the asset.',
      ],
      asset_name: [
        'text',
        'What the asset was called when the period was due to close; null if it has not been renamed since.',
      ],
      closed_at: ['timestamptz', 'Null while it is open.'],
    },
    constraints: [
      'primary key (asset_id, month)',
      'constraint periods_one_start unique (asset_id, starts_at)',
      'constraint periods_forward check (starts_at < ends_at)',
      `constraint periods_max_hour_method check ((split_method = 'share_of_use') = (max_hour_cents is not null))`,
      `constraint periods_not_measured check (measured or (split_method = 'equal' and not owner_takes_part))`,
      'constraint periods_plan check ((plan is null) = (cycle_cents is null) and (plan is not null or price_parts is null))',
      'constraint periods_price_since check (price_since <= month and extract(day from price_since) = 1)',
    ],
    indexes: [
      'index periods_due on periods (ends_at, asset_id) where closed_at is null',
      'index periods_owner on periods (owner_id)',
      'index periods_taking_part on periods (asset_id) where owner_takes_part and closed_at is null',
    ],
  },
  renewal_votes: {
    comment: 'What members say about the renewal of a plan.',
    columns: {
      asset_id: assetId,
      renews_on: 'date not null',
      user_id: userId,
      choice: `text not null ${oneOf('renewal_votes_choice', 'choice', 'keep smaller cancel')}`,
      line: 'text not null',
      voted_at: 'timestamptz not null',
    },
    constraints: ['primary key (asset_id, renews_on, user_id)'],
    indexes: ['index renewal_votes_user on renewal_votes (user_id)'],
  },
  renewal_decisions: {
    comment: "Owners' decisions about the renewal of a plan.",
    columns: {
      asset_id: assetId,
      renews_on: 'date not null',
      decision: `text not null ${oneOf('renewal_decisions_decision', 'decision', 'renewed canceled')}`,
      decided_at: 'timestamptz not null',
    },
    constraints: ['primary key (asset_id, renews_on)'],
  },
  price_changes: {
    comment: 'Every change of the price of a period, for its statement.',
    columns: {
      id,
      asset_id: 'bigint not null',
      month: 'date not null',
      changed_at: 'timestamptz not null',
      from_cents: 'bigint not null',
      to_cents: 'bigint not null',
    },
    constraints: [ofPeriod, 'constraint price_changes_differ check (from_cents <> to_cents)'],
    indexes: ['index price_changes_period on price_changes (asset_id, month)'],
  },
  confirmations: {
    comment: 'Members who said that they have nothing to edit in an ended period. An edit withdraws it.',
    columns: {
      asset_id: 'bigint not null',
      month: 'date not null',
      member_id: userId,
      confirmed_at: 'timestamptz not null',
    },
    constraints: ['primary key (asset_id, month, member_id)', ofPeriod],
    indexes: ['index confirmations_member on confirmations (member_id)'],
  },
};

const shares: Record<string, Table> = {
  shares: {
    comment: 'The access of one member to one asset: offered, accepted, and ended.',
    columns: {
      id,
      asset_id: assetId,
      member_id: userId,
      monthly_hours_allocated: [
        `integer not null ${between('shares_allocation', 'monthly_hours_allocated', [0, 744])}`,
        'The allowance now; allowances has all since it was accepted. 0 only if own.',
      ],
      own: [
        'boolean not null default false',
        'Whether it is the owner who uses the asset, too. It counts nowhere as a member, and ends with owning or taking part.',
      ],
      manager_since: [
        'timestamptz',
        'Since when the member co-manages the asset, which ends with the share; null if they do not.',
      ],
      counted: [
        'boolean not null default true',
        'Whether it counts toward the fullest moment; not if a co-manager added it, until the owner confirms it.',
      ],
      created_at: ['timestamptz not null', 'When access was offered.'],
      accepted_at: [
        'timestamptz',
        'When the member accepted; null while it is only offered. Nothing before it is charged.',
      ],
      starts_on: [
        `date ${firstOfMonth('shares_starts_on', 'starts_on')}`,
        'First day of the earliest month in which access can begin; null if it can begin at once.',
      ],
      promised_at: [
        'timestamptz',
        'When the member said yes to access that begins later. It begins when that month does.',
      ],
      ended_at: 'timestamptz constraint shares_end_after_start check (ended_at >= created_at)',
      objected_at: [
        'timestamptz',
        'When someone who joined declined what was recorded for them without an account. The owner pays for it.',
      ],
    },
    constraints: [
      'constraint shares_accepted_after_offer check (accepted_at >= created_at)',
      'constraint shares_accepted_before_end check (accepted_at <= ended_at)',
      'constraint shares_promised check (promised_at is null or starts_on is not null)',
      'constraint shares_manager check (manager_since is null or accepted_at is not null)',
      'constraint shares_own check (monthly_hours_allocated > 0 or own)',
    ],
    indexes: [
      'unique index shares_one_open on shares (asset_id, member_id) where ended_at is null',
      'unique index shares_own on shares (asset_id) where own and ended_at is null',
      'index shares_member on shares (member_id, id) where ended_at is null',
      'index shares_offered on shares (member_id, created_at) where accepted_at is null and ended_at is null',
      'index shares_promised on shares (starts_on) where promised_at is not null and accepted_at is null and ended_at is null',
      'index shares_of_asset on shares (asset_id, member_id)',
      'index shares_of_member on shares (member_id, asset_id)',
    ],
  },
  allowances: {
    comment: 'The monthly hours of a share, from an instant on.',
    columns: {
      share_id: shareId,
      since: ['timestamptz not null', 'When they take effect.'],
      monthly_hours: `integer not null ${between('allowances_monthly_hours', 'monthly_hours', [0, 744])}`,
      agreed_hours: [
        'integer not null constraint allowances_agreed check (agreed_hours between 0 and monthly_hours)',
        'How many of them the member has agreed to pay for.',
      ],
      counted_hours: [
        'integer not null constraint allowances_counted check (counted_hours between 0 and monthly_hours)',
        'How many of them set the price of an hour; not what a co-manager added, until the owner confirms it.',
      ],
    },
    constraints: ['primary key (share_id, since)'],
  },
  agreements: {
    comment: 'What a member said yes to, as it was shown. The last one of a month limits what the month costs them.',
    columns: {
      id,
      share_id: shareId,
      agreed_at: [
        'timestamptz',
        'When it starts to count: when they agreed, or when their access begins later. Null for what an offer showed when made.',
      ],
      split_method: splitMethod('agreements'),
      base_percent: 'integer not null',
      price_cents: 'bigint not null',
      currency: ['text not null', 'Of the prices. It changes only as long as no one has agreed.'],
      total_hours: ['integer not null', 'An hour costs the price divided by these.'],
      places: ['integer not null', 'A place costs the price divided by these.'],
      monthly_hours: 'integer not null',
      max_hour_cents: ['bigint', 'The most an hour costs; null unless split by share of use.'],
      plan: ['jsonb', 'How the price spreads over months, as in periods.'],
      extra_cost_cents: ['bigint not null default 0', 'How much of extra costs they bear a month without being asked.'],
    },
    indexes: [
      'index agreements_share on agreements (share_id, agreed_at)',
      'unique index agreements_one_shown on agreements (share_id) where agreed_at is null',
    ],
  },
  trusted_owners: {
    comment: 'Owners whose offers a member accepts, or refuses, without being asked.',
    columns: {
      member_id: userId,
      owner_id: userId,
      offers: `text not null default 'accept' ${oneOf('trusted_owners_offers', 'offers', 'accept refuse')}`,
      max_cents: [
        'bigint constraint trusted_owners_max check (max_cents > 0)',
        'Offers of which all costs more a month are not accepted without asking; null where offers are refused.',
      ],
      currency: ['text', 'Of that amount. Offers in another one are not accepted without asking.'],
      created_at: 'timestamptz not null',
    },
    constraints: [
      'primary key (member_id, owner_id)',
      'constraint trusted_owners_others check (member_id <> owner_id)',
      `constraint trusted_owners_amount check ((max_cents is null) = (offers = 'refuse') and (max_cents is null) = (currency is null))`,
    ],
    indexes: ['index trusted_owners_owner on trusted_owners (owner_id)'],
  },
  invitations: {
    comment: 'Links that give access to whoever opens them first. Deleted when used or revoked.',
    columns: {
      id: [`bigint primary key default nextval('shares_id_seq')`, 'Never the id of a share: both use one sequence.'],
      asset_id: assetId,
      maker_id: [
        'bigint not null references users (id) on delete cascade',
        'The owner or co-manager who made it. It ends with their role.',
      ],
      token_hash: tokenHash('invitations'),
      monthly_hours_allocated: `integer not null ${monthlyHours('invitations_hours', 'monthly_hours_allocated')}`,
      starts_on: [`date ${firstOfMonth('invitations_starts_on', 'starts_on')}`, 'As in shares.'],
      created_at: 'timestamptz not null',
      expires_at: 'timestamptz not null',
    },
    constraints: ['constraint invitations_expire_later check (expires_at > created_at)'],
    indexes: ['index invitations_asset on invitations (asset_id)', 'index invitations_maker on invitations (maker_id)'],
  },
  claims: {
    comment: 'Links with which people without an account join.',
    columns: {
      guest_id: ['bigint primary key references users (id) on delete cascade', 'The guest.'],
      token_hash: tokenHash('claims'),
      created_at: 'timestamptz not null',
      expires_at: 'timestamptz not null',
    },
    constraints: ['constraint claims_expire_later check (expires_at > created_at)'],
  },
  handovers: {
    comment: 'Offers to make a member the owner of an asset, from the next month on.',
    columns: {
      asset_id: 'bigint primary key references assets (id) on delete cascade',
      share_id: [
        'bigint not null constraint handovers_share_id_unique unique references shares (id) on delete cascade',
        'The share of the member who would become the owner. It ends when they do.',
      ],
      stay_hours: [
        `integer ${monthlyHours('handovers_stay_hours', 'stay_hours')}`,
        'The allowance of the former owner as a member; null if they leave.',
      ],
      offered_at: 'timestamptz not null',
      month: [
        `date ${firstOfMonth('handovers_month')}`,
        'The month from which the member is the owner; null until they accept.',
      ],
      agreed: [
        'jsonb',
        'The price and terms of that month when they accepted. If either changes, they have to accept again.',
      ],
    },
    constraints: ['constraint handovers_accepted check ((month is null) = (agreed is null))'],
  },
  manager_changes: {
    comment: 'What co-managers did on behalf of the owner, who can see it.',
    columns: {
      id,
      asset_id: assetId,
      user_id: [userOrGone, 'The co-manager.'],
      kind: `text not null ${oneOf('manager_changes_kind', 'kind', managerChanges)}`,
      share_id: ['bigint references shares (id) on delete cascade', 'The share it was about; null if about none.'],
      changed_at: 'timestamptz not null',
    },
    indexes: [
      'index manager_changes_asset on manager_changes (asset_id, id)',
      'index manager_changes_user on manager_changes (user_id)',
      'index manager_changes_share on manager_changes (share_id)',
    ],
  },
  access_tokens: {
    comment: "What a user's scripts sign in with.",
    columns: {
      id,
      user_id: userId,
      name: 'text not null constraint access_tokens_name_length check (char_length(name) between 1 and 50)',
      token_hash: tokenHash('access_tokens'),
      scope: [
        `text not null ${oneOf('access_tokens_scope', 'scope', 'share account events')}`,
        'share: start, end, add, and read the sessions of one share. account: read assets and costs as the user can. events: hear what happens.',
      ],
      share_id: 'bigint references shares (id) on delete cascade',
      created_at: 'timestamptz not null',
      last_used_at: ['timestamptz', 'Written at most once a minute; null until it is used.'],
      expires_at: 'timestamptz not null',
    },
    constraints: [
      `constraint access_tokens_share check ((scope = 'share') = (share_id is not null))`,
      'constraint access_tokens_expire_later check (expires_at > created_at)',
    ],
    indexes: [
      'index access_tokens_user on access_tokens (user_id)',
      'index access_tokens_share_id on access_tokens (share_id)',
      'index access_tokens_end on access_tokens (expires_at)',
    ],
  },
};

const meters: Record<string, Table> = {
  meters: {
    comment: 'Something that records the use of an asset by itself, such as a media server.',
    columns: {
      id,
      asset_id: assetId,
      name: 'text not null constraint meters_name_length check (char_length(name) between 1 and 50)',
      kind: [
        `text not null ${oneOf('meters_kind', 'kind', 'sessions totals')}`,
        'What it tells: when use starts and stops, or how much it is a day.',
      ],
      per_member: ['boolean not null', 'Whether each member has a token of their own, instead of the meter.'],
      token_hash: [
        'text constraint meters_token_hash unique',
        'SHA-256 of the token, in hexadecimal. The token itself is not stored. Null if each member has one.',
      ],
      grace_minutes: [
        `integer not null ${between('meters_grace', 'grace_minutes', [1, 60])}`,
        'What lives by beats ends at the last one if none follows for so long.',
      ],
      merge_minutes: [
        `integer not null ${between('meters_merge', 'merge_minutes', [0, 30])}`,
        'Gaps of at most so long count as use.',
      ],
      min_seconds: [
        `integer not null ${between('meters_min', 'min_seconds', [0, 600])}`,
        'Shorter sessions do not count.',
      ],
      counter: [
        "text not null default 'claude_code.active_time.total'",
        'The OpenTelemetry counter of seconds that one of totals reads.',
      ],
      counted_types: [
        `text not null default 'all' ${oneOf('meters_counted_types', 'counted_types', 'all user')}`,
        'Which data points of it count, by their attribute type.',
      ],
      name_attribute: [
        `text not null default 'user.email' ${oneOf('meters_name_attribute', 'name_attribute', 'user.email user.account_uuid user.id')}`,
        'The attribute of its data points that says whom they mean.',
      ],
      created_at: 'timestamptz not null',
      last_event_at: ['timestamptz', 'When it was last heard of; null if never.'],
      late_events: ['integer not null default 0', 'How many events came too late for their month.'],
    },
    constraints: ['constraint meters_token check (per_member = (token_hash is null))'],
    indexes: ['index meters_asset on meters (asset_id, id)'],
  },
  meter_silences: {
    comment: 'When a meter sent nothing for a day or longer, once it did again or was deleted.',
    columns: {
      asset_id: 'bigint not null references assets (id) on delete cascade',
      meter_id: 'bigint references meters (id) on delete set null',
      meter: ['text not null', 'Its name then, which statements show also once it is gone.'],
      since: 'timestamptz not null',
      until: 'timestamptz not null constraint meter_silences_forward check (since < until)',
    },
    indexes: [
      'index meter_silences_asset on meter_silences (asset_id, since)',
      'index meter_silences_meter on meter_silences (meter_id, since)',
    ],
  },
  meter_names: {
    comment: 'What a meter calls people.',
    columns: {
      meter_id: 'bigint not null references meters (id) on delete cascade',
      external_name: 'text not null constraint meter_names_length check (char_length(external_name) between 1 and 200)',
      share_id: ['bigint references shares (id) on delete set null', 'Of whom its events are; null if nobody said.'],
      last_event_at: ['timestamptz not null', 'When an event with it last came, or else when it was matched.'],
    },
    constraints: ['primary key (meter_id, external_name)'],
    indexes: ['index meter_names_share on meter_names (share_id) where share_id is not null'],
  },
  meter_members: {
    comment: 'Whether a member lets a meter record their use, and their token of a meter that has one for each.',
    columns: {
      meter_id: 'bigint not null references meters (id) on delete cascade',
      share_id: shareId,
      agreed: ['boolean not null', 'Whether they said yes last.'],
      changed_at: ['timestamptz not null', 'When they said so.'],
      beyond_allowance: ['boolean not null default false', 'Whether it also records what exceeds their allowance.'],
      token_hash: [
        'text constraint meter_members_token_hash unique',
        'SHA-256 of the token, in hexadecimal. The token itself is not stored.',
      ],
    },
    constraints: ['primary key (meter_id, share_id)'],
    indexes: ['index meter_members_share on meter_members (share_id)'],
  },
  meter_refusals: {
    comment: 'Times for which a member had taken back their yes, so that nothing of them counts.',
    columns: {
      meter_id: 'bigint not null',
      share_id: 'bigint not null',
      since: 'timestamptz not null',
      until: ['timestamptz constraint meter_refusals_forward check (since <= until)', 'Null while it lasts.'],
    },
    constraints: [
      'primary key (meter_id, share_id, since)',
      'foreign key (meter_id, share_id) references meter_members (meter_id, share_id) on delete cascade',
    ],
  },
  meter_uncounted: {
    comment: 'Use that a meter told of, but that does not count, because the allowance was used up.',
    columns: {
      meter_id: 'bigint not null',
      share_id: 'bigint not null',
      imported: ['boolean not null', 'As in sessions.'],
      started_at: 'timestamptz not null',
      ended_at: 'timestamptz not null constraint meter_uncounted_forward check (started_at < ended_at)',
    },
    constraints: [
      'primary key (meter_id, share_id, imported, started_at)',
      'foreign key (meter_id, share_id) references meter_members (meter_id, share_id) on delete cascade',
    ],
  },
  meter_events: {
    comment: 'What meters told in the last days, from which their sessions and days are made.',
    columns: {
      meter_id: 'bigint not null references meters (id) on delete cascade',
      external_name: ['text not null', 'As in meter_names; of a token of a member, empty.'],
      sender_id: [
        'bigint references shares (id) on delete cascade',
        'The share whose token sent it; null with the token of the meter.',
      ],
      event_id: ['text not null', 'Chosen by the sender.'],
      type: `text not null ${oneOf('meter_events_type', 'type', 'start beat stop session add replace cost')}`,
      at: [
        'timestamptz not null',
        'When it happened, or the session began; of a total of a day without an instant, when it came.',
      ],
      until: ['timestamptz', 'When the session ended; null for others.'],
      told_at: [
        'timestamptz',
        'When it happened by the clock of the sender, where that was ahead; null for others, and for sessions and totals.',
      ],
      day: ['date', 'The local day of a total or a cost; null for others.'],
      micros: ['bigint', 'Millionths of a second, or of a US dollar; null unless it has a day.'],
      since: ['timestamptz', 'From when on what it counts may have happened; null unless it has a day.'],
      place: ['integer', 'Of totals without an instant, the order in which they came at one time; null for others.'],
    },
    constraints: [
      `constraint meter_events_until check ((type = 'session') = (until is not null) and until > at)`,
      `constraint meter_events_day check ((type in ('add', 'replace', 'cost')) = (day is not null)
        and (day is null) = (micros is null) and (day is null) = (since is null) and micros >= 0)`,
    ],
    indexes: [
      `unique index meter_events_one on meter_events (meter_id, coalesce(sender_id, 0), external_name, event_id)
        where until is not null or day is not null`,
      `unique index meter_events_sign on meter_events (meter_id, coalesce(sender_id, 0), external_name, event_id, type,
        coalesce(told_at, at)) where until is null and day is null`,
      'index meter_events_name on meter_events (meter_id, external_name, at)',
      'index meter_events_sender on meter_events (sender_id, at) where sender_id is not null',
      'index meter_events_end on meter_events (at)',
      'index meter_events_day on meter_events (meter_id, day) where day is not null',
    ],
  },
  meter_series: {
    comment: 'Where cumulative counters stood when meters last told of them, so that only what was added since counts.',
    columns: {
      meter_id: 'bigint not null references meters (id) on delete cascade',
      external_name: ['text not null', 'As in meter_events.'],
      sender_id: ['bigint references shares (id) on delete cascade', 'As in meter_events.'],
      series: ['text not null', 'A hash of its attributes and of when it began to count.'],
      at: 'timestamptz not null',
      micros: 'bigint not null',
    },
    indexes: [
      'unique index meter_series_one on meter_series (meter_id, coalesce(sender_id, 0), external_name, series)',
      'index meter_series_sender on meter_series (sender_id) where sender_id is not null',
      'index meter_series_end on meter_series (at)',
    ],
  },
  imported_uses: {
    comment: 'Rows of files that were imported, as long as a month is open that they are in.',
    columns: {
      meter_id: 'bigint not null references meters (id) on delete cascade',
      external_name: ['text not null', 'As in meter_names.'],
      started_at: 'timestamptz not null',
      ended_at: 'timestamptz not null constraint imported_uses_forward check (ended_at > started_at)',
    },
    constraints: ['primary key (meter_id, external_name, started_at, ended_at)'],
  },
};

const sessions: Record<string, Table> = {
  sessions: {
    comment: 'One use of an asset by a member.',
    columns: {
      id,
      share_id: shareId,
      started_at: 'timestamptz not null',
      ended_at: ['timestamptz', 'Null while it is active.'],
      ends_by: ['timestamptz not null', 'When it ends by itself, by the session limit of the asset.'],
      was_started_at: ['timestamptz', 'The recorded start; null if the session was never edited.'],
      was_ended_at: ['timestamptz', 'The recorded end; null if the session was never edited.'],
      edited_at: 'timestamptz',
      restored_at: [
        'timestamptz',
        'When its recorded times came to count again; null if they do not, or it was edited after that.',
      ],
      recorded_by_owner: [
        'boolean not null default false',
        'Whether the owner recorded it for a person without an account.',
      ],
      added_late: [
        addedLate('sessions'),
        'Whether the start, the end, or both came from a device that had been offline; null if neither.',
      ],
      start_added_at: ['timestamptz', 'When a start from a device that had been offline was added; null otherwise.'],
      source: [
        sessionSource('sessions'),
        'How it was recorded: pressed as it happened, added afterwards, or by a meter.',
      ],
      external_id: [externalId('sessions'), 'What the script that added it calls it; null if nothing does.'],
      edited_by_hand: [
        'boolean not null default false',
        'Whether a person edited or ended it, or asked to, so that the script or meter behind it can not change it any more.',
      ],
      meter_id: [
        'bigint references meters (id) on delete set null',
        'The meter that recorded it; null without one, or once that is deleted.',
      ],
      alive_at: [
        'timestamptz',
        'The last sign of life of an active one that ends there if no other follows by ends_by; null for others.',
      ],
      limit_at: ['timestamptz', 'Of one that a meter records, what ends_by is once it has ended; null for others.'],
      steady_until: [
        'timestamptz',
        'Until when beats alone prolong an active one that a meter records; null for others.',
      ],
      silent: [
        'boolean not null default false',
        'Whether a meter fell silent, so that it ended at the last sign of life.',
      ],
      imported: [
        'boolean not null default false',
        'Whether it came with a file that was imported into its meter, so that what the meter itself tells does not change it.',
      ],
    },
    constraints: [
      'constraint sessions_end_after_start check (ended_at >= started_at)',
      'constraint sessions_end_within_limit check (ended_at <= ends_by)',
      `constraint sessions_limit check (ends_by > started_at and ends_by <= started_at + interval '744 hours')`,
      `constraint sessions_trace check ((edited_at is null) = (was_started_at is null)
        and (edited_at is null) = (was_ended_at is null))`,
      'constraint sessions_restored check (restored_at is null or edited_at is not null)',
    ],
    indexes: [
      'unique index sessions_one_active on sessions (share_id) where ended_at is null',
      'index sessions_share on sessions (share_id, started_at, id)',
      'index sessions_edited on sessions (share_id) where edited_at is not null',
      'unique index sessions_external_id on sessions (share_id, external_id) where external_id is not null',
      `index sessions_not_pressed on sessions (share_id, started_at) where source <> 'pressed'`,
      'index sessions_meter on sessions (meter_id, share_id, started_at) where meter_id is not null',
    ],
  },
  metered_days: {
    comment: 'What a meter of totals counted of a share on one day. It has a place among the sessions, but no times.',
    columns: {
      id: ['bigint primary key', 'From the sequence of sessions, because lists show both.'],
      share_id: shareId,
      meter_id: [
        'bigint references meters (id) on delete set null',
        'The meter that counted it; null once that is deleted.',
      ],
      day: ['date not null', 'A local day of the period of the asset.'],
      told_seconds: ['integer not null', 'What the meter told; whole seconds, like what counts.'],
      seconds: ['integer not null', 'What counts of it: not what is beyond the allowance, and 0 once it is refused.'],
      cost_micros: ['bigint', 'An estimate at list prices, in millionths of a US dollar; null if none was told.'],
      last_at: ['timestamptz not null', 'When the meter last told of it.'],
      refused_at: ['timestamptz', 'When the member removed it, so that nothing of the day counts any more.'],
    },
    constraints: [
      'constraint metered_days_seconds check (seconds between 0 and told_seconds)',
      'constraint metered_days_told check (told_seconds <= 86400)',
      'constraint metered_days_refused check (refused_at is null or seconds = 0)',
    ],
    indexes: [
      'unique index metered_days_one on metered_days (meter_id, share_id, day)',
      'index metered_days_share on metered_days (share_id, day, id)',
      'index metered_days_uncounted on metered_days (day) where seconds < told_seconds and refused_at is null',
    ],
  },
  removed_sessions: {
    comment: 'Sessions that their members have removed, with their times before any edit.',
    columns: {
      id: ['bigint primary key', 'As it was in sessions.'],
      share_id: shareId,
      started_at: ['timestamptz not null', 'As recorded.'],
      ended_at: ['timestamptz not null', 'As recorded.'],
      recorded_by_owner: ['boolean not null default false', 'As in sessions.'],
      added_late: [addedLate('removed_sessions'), 'As in sessions.'],
      source: [sessionSource('removed_sessions'), 'As in sessions.'],
      external_id: [externalId('removed_sessions'), 'As in sessions.'],
      meter_id: ['bigint references meters (id) on delete set null', 'As in sessions.'],
      removed_at: 'timestamptz not null',
    },
    indexes: [
      'index removed_sessions_share on removed_sessions (share_id, started_at, id)',
      'index removed_sessions_meter on removed_sessions (meter_id) where meter_id is not null',
    ],
  },
  edit_requests: {
    comment:
      'Edits that take time out of an ended month, and count once they are accepted. Of a session, the last one matters.',
    columns: {
      id,
      share_id: shareId,
      session_id: ['bigint not null', 'In sessions or, once removed, in removed_sessions.'],
      month: ['date not null', 'First day of the ended month.'],
      started_at: ['timestamptz', 'The requested start; null to remove the session.'],
      ended_at: ['timestamptz', 'The requested end; null to remove the session.'],
      status: [
        `text not null default 'open' ${oneOf('edit_requests_status', 'status', 'open accepted declined withdrawn lapsed')}`,
        'lapsed: the month closed without an answer.',
      ],
      requested_at: 'timestamptz not null',
      resolved_at: 'timestamptz',
    },
    constraints: [
      firstOfMonth('edit_requests_month'),
      'constraint edit_requests_times check ((started_at is null) = (ended_at is null) and ended_at >= started_at)',
      `constraint edit_requests_resolved check ((status = 'open') = (resolved_at is null))`,
    ],
    indexes: [
      `unique index edit_requests_one_open on edit_requests (session_id) where status = 'open'`,
      'index edit_requests_session on edit_requests (session_id, id)',
      'index edit_requests_share on edit_requests (share_id, month)',
    ],
  },
  request_acceptances: {
    comment: 'Who has accepted a request that others have yet to accept.',
    columns: {
      request_id: 'bigint not null references edit_requests (id) on delete cascade',
      user_id: userId,
      accepted_at: 'timestamptz not null',
    },
    constraints: ['primary key (request_id, user_id)'],
    indexes: ['index request_acceptances_user on request_acceptances (user_id)'],
  },
  objections: {
    comment: 'Objections to edited and removed sessions. Of each who can object, the last one to a session counts.',
    columns: {
      id,
      share_id: shareId,
      session_id: ['bigint not null', 'In sessions or, once removed, in removed_sessions.'],
      status: [
        `text not null default 'open' ${oneOf('objections_status', 'status', 'open withdrawn agreed upheld not_upheld')}`,
        'upheld: the month closed without an agreement; not_upheld: so, but the recorded times would change a closed one.',
      ],
      manager_id: [userOrGone, 'The co-manager who made it for the owner; null otherwise.'],
      participant_id: [
        'bigint references users (id) on delete cascade',
        'With split_method share_of_use, the other participant who made it; null if it was made by or for the owner.',
      ],
      objected_at: 'timestamptz not null',
      resolved_at: 'timestamptz',
    },
    constraints: [`constraint objections_resolved check ((status = 'open') = (resolved_at is null))`],
    indexes: [
      `unique index objections_one_open on objections (session_id, coalesce(participant_id, 0)) where status = 'open'`,
      'index objections_session on objections (session_id, id)',
      'index objections_share on objections (share_id)',
      'index objections_manager on objections (manager_id) where manager_id is not null',
      'index objections_participant on objections (participant_id) where participant_id is not null',
    ],
  },
  objection_messages: {
    comment: 'What owner and member write to each other about an objection.',
    columns: {
      id,
      objection_id: 'bigint not null references objections (id) on delete cascade',
      by_owner: [
        'boolean not null',
        'Whether the objector wrote it, or a co-manager for the owner; otherwise the member did.',
      ],
      manager_id: [userOrGone, 'The co-manager who wrote it for the owner; null otherwise.'],
      text: 'text not null constraint objection_messages_text check (char_length(text) between 1 and 280)',
      sent_at: 'timestamptz not null',
    },
    indexes: [
      'index objection_messages_objection on objection_messages (objection_id, id)',
      'index objection_messages_manager on objection_messages (manager_id) where manager_id is not null',
    ],
  },
  usage_days: {
    comment: 'What the ended sessions and metered days of a share add up to on one day.',
    columns: {
      share_id: shareId,
      day: ['date not null', 'A local day of the period of the asset.'],
      seconds: ['integer not null constraint usage_days_seconds check (seconds >= 0)', 'Whole seconds.'],
      sessions: [
        'integer not null constraint usage_days_sessions check (sessions >= 0)',
        'Those that started that day, each metered day among them; on the first day of a period, also one that continued into it.',
      ],
    },
    constraints: ['primary key (share_id, day)'],
  },
};

const extraCosts: Record<string, Table> = {
  costs: {
    comment: 'What an asset cost beside its price, such as fuel that someone paid.',
    columns: {
      id,
      asset_id: assetId,
      month: [`date not null ${firstOfMonth('costs_month')}`, 'First day of the month in which it counts.'],
      author_id: [userOrGone, 'Who entered it, and may change and remove it.'],
      status: [
        `text not null ${oneOf('costs_status', 'status', 'proposed counted declined removed')}`,
        'What a member enters is proposed until the owner counts or declines it.',
      ],
      reply: [
        `text constraint costs_reply check (char_length(reply) between 1 and ${COST_TEXT_LENGTH})`,
        'What the owner wrote when they declined it; null without.',
      ],
      repeat_months: [
        `integer ${between('costs_repeat_months', 'repeat_months', [1, 36])}`,
        'After how many months it comes again; null unless it does. Then the new one has this instead.',
      ],
      repeat_from: ['date', 'The day from which those months are counted; null with repeat_months.'],
      repeat_until: ['date', 'The last day on which it may come again; null if there is none.'],
      repeat_next: ['date', 'The day on which it comes again; null with repeat_months, and once who paid it has left.'],
      created_at: 'timestamptz not null',
    },
    constraints: [
      `constraint costs_repeat check ((repeat_months is null) = (repeat_from is null)
        and (repeat_months is not null or coalesce(repeat_next, repeat_until) is null))`,
    ],
    indexes: [
      'index costs_repeating on costs (repeat_next, id) where repeat_next is not null',
      'index costs_asset on costs (asset_id, month)',
      // Newest first.
      'index costs_newest on costs (asset_id, id)',
      'index costs_author on costs (author_id)',
    ],
  },
  cost_versions: {
    comment: 'What a cost was each time that its author changed it. The last version counts.',
    columns: {
      cost_id: 'bigint not null references costs (id) on delete cascade',
      version: 'integer not null constraint cost_versions_version check (version > 0)',
      day: ['date not null', 'When it was paid. Who had no access then has no part in it.'],
      text: `text not null constraint cost_versions_text check (char_length(text) between 1 and ${COST_TEXT_LENGTH})`,
      amount_cents: 'bigint not null constraint cost_versions_amount check (amount_cents > 0)',
      split: `text not null ${oneOf('cost_versions_split', 'split', 'month usage equal allocation person')}`,
      payer_id: [userOrGone, 'Who paid it: the owner or a member.'],
      person_id: [userOrGone, "Whose it is; null unless it is one person's."],
      written_at: 'timestamptz not null',
    },
    constraints: [
      'primary key (cost_id, version)',
      `constraint cost_versions_person check (person_id is null or split = 'person')`,
    ],
    indexes: [
      'index cost_versions_payer on cost_versions (payer_id)',
      'index cost_versions_person on cost_versions (person_id)',
    ],
  },
  cost_answers: {
    comment: 'What a member last said to a version of a cost: yes to one above their limit, or no, an objection.',
    columns: {
      cost_id: 'bigint not null',
      version: 'integer not null',
      user_id: userId,
      answer: `text not null ${oneOf('cost_answers_answer', 'answer', 'yes no')}`,
      agreed_cents: [
        `bigint constraint cost_answers_agreed check (agreed_cents is null or agreed_cents >= 0 and answer = 'yes')`,
        'With a yes: the part that was shown, which is the most that it costs them; null for any part.',
      ],
      text: [
        `text constraint cost_answers_text check (char_length(text) between 1 and ${COST_TEXT_LENGTH})`,
        'What they wrote with it; null without.',
      ],
      answered_at: 'timestamptz not null',
    },
    constraints: [
      'primary key (cost_id, version, user_id)',
      'foreign key (cost_id, version) references cost_versions (cost_id, version) on delete cascade',
    ],
    indexes: ['index cost_answers_user on cost_answers (user_id)'],
  },
};

// These outlive the assets and accounts that they are about: only ids become null, and names stay as they were.
const costs: Record<string, Table> = {
  statements: {
    comment: 'What a closed month of an asset came to. Written once, and only names change later.',
    columns: {
      id,
      asset_id: 'bigint references assets (id) on delete set null',
      asset_name: 'text not null',
      month: [`date not null ${firstOfMonth('statements_month')}`, 'First day of the month.'],
      owner_id: userOrGone,
      owner_name: 'text not null',
      price_cents: 'bigint not null constraint statements_price check (price_cents >= 0)',
      price_parts: ['jsonb', 'What each cycle adds to it; null for a price per calendar month.'],
      renewal: ['jsonb', 'What members wanted and the owner decided about a renewal in the month; null without one.'],
      currency: 'text not null',
      split_method: splitMethod('statements'),
      base_percent: 'integer not null',
      owner_hours: 'integer not null',
      max_hour_cents: ['bigint', 'As in periods, like owner_takes_part and measured.'],
      owner_takes_part: 'boolean not null',
      measured: 'boolean not null',
      total_hours: ['integer not null', 'The allowances at its fullest moment, with the reserved hours.'],
      places: ['integer not null', 'The members at its fullest moment, and the owner.'],
      unbilled: [
        'boolean not null default false',
        'Whether its price is 0 because the owner chose not to bill the month.',
      ],
      price_changes: [`jsonb not null default '[]'`, 'The changes of its price, oldest first, as in price_changes.'],
      edited_sessions: [
        `jsonb not null default '[]'`,
        'Sessions of the month that were edited, removed, or restored, as the API shows them, with the ids of members.',
      ],
      costs: [
        `jsonb not null default '[]'`,
        'What it cost beside its price, with the part of each line; people are the places of their lines.',
      ],
      ends_at: ['timestamptz not null', 'The end of its period.'],
      closes_at: ['timestamptz not null', 'When it was due to close.'],
      closed_at: ['timestamptz not null', 'When it was closed, which may be earlier or later.'],
      deleted_at: ['timestamptz', 'When deleting the asset ended its period; null if the month did.'],
    },
    constraints: ['constraint statements_one_a_month unique (asset_id, month)'],
    indexes: [
      'index statements_owner_month on statements (owner_id, month)',
      'index statements_month on statements (month, id)',
      'index statements_cut_short on statements (month) where deleted_at is not null',
    ],
  },
  statement_lines: {
    comment: 'What one participant pays of a closed month. Later, only names, marks, and what payments cover change.',
    columns: {
      id,
      statement_id: 'bigint not null references statements (id) on delete cascade',
      owner_id: [userOrGone, 'The owner of the statement, who is owed.'],
      user_id: userOrGone,
      share_id: ['bigint', 'The last share of the member in the month, which may be gone; null for the owner.'],
      username: 'text not null',
      role: `text not null ${oneOf('statement_lines_role', 'role', 'owner member')}`,
      allocation_hours: ['integer not null', 'The last allowance in the month; for the owner, the reserved hours.'],
      used_seconds: 'bigint not null',
      sources: [`jsonb not null default '[]'`, 'What was not pressed of it, by what recorded it.'],
      days: ['integer not null', 'Days with access; 0 for the owner.'],
      summed_hours: [
        'integer not null constraint statement_lines_summed_hours check (summed_hours >= 0)',
        'The largest allowance, held and agreed to, of each day with access, added up; for the owner, the reserved hours of all days.',
      ],
      agreed: [
        'jsonb',
        'What the member had last said yes to, as in agreements; null for the owner, and outside the promise.',
      ],
      lowest_price_cents: ['bigint', 'The lowest price of the month that they had since; null if none was lower.'],
      covered_cents: [
        'bigint not null default 0',
        'What the owner covers, because the member had agreed to less, or had a lower price.',
      ],
      base_cents: ['bigint not null', 'The part of the amount that comes from the base share.'],
      odd_cents: ['integer not null', 'The part of the amount that comes from rounding.'],
      place: [
        'integer not null default 0',
        'Its position among the lines by account, which decides who bears an odd cent, also once the account is gone.',
      ],
      cost_cents: ['bigint not null default 0', 'Their parts of extra costs.'],
      paid_cents: ['bigint not null default 0', 'What they paid of extra costs.'],
      amount_cents: [
        'bigint not null',
        'Their part of the price and of extra costs, without what they paid; negative if that is owed to the member.',
      ],
      sent_cents: ['bigint not null default 0', 'Covered by payments that are sent but not confirmed.'],
      settled_cents: ['bigint not null default 0', 'Covered by confirmed payments.'],
      sent_at: ['timestamptz', 'When the one who owes marked it as sent, apart from any payment.'],
      paid_at: ['timestamptz', 'When the one who is owed marked it as paid, apart from any payment.'],
      objected_at: ['timestamptz', 'When someone who joined declined it, so that the owner covers it.'],
    },
    constraints: [
      `constraint statement_lines_never_overpaid
        check (sent_cents >= 0 and settled_cents >= 0 and sent_cents + settled_cents <= abs(amount_cents))`,
      `constraint statement_lines_not_negative check (amount_cents - cost_cents + paid_cents >= 0)`,
      `constraint statement_lines_owner_owes_nobody
        check (role = 'member' or (sent_at is null and paid_at is null and sent_cents = 0 and settled_cents = 0))`,
    ],
    indexes: [
      'unique index statement_lines_one_each on statement_lines (statement_id, user_id)',
      `unique index statement_lines_one_owner on statement_lines (statement_id) where role = 'owner'`,
      // Finds what is open without reading what has been paid, however long the history is.
      `index statement_lines_owed on statement_lines (owner_id)
        where role = 'member' and paid_at is null and settled_cents < abs(amount_cents)`,
      `index statement_lines_owing on statement_lines (user_id)
        where role = 'member' and paid_at is null and settled_cents < abs(amount_cents)`,
      'index statement_lines_owner on statement_lines (owner_id)',
      'index statement_lines_user on statement_lines (user_id)',
    ],
  },
  settlements: {
    comment: 'Payments from one person to another.',
    columns: {
      id,
      payer_id: userOrGone,
      payer_name: 'text not null',
      payee_id: userOrGone,
      payee_name: 'text not null',
      recorded_by: ['text not null', 'The username of the person who recorded it.'],
      amount_cents: 'bigint not null constraint settlements_not_negative check (amount_cents >= 0)',
      currency: 'text not null',
      status: [
        `text not null ${oneOf('settlements_status', 'status', 'sent paid undone not_received')}`,
        'sent reserves its parts, paid pays them, and the others no longer count.',
      ],
      status_since: 'timestamptz not null',
      settled_at: ['timestamptz not null', 'When it was recorded.'],
    },
    indexes: [
      'index settlements_payer on settlements (payer_id, id)',
      'index settlements_payee on settlements (payee_id, id)',
    ],
  },
  payment_steps: {
    comment: 'Everything that happened to a payment, in order. Rows are only added.',
    columns: {
      id,
      settlement_id: 'bigint not null references settlements (id)',
      kind: `text not null ${oneOf('payment_steps_kind', 'kind', paymentSteps)}`,
      by_payer: ['boolean not null', 'Whether the payer did it; the payee did otherwise.'],
      at: 'timestamptz not null',
    },
    indexes: ['index payment_steps_settlement on payment_steps (settlement_id, id)'],
  },
  settlement_parts: {
    comment: 'The charges that a payment covers. Written once, with the payment.',
    columns: {
      settlement_id: 'bigint not null references settlements (id)',
      line_id: 'bigint not null references statement_lines (id) on delete cascade',
      amount_cents: [
        'bigint not null constraint settlement_parts_positive check (amount_cents > 0)',
        'How much of the charge the payment covers, also after it was undone.',
      ],
    },
    constraints: ['primary key (settlement_id, line_id)'],
    indexes: ['index settlement_parts_line on settlement_parts (line_id)'],
  },
  deposits: {
    comment: 'Money that one person holds for another, apart from what they owe each other.',
    columns: {
      id,
      asset_id: ['bigint references assets (id) on delete set null', 'For what it was given; null once that is gone.'],
      asset_name: ['text not null', 'What the asset was called.'],
      giver_id: userOrGone,
      giver_name: 'text not null',
      holder_id: userOrGone,
      holder_name: 'text not null',
      amount_cents: 'bigint not null constraint deposits_positive check (amount_cents > 0)',
      currency: 'text not null',
      recorded_by_giver: ['boolean not null', 'Whether the giver recorded it; the holder did otherwise.'],
      recorded_at: 'timestamptz not null',
      confirmed_at: [
        'timestamptz',
        'When the other person confirmed it, or when it was recorded, if they have no account.',
      ],
      returned_by_giver: ['boolean', 'Whether the giver said that it was given back; null until one of them does.'],
      returned_at: 'timestamptz',
      return_confirmed_at: ['timestamptz', 'When the other person confirmed that.'],
    },
    constraints: [
      'constraint deposits_two_people check (giver_id <> holder_id)',
      `constraint deposits_steps check (confirmed_at >= recorded_at
        and (returned_at is null) = (returned_by_giver is null)
        and (returned_at is null or (confirmed_at is not null and returned_at >= confirmed_at))
        and (return_confirmed_at is null or (returned_at is not null and return_confirmed_at >= returned_at)))`,
    ],
    indexes: [
      'index deposits_giver on deposits (giver_id, id)',
      'index deposits_holder on deposits (holder_id, id)',
      'index deposits_asset on deposits (asset_id) where asset_id is not null',
    ],
  },
};

const notifications: Record<string, Table> = {
  outbox: {
    comment:
      'What happened, written in the transaction that did it, until the dispatcher has passed it on. It may outlive what it is about, so it has no foreign keys.',
    columns: {
      id,
      kind: 'text not null',
      asset_id: 'bigint',
      share_id: 'bigint',
      actor_id: ['bigint', 'Who did it; null if no one did.'],
      user_ids: [`bigint[] not null default '{}'`, 'Whom it concerns, besides those found by the asset and the share.'],
      data: [`jsonb not null default '{}'`, 'More facts, by kind.'],
      happened_at: 'timestamptz not null',
      failed_at: [
        'timestamptz',
        'When passing it on failed. Such rows are kept for 30 days, so that the cause can be found.',
      ],
    },
  },
  dispatcher: {
    comment: 'One row once it is needed. Locking it is the turn to pass on what is in the outbox.',
    columns: {
      only_row: 'boolean primary key default true constraint dispatcher_only_row check (only_row)',
    },
  },
  live_updates: {
    comment:
      'What event streams send, in the order of commits, as only one dispatcher writes at a time. Kept for a day, so that streams can resume.',
    columns: {
      id,
      kind: 'text not null',
      user_ids: ['bigint[] not null', 'Who receives it.'],
      data: 'jsonb not null',
      happened_at: 'timestamptz not null',
    },
    indexes: ['index live_updates_end on live_updates (happened_at)'],
  },
  notices: {
    comment: 'What users are told in the app, by email, and by push message.',
    columns: {
      id,
      user_id: userId,
      kind: 'text not null',
      cause: [
        'text not null',
        'What it is about, so that a user is told once, however many servers and attempts there are.',
      ],
      actor_id: [userOrGone, 'Who did it, or whom it is about.'],
      asset_id: 'bigint',
      asset_name: ['text', 'What the asset was called. Former members must not see it change.'],
      share_id: 'bigint',
      data: [`jsonb not null default '{}'`, 'The facts that its text names, as they were.'],
      created_at: 'timestamptz not null',
      in_bell: ['boolean not null', 'Whether the app shows it.'],
      read_at: 'timestamptz',
      mail_due_at: [
        'timestamptz',
        'When it goes out by email, with all others of the user that wait; null if it does not, or was sent.',
      ],
    },
    constraints: ['constraint notices_cause unique (user_id, cause)'],
    indexes: [
      'index notices_user on notices (user_id, id)',
      'index notices_actor_id on notices (actor_id) where actor_id is not null',
      'index notices_unread on notices (asset_id) where asset_id is not null and read_at is null',
      'index notices_end on notices (created_at)',
      'index notices_mail on notices (mail_due_at) where mail_due_at is not null',
    ],
  },
  notice_choices: {
    comment: 'How a user is told of a kind of notice; its defaults apply without a row.',
    columns: {
      user_id: userId,
      kind: 'text not null',
      bell: 'boolean not null',
      mail: 'boolean not null',
      push: 'boolean not null',
    },
    constraints: ['primary key (user_id, kind)'],
  },
  push_subscriptions: {
    comment: 'Browsers that receive push messages.',
    columns: {
      id,
      user_id: userId,
      sign_in_id: ['bigint references sign_ins (id) on delete cascade', 'It ends with the sign-in that made it.'],
      endpoint: ['text not null constraint push_subscriptions_endpoint unique', 'Its address at its push service.'],
      sealed: ['text not null', 'The keys of the browser, sealed.'],
      created_at: 'timestamptz not null',
    },
    indexes: [
      'index push_subscriptions_user on push_subscriptions (user_id)',
      'index push_subscriptions_sign_in on push_subscriptions (sign_in_id)',
    ],
  },
  notice_targets: {
    comment: 'Programs and services of their own that users have their notices sent to.',
    columns: {
      id,
      user_id: userId,
      format: `text not null ${oneOf('notice_targets_format', 'format', 'json ntfy gotify slack')}`,
      host: ['text not null', 'The host of its address, to tell it from others.'],
      sealed: ['text not null', 'Its address, and what signs or authorizes what is sent, sealed.'],
      kinds: ['text[] not null', 'The kinds of notices that are sent.'],
      amounts: ['boolean not null', 'Whether what is sent names amounts of money.'],
      created_at: 'timestamptz not null',
      off_at: ['timestamptz', 'When sending was given up after days of failures; null while it is on.'],
    },
    indexes: ['index notice_targets_user on notice_targets (user_id)'],
  },
  deliveries: {
    comment: 'Notices on their way to a browser or a target. Deleted once they have arrived or were given up.',
    columns: {
      id,
      notice_id: 'bigint not null references notices (id) on delete cascade',
      subscription_id: ['bigint references push_subscriptions (id) on delete cascade', 'The browser, or null.'],
      target_id: ['bigint references notice_targets (id) on delete cascade', 'The target, or null.'],
      due_at: ['timestamptz not null', 'When the next attempt is made. Each attempt moves it before it begins.'],
      attempts: 'integer not null default 0 constraint deliveries_attempts check (attempts >= 0)',
      tried_at: ['timestamptz', 'When it was first attempted; null until then.'],
    },
    constraints: [
      'constraint deliveries_one_receiver check ((subscription_id is null) <> (target_id is null))',
      'constraint deliveries_subscription unique (notice_id, subscription_id)',
      'constraint deliveries_target unique (notice_id, target_id)',
    ],
    indexes: [
      'index deliveries_push on deliveries (due_at, id) where subscription_id is not null',
      'index deliveries_subscription_id on deliveries (subscription_id) where subscription_id is not null',
      'index deliveries_target_id on deliveries (target_id, id) where target_id is not null',
    ],
  },
  mails: {
    comment: 'Email that waits to be sent. Deleted once the mail server has taken it.',
    columns: {
      id,
      user_id: [
        'bigint references users (id) on delete cascade',
        'Whose account it is about; null if that is looked up when it is sent.',
      ],
      kind: 'text not null',
      sealed: [
        'text not null',
        'What the message is written from, sealed because it may hold a link that opens an account.',
      ],
      attempts: 'integer not null default 0 constraint mails_attempts check (attempts >= 0)',
      due_at: ['timestamptz not null', 'When the next attempt is made. Each attempt moves it before it begins.'],
      created_at: 'timestamptz not null',
    },
    indexes: ['index mails_due on mails (due_at, id)', 'index mails_user on mails (user_id)'],
  },
};

const definitionOf = (column: Column) => (typeof column === 'string' ? column : column[0]);
const commentOf = (column: Column) => (typeof column === 'string' ? undefined : column[1]);

async function createTable(db: Kysely<unknown>, name: string, table: Table): Promise<void> {
  const { comment, columns, constraints = [], indexes = [] } = table;
  const definitions = Object.entries(columns).map(([column, each]) => `${column} ${definitionOf(each)}`);
  await sql.raw(`create table ${name} (${[...definitions, ...constraints].join(',\n')})`).execute(db);
  for (const index of indexes) await sql.raw(`create ${index}`).execute(db);
  await sql`comment on table ${sql.table(name)} is ${sql.lit(comment)}`.execute(db);
  for (const [column, each] of Object.entries(columns)) {
    const text = commentOf(each);
    if (text !== undefined)
      await sql`comment on column ${sql.ref(`${name}.${column}`)} is ${sql.lit(text)}`.execute(db);
  }
}

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const tables of [accounts, installation, assets, shares, meters, sessions, extraCosts, costs, notifications])
    for (const [name, table] of Object.entries(tables)) await createTable(db, name, table);
}
