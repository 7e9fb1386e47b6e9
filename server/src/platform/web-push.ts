import { createCipheriv, createECDH, hkdfSync, randomBytes, type ECDH } from 'node:crypto';
import { importJWK, SignJWT } from 'jose';
import { isListed, isPublicAndSecure, post } from './posting.ts';

// Hand-written, because the library for it brings five more and can neither limit addresses nor what is sent. Source:
// docs/decisions/0006-the-stack.md.

/** A browser that push messages can be sent to. The keys are base64url. */
export interface PushTarget {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** With which a server identifies itself to push services (RFC 8292); base64url of the point and the number. */
export interface PushKeys {
  publicKey: string;
  privateKey: string;
}

const CURVE = 'prime256v1';
const RECORD_SIZE = 4096;
const POINT_BYTES = 65;
const PRIVATE_KEY_BYTES = 32;
const TOKEN_SECONDS = 12 * 3600;
const ATTEMPT_MILLISECONDS = 15_000;

/** Returns a pair of keys in the length that RFC 7518 requires: OpenSSL leaves out zeros at the start of a private key. */
export function createPushKeys(pair = newPair()): PushKeys {
  const key = pair.getPrivateKey();
  const privateKey = Buffer.concat([Buffer.alloc(PRIVATE_KEY_BYTES - key.length), key]);
  return { publicKey: pair.getPublicKey('base64url'), privateKey: privateKey.toString('base64url') };
}

/** Returns whether two keys belong together. */
export function areKeys({ publicKey, privateKey }: PushKeys): boolean {
  try {
    const pair = createECDH(CURVE);
    pair.setPrivateKey(privateKey, 'base64url');
    return pair.getPublicKey('base64url') === publicKey;
  } catch {
    return false;
  }
}

/** Returns whether messages can be encrypted for a browser's keys. */
export function canEncryptFor({ p256dh, auth }: Pick<PushTarget, 'p256dh' | 'auth'>): boolean {
  try {
    encrypt('', { p256dh, auth });
    return Buffer.from(auth, 'base64url').length === 16;
  } catch {
    return false;
  }
}

function newPair(): ECDH {
  const pair = createECDH(CURVE);
  pair.generateKeys();
  return pair;
}

/**
 * Encrypts a text for a browser as RFC 8291 and RFC 8188 say, in one record. Throws if the keys aren't a browser's.
 * @param pair - a new key pair, unless a test compares with the example of RFC 8291
 */
export function encrypt(
  text: string,
  { p256dh, auth }: Pick<PushTarget, 'p256dh' | 'auth'>,
  { pair = newPair(), salt = randomBytes(16) }: { pair?: ECDH; salt?: Buffer } = {},
): Buffer {
  const theirs = Buffer.from(p256dh, 'base64url');
  const own = pair.getPublicKey();
  const derive = (key: Uint8Array, salted: Uint8Array, info: Uint8Array | string, length: number) =>
    Buffer.from(hkdfSync('sha256', key, salted, info, length));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, own]);
  const key = derive(pair.computeSecret(theirs), Buffer.from(auth, 'base64url'), info, 32);
  const cipher = createCipheriv(
    'aes-128-gcm',
    derive(key, salt, 'Content-Encoding: aes128gcm\0', 16),
    derive(key, salt, 'Content-Encoding: nonce\0', 12),
  );
  const size = Buffer.alloc(5);
  size.writeUInt32BE(RECORD_SIZE);
  size.writeUInt8(POINT_BYTES, 4);
  // The byte 2 ends the last record.
  const record = [cipher.update(Buffer.from(`${text}\u0002`)), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat([salt, size, own, ...record]);
}

/** Returns the header that identifies this server to a push service. */
async function authorization(
  endpoint: string,
  { keys, subject, now }: { keys: PushKeys; subject: string; now: Date },
): Promise<string> {
  const point = Buffer.from(keys.publicKey, 'base64url');
  const coordinate = (from: number) => point.subarray(from, from + 32).toString('base64url');
  const key = await importJWK(
    { kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33), d: keys.privateKey },
    'ES256',
  );
  const token = await new SignJWT()
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
    .setAudience(new URL(endpoint).origin)
    .setExpirationTime(Math.floor(now.getTime() / 1000) + TOKEN_SECONDS)
    .setSubject(subject)
    .sign(key);
  return `vapid t=${token}, k=${keys.publicKey}`;
}

/** Where push messages may be sent to. */
export interface PushRules {
  /** Also to addresses that aren't public, and without TLS unless there is a list. */
  allowPrivate: boolean;
  /** Host names, or suffixes after `*`; undefined if there is no list. */
  services: readonly string[] | undefined;
}

/** Returns whether messages may be sent to an address, as far as it tells without being resolved. */
export function mayPushTo(endpoint: string, { allowPrivate, services }: PushRules): boolean {
  const url = new URL(endpoint);
  if (url.username !== '' || url.password !== '') return false;
  // A URL has no port if it is the one of its protocol.
  if (services && !(url.protocol === 'https:' && url.port === '' && isListed(url.hostname, services))) return false;
  return allowPrivate || isPublicAndSecure(url);
}

export interface PushMessage {
  text: string;
  /** How long the push service keeps it for a browser that isn't reachable. */
  ttlSeconds: number;
  urgency: 'normal' | 'high';
}

/**
 * Sends a message to a browser's push service, and returns the status of its answer. Follows no redirects. Rejects if there is no
 * answer, or if the address isn't public and only public ones are allowed.
 */
export async function sendPush(
  target: PushTarget,
  { text, ttlSeconds, urgency }: PushMessage,
  from: PushRules & { keys: PushKeys; subject: string; now: Date; signal: AbortSignal | undefined },
): Promise<number> {
  if (!mayPushTo(target.endpoint, from)) throw new Error('The address is not allowed.');
  const headers = {
    authorization: await authorization(target.endpoint, from),
    'content-encoding': 'aes128gcm',
    'content-type': 'application/octet-stream',
    ttl: ttlSeconds,
    urgency,
  };
  const { allowPrivate, signal } = from;
  return post(target.endpoint, {
    headers,
    body: encrypt(text, target),
    withinMilliseconds: ATTEMPT_MILLISECONDS,
    signal,
    allowPrivate,
  });
}
