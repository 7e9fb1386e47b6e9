// Limits of the API. The server, screens, tests and docs read them from here.

/** Whole hours per month that a member may be given: at most 31 days of 24 hours. */
export const ALLOCATION_MIN_HOURS = 1;
export const ALLOCATION_MAX_HOURS = 744;

export const USERNAME_MIN_LENGTH = 3;
export const USERNAME_MAX_LENGTH = 30;
export const EMAIL_MAX_LENGTH = 254;

/** The server's default, which its setting PASSWORD_MIN_LENGTH may raise. The login form rejects anything shorter. */
export const PASSWORD_MIN_LENGTH = 8;
export const PASSWORD_MAX_LENGTH = 128;

export const ASSET_NAME_MAX_LENGTH = 100;
export const ASSET_DESCRIPTION_MAX_LENGTH = 2000;

/** Maximum number of assets of one owner, archived ones included. */
export const ASSETS_MAX = 1000;

/** How many months or years a price may be paid for at once, reminders of a renewal, and days before one. */
export const CYCLE_MAX = 36;
export const REMINDERS_MAX = 5;
export const DEADLINE_DAYS_MAX = 365;

/** The user's name for a device, a passkey, or an access token. */
export const DEVICE_NAME_MAX_LENGTH = 50;

/** The maximum number of days for which an access token works. */
export const ACCESS_TOKEN_DAYS_DEFAULT = 90;
export const ACCESS_TOKEN_DAYS_MAX = 365;

/** Maximum number of programs and services that one user's notices are sent to. */
export const NOTICE_TARGETS_MAX = 10;

/** Maximum number of access tokens of one user. */
export const ACCESS_TOKENS_MAX = 50;

/** The languages of the screens, as BCP 47 names them. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt-BR', 'ja', 'ar'] as const;

/** Hours after which a session ends automatically; the owner may set 1 to 744. */
export const MAX_SESSION_HOURS_DEFAULT = 24;
export const MAX_SESSION_HOURS_MAX = 744;

/** Hours for which a start or an end that was pressed offline can be added. */
export const LATE_PRESS_HOURS = 24;
/** A start or an end this close to one that is recorded counts as the same press, such as one whose answer was lost. */
export const SAME_PRESS_SECONDS = 60;

/** What a script calls a session that it adds, so that sending it again doesn't add another. */
export const EXTERNAL_ID_MAX_LENGTH = 100;

/** Whole hours per month that an owner may reserve. */
export const OWNER_HOURS_MAX = 744;

/** Hours for which an ended month stays open for changes before it closes automatically. */
export const CORRECTION_HOURS = 72;

/** Objections end this many hours before the month closes, so that the member has time to answer. */
export const OBJECTION_ENDS_HOURS = 24;

/** The owner is told of an end pressed offline that takes away more than this. */
export const LATE_END_TOLD_MINUTES = 10;

/** Days for which an offer of access can be accepted. */
export const OFFER_DAYS = 14;

/** Maximum number of open offers to one person, from anyone and from one owner. */
export const OPEN_OFFERS_MAX = 200;
export const OPEN_OFFERS_BY_OWNER_MAX = 50;

/** Maximum number of offers that one owner makes to one person within 24 hours, apart from accepted ones. */
export const OFFERS_PER_DAY_MAX = 3;

/** What an owner writes with an objection to an edit, and each reply. */
export const OBJECTION_TEXT_MAX_LENGTH = 280;
/** Maximum number of texts of each side in an objection. */
export const OBJECTION_TEXTS_MAX = 20;

/** How long a link to set a new password works. */
export const PASSWORD_RESET_MINUTES = 30;
/** How long a link with which someone may create an account works, unless a command says otherwise. */
export const REGISTRATION_LINK_DAYS = 7;
/** How long a link to confirm a new email address works. */
export const EMAIL_CHANGE_HOURS = 24;

/** How long someone has to sign in with a provider, and then to choose a username or sign in here. */
export const PROVIDER_MINUTES = 10;
export const PROVIDER_ANSWER_MAX_LENGTH = 4096;

/** Days for which an invitation can be accepted. */
export const INVITATION_DAYS = 7;

/** Longer than any that the server makes. */
export const LINK_TOKEN_MAX_LENGTH = 120;

/** Maximum number of open invitations to one asset. */
export const OPEN_INVITATIONS_MAX = 20;

