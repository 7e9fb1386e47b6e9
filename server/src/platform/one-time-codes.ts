import { Secret, TOTP } from 'otpauth';

// RFC 6238 as all authenticator apps support it: SHA-1, six digits, periods of 30 seconds.
const ISSUER = 'HourShare';
const PERIOD_SECONDS = 30;
/** How many periods a device's clock may be off, or typing may take. */
const WINDOW = 1;

/** RFC 4226 recommends 160 bits. */
const KEY_BYTES = 20;
/** Divisible by 5, as base32 otherwise leaves bits of the last character unused. */
const RECOVERY_CODE_BYTES = 15;

const totpOf = (key: string, label = '') =>
  new TOTP({
    issuer: ISSUER,
    label,
    secret: Secret.fromBase32(key),
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_SECONDS,
  });

/** Returns a random key in base32, which people can type. */
export const newKey = (): string => new Secret({ size: KEY_BYTES }).base32;

/** Returns the URI from which an authenticator app reads a key, usually as a QR code. */
export const keyAddress = (key: string, username: string): string => totpOf(key, username).toString();

/** Returns whether the input looks like a code of an authenticator app rather than a recovery code. */
export const isOneTimeCode = (typed: string): boolean => /^\d{6}$/.test(plain(typed));

/** Returns the period of a code, counted since 1970; undefined if it isn't a current one. Compares in constant time. */
export function stepOfCode(key: string, typed: string, now: Date): number | undefined {
  // The library throws on six characters that aren't ASCII.
  if (!isOneTimeCode(typed)) return undefined;
  const delta = totpOf(key).validate({ token: plain(typed), timestamp: now.getTime(), window: WINDOW });
  return delta === null ? undefined : Math.floor(now.getTime() / 1000 / PERIOD_SECONDS) + delta;
}

/** Returns an authenticator app's code at a given time. */
export const codeAt = (key: string, moment: Date): string => totpOf(key).generate({ timestamp: moment.getTime() });

/** Returns 120 random bits as six groups of four letters and digits that can't be confused with each other. */
export const newRecoveryCode = (): string =>
  (new Secret({ size: RECOVERY_CODE_BYTES }).base32.toLowerCase().match(/.{4}/g) ?? []).join('-');

/** Normalizes a typed code: removes what people add or leave out. */
export const plain = (typed: string): string => typed.replace(/[\s\p{P}]/gu, '').toLowerCase();
