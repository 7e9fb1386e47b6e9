// The bounds that cross the wire. The server, screens, tests and docs read them from here.

/** Whole hours a member may be given a month: 31 days of 24 hours at most. */
export const ALLOCATION_MIN_HOURS = 1;
export const ALLOCATION_MAX_HOURS = 744;

export const USERNAME_MIN_LENGTH = 3;
export const USERNAME_MAX_LENGTH = 30;
export const EMAIL_MAX_LENGTH = 254;

/** The server's default; its setting PASSWORD_MIN_LENGTH may raise it. The login form refuses anything shorter. */
export const PASSWORD_MIN_LENGTH = 8;
export const PASSWORD_MAX_LENGTH = 128;

export const ASSET_NAME_MAX_LENGTH = 100;
export const ASSET_DESCRIPTION_MAX_LENGTH = 2000;

/** Dollars a month, in steps of a cent. */
export const SUBSCRIPTION_COST_MIN = 0;
export const SUBSCRIPTION_COST_MAX = 9_999_999.99;
export const SUBSCRIPTION_COST_STEP = 0.01;

/** Hours after which a session ends automatically; the owner may set 1 to 744. */
export const MAX_SESSION_HOURS_DEFAULT = 24;
export const MAX_SESSION_HOURS_MAX = 744;

/** Whole hours a month that an owner may reserve. */
export const OWNER_HOURS_MAX = 744;

/** Hours for which an ended month stays open for corrections before it is closed for good. */
export const CORRECTION_HOURS = 72;

export const LOGS_PAGE_SIZE = 50;
export const LOGS_PAGE_SIZE_MAX = 200;

/** The most results in one answer of any other list. */
export const LIST_PAGE_SIZE = 500;

export const BODY_MAX_BYTES = 64 * 1024;
export const IDEMPOTENCY_KEY_MAX_LENGTH = 255;
