import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  webcrypto,
} from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import type { Clock } from './clock.ts';
import { secretFingerprint } from './secret.ts';

const ACCESS_TOKEN_SECONDS = 15 * 60;
const AUDIENCE = 'hourshare';
// A sealed text begins with the version of its format, which is AES-256-GCM as below, and the id of its key. Nine bytes are
// twelve characters of base64url, so that a column can be searched for them.
const SEAL_VERSION = 1;
const SEAL_KEY_ID_BYTES = 8;
const SEAL_HEADER_BYTES = 1 + SEAL_KEY_ID_BYTES;
// AES-GCM's own sizes.
const SEAL_NONCE_BYTES = 12;
const SEAL_TAG_BYTES = 16;

const ACCESS_KIND = 'at+jwt';

/** How far the clocks of several servers may be apart. A token issued later than this came from a wrong clock. */
const CLOCK_SKEW_SECONDS = 60;

/** The user and sign-in of a valid access token. */
export interface Caller {
  userId: number;
  signIn: string;
  /** The generation of the refresh token that came with it. */
  generation?: number;
}

/** A user's script with a valid access token. */
export interface Script {
  /** The id of its token. */
  token: number;
  userId: number;
  /** The share that it may use, null if access to that has ended; or reading the account, or hearing what happens. */
  scope: { share: number | null } | 'account' | 'events';
  expiresAt: Date;
}

/** The claims of a token whose signature has been verified. */
interface Claims {
  caller: Caller;
  /** Seconds since 1970, like issuedAt. */
  expiresAt: number;
  issuedAt: number;
}

/** How many verified tokens are remembered, about 5 MB. */
const VERIFIED_MAX = 10_000;

/** A refresh token's position in its sign-in: tokens are numbered from 0, and each use makes the next one current. */
export interface RefreshClaim {
  handle: string;
  generation: number;
}

export interface Tokens {
  /** Tells which secret they were made with. */
  fingerprint: string;
  access(caller: Caller): Promise<string>;
  /**
   * Returns the caller, or undefined for anything but an unexpired access token of this server that wasn't issued in
   * the future.
   */
  readAccess(token: string): Promise<Caller | undefined>;
  /** Returns whether it is an access token of this server that was valid until it expired. */
  hasExpired(token: string): Promise<boolean>;
  /** Returns the sign-in of an access token of this server, even if it has expired. */
  signInOf(token: string): Promise<string | undefined>;
  /**
   * Returns the same token for the same position every time. A client whose response got lost can therefore get the
   * successor again, although the database has only its hash.
   */
  refresh(claim: RefreshClaim): string;
  /** Returns undefined for anything that this server didn't issue, without asking the database. */
  readRefresh(token: string): RefreshClaim | undefined;
  /** Encrypts a text for the database, whose copies are worth nothing without this server's secret. */
  seal(text: string): string;
  /** What `seal` begins every text with, and no other secret does. */
  sealedPrefix: string;
  /** Returns undefined for anything that neither this server's secret nor the previous one sealed. */
  unseal(sealed: string): string | undefined;
}

export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

const deriveFrom = (secret: string, purpose: string, bytes = 32): Buffer<ArrayBuffer> =>
  Buffer.from(hkdfSync('sha256', secret, '', purpose, bytes));

interface SealKey {
  key: Buffer<ArrayBuffer>;
  header: Buffer<ArrayBuffer>;
}

function sealKeyOf(secret: string): SealKey {
  const id = deriveFrom(secret, 'hourshare sealed text id', SEAL_KEY_ID_BYTES);
  return { key: deriveFrom(secret, 'hourshare sealed text'), header: Buffer.from([SEAL_VERSION, ...id]) };
}