/** Days for which the link works with which a person without an account joins. */
export const CLAIM_DAYS = 7;

/** How many of the sessions recorded for a person are shown before they join. */
export const CLAIM_SESSIONS_SHOWN = 50;

export const PERSON_NAME_MAX_LENGTH = 40;

/** Maximum number of people without an account to whom one owner gives access at a time. */
export const PEOPLE_MAX = 50;

/** Maximum number of co-managers of an asset. */
export const MANAGERS_MAX = 5;

/** Hours for which whoever recorded or confirmed a payment can undo that alone. */
export const UNDO_HOURS = 72;

/** Maximum number of deposits that one person holds for another at a time, unconfirmed ones included. */
export const DEPOSITS_MAX = 20;

export const PAYMENT_METHODS_MAX = 6;
/** What banks allow. */
export const PAYMENT_HOLDER_MAX_LENGTH = 70;
export const PAYMENT_TOWN_MAX_LENGTH = 52;
export const PAYMENT_TEXT_MAX_LENGTH = 200;
export const PAYMENT_LINK_MAX_LENGTH = 500;

export const LOGS_PAGE_SIZE = 50;
export const LOGS_PAGE_SIZE_MAX = 200;

/** The maximum number of results per answer of any other list. */
export const LIST_PAGE_SIZE = 500;

export const BODY_MAX_BYTES = 64 * 1024;

/** Maximum number of meters of an asset. */
export const METERS_MAX = 5;
export const METER_NAME_MAX_LENGTH = 50;
/** What a meter calls someone, and how many names it may use. */
export const EXTERNAL_NAME_MAX_LENGTH = 200;
export const METER_NAMES_MAX = 200;
export const METER_GRACE_MINUTES_DEFAULT = 10;
export const METER_GRACE_MINUTES_MAX = 60;
export const METER_MERGE_MINUTES_DEFAULT = 5;
export const METER_MERGE_MINUTES_MAX = 30;
export const METER_MIN_SECONDS_DEFAULT = 60;
export const METER_MIN_SECONDS_MAX = 600;
/** What a meter of totals counts unless its owner chooses another counter: seconds that Claude Code was used. */
export const METER_COUNTER_DEFAULT = 'claude_code.active_time.total';
export const METER_COUNTER_MAX_LENGTH = 255;
/** What a day of a meter counts at most. */
export const DAY_SECONDS = 86_400;
/** Maximum number of events in a call, and how large the call may be. */
export const METER_EVENTS_MAX = 500;
export const METER_BODY_MAX_BYTES = 512 * 1024;
/** Maximum number of rows of a file that is imported, and how large the call may be. */
export const METER_ROWS_MAX = 20_000;
export const IMPORT_BODY_MAX_BYTES = 4 * 1024 * 1024;
/** Events may be this old, and this far ahead of the server's clock. */
export const METER_EVENTS_HOURS = 24;
export const METER_EVENTS_AHEAD_SECONDS = 60;
/** Hours after which a meter that sends nothing is silent, and for how many days its page says so. */
export const METER_SILENT_HOURS = 24;
export const METER_SILENCES_DAYS = 30;
/** Days for which events count once someone says of whom they are, and that person agrees. */
export const METER_REPLAY_DAYS = 7;
export const IDEMPOTENCY_KEY_MAX_LENGTH = 255;

/** How long after signing in or entering the password again a user can make changes that could lock them out. */
export const CHECK_MINUTES = 10;

/** How many recovery codes a user gets at a time. */
export const RECOVERY_CODES = 10;
/** Longer than any code of an authenticator app or recovery code, with spaces. */
export const CODE_MAX_LENGTH = 50;

/** Maximum number of passkeys of one user. */
export const PASSKEYS_MAX = 20;
/** How long a browser has to create or use a passkey. */
export const PASSKEY_MINUTES = 5;

/**
 * How long security events are kept: twice as long as any sign-in lasts, so that people can still find out how an
 * intruder got in.
 */
export const SECURITY_EVENT_DAYS = 180;

/** Of what an extra cost was for, and of what someone writes about it. */
export const COST_TEXT_MAX_LENGTH = 120;

/** Maximum number of extra costs that one person enters for an asset in a month, removed ones included. */
export const COSTS_MAX = 200;

/** The most months after which a cost comes again. */
export const REPEAT_MONTHS_MAX = 36;