/** Returns undefined if it wasn't encrypted with this key and bound to this header. */
function decrypt({ key, header }: SealKey, bytes: Buffer): string | undefined {
  if (bytes.length < SEAL_NONCE_BYTES + SEAL_TAG_BYTES) return undefined;
  const options = { authTagLength: SEAL_TAG_BYTES };
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, SEAL_NONCE_BYTES), options);
  decipher.setAAD(header);
  decipher.setAuthTag(bytes.subarray(-SEAL_TAG_BYTES));
  try {
    return (
      decipher.update(bytes.subarray(SEAL_NONCE_BYTES, -SEAL_TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    );
  } catch {
    return undefined;
  }
}

/**
 * Creates tokens signed with keys derived from one secret, one key per purpose, so that no kind can pass for another. Of the previous
 * secret, if one is given, only what it sealed is still read.
 */
export function createTokens(secret: string, clock: Clock, previousSecret?: string): Tokens {
  const derive = (purpose: string) => deriveFrom(secret, purpose);
  // Imported once, because the library would import a raw key again for every token.
  const accessKey = webcrypto.subtle.importKey(
    'raw',
    derive('hourshare access token'),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign', 'verify'],
  );
  const refreshKey = derive('hourshare refresh token');
  const sealKey = sealKeyOf(secret);
  const openingKeys = [sealKey, ...(previousSecret === undefined ? [] : [sealKeyOf(previousSecret)])];

  // Verifying takes CPU time, and a client sends the same token for minutes.
  const verified = new Map<string, Claims>();

  async function verify(token: string, currentDate = clock()): Promise<Claims | undefined> {
    try {
      const { payload } = await jwtVerify(token, await accessKey, {
        algorithms: ['HS256'],
        typ: ACCESS_KIND,
        audience: AUDIENCE,
        requiredClaims: ['sub', 'sid', 'exp', 'iat'],
        currentDate,
      });
      const userId = Number(payload.sub);
      const { sid: signIn, gen: generation, exp: expiresAt, iat: issuedAt } = payload;
      if (!Number.isSafeInteger(userId) || typeof signIn !== 'string') return undefined;
      if (expiresAt === undefined || issuedAt === undefined) return undefined;
      const caller = { userId, signIn, ...(typeof generation === 'number' && { generation }) };
      const claims = { caller, expiresAt, issuedAt };
      const [oldest] = verified.keys();
      if (verified.size >= VERIFIED_MAX && oldest !== undefined) verified.delete(oldest);
      verified.set(token, claims);
      return claims;
    } catch {
      return undefined;
    }
  }

  const verifyUntimed = async (token: string) => verified.get(token) ?? (await verify(token, new Date(0)));

  const refreshMac = (claim: string) => createHmac('sha256', refreshKey).update(claim).digest();

  return {
    fingerprint: secretFingerprint(secret),

    async access({ userId, signIn, generation }) {
      const now = Math.floor(clock().getTime() / 1000);
      return new SignJWT({ sid: signIn, gen: generation })
        .setProtectedHeader({ alg: 'HS256', typ: ACCESS_KIND })
        .setSubject(String(userId))
        .setAudience(AUDIENCE)
        .setIssuedAt(now)
        .setExpirationTime(now + ACCESS_TOKEN_SECONDS)
        .sign(await accessKey);
    },

    async readAccess(token) {
      const claims = verified.get(token) ?? (await verify(token));
      const now = clock().getTime() / 1000;
      // Only the time-dependent checks are left.
      if (!claims || claims.expiresAt <= now || claims.issuedAt > now + CLOCK_SKEW_SECONDS) return undefined;
      return claims.caller;
    },

    async hasExpired(token) {
      const claims = await verifyUntimed(token);
      return claims !== undefined && claims.expiresAt <= clock().getTime() / 1000;
    },

    async signInOf(token) {
      return (await verifyUntimed(token))?.caller.signIn;
    },

    refresh({ handle, generation }) {
      const claim = `${handle}.${generation}`;
      return `${claim}.${refreshMac(claim).toString('base64url')}`;
    },

    readRefresh(token) {
      const match = /^([A-Za-z0-9_-]{1,64})\.(0|[1-9]\d{0,8})\.([A-Za-z0-9_-]{43})$/.exec(token);
      if (!match) return undefined;
      const [, handle = '', generation = '', mac = ''] = match;
      const expected = refreshMac(`${handle}.${generation}`);
      if (!timingSafeEqual(Buffer.from(mac, 'base64url'), expected)) return undefined;
      return { handle, generation: Number(generation) };
    },

    seal(text) {
      const nonce = randomBytes(SEAL_NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealKey.key, nonce).setAAD(sealKey.header);
      const sealed = [sealKey.header, nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
      return Buffer.concat(sealed).toString('base64url');
    },

    sealedPrefix: sealKey.header.toString('base64url'),

    unseal(sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      // Decoding skips what isn't base64url, so a sealed text in a link would have many spellings.
      if (bytes.toString('base64url') !== sealed) return undefined;
      const named = openingKeys.find(({ header }) => header.equals(bytes.subarray(0, SEAL_HEADER_BYTES)));
      return named && decrypt(named, bytes.subarray(SEAL_HEADER_BYTES));
    },
  };
}
