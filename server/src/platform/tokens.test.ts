import { createDecipheriv, createHmac, generateKeyPairSync, hkdfSync } from 'node:crypto';
import fc from 'fast-check';
import { SignJWT, type JWTPayload } from 'jose';
import { describe, expect, it } from 'vitest';
import { createTokens, hashToken } from './tokens.ts';

const SECRET = 'a secret that only tests know, 32+ characters';
const CALLER = { userId: 7, signIn: 'sign-in' };
const ISSUED = Date.parse('2026-03-10T12:00:00.000Z') / 1000;

const clock = { now: new Date(ISSUED * 1000) };
const tokens = createTokens(SECRET, () => clock.now);
const others = createTokens(`${SECRET}!`, () => clock.now);

const derived = (purpose: string, secret = SECRET) => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
const accessKey = derived('hourshare access token');
const claims = { sub: '7', sid: 'sign-in', aud: 'hourshare', iat: ISSUED, exp: ISSUED + 900 };

/** Returns a token as the server makes it, except for the changes. An undefined claim is omitted. */
const forge = (
  changes: { [claim: string]: unknown } = {},
  header: { alg?: string; typ?: string; [name: string]: unknown } = {},
  key: Uint8Array = accessKey,
) =>
  new SignJWT(JSON.parse(JSON.stringify({ ...claims, ...changes })) as JWTPayload)
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', ...header })
    .sign(key);

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const unsigned = (header: unknown, signature = '') => `${part(header)}.${part(claims)}.${signature}`;

describe('an access token', () => {
  it('is read back by the server that issued it', async () => {
    expect(await tokens.readAccess(await tokens.access(CALLER))).toEqual(CALLER);
  });

  it('is accepted when forged with the same key and claims, so that the rejections below mean something', async () => {
    expect(await tokens.readAccess(await forge())).toEqual(CALLER);
  });

  it('is rejected without a signature, whatever its header says', async () => {
    for (const alg of ['none', 'None', 'NONE', 'nOnE', '', null, undefined, 'HS256'])
      expect(await tokens.readAccess(unsigned({ alg, typ: 'at+jwt' }))).toBeUndefined();
  });

  it('is rejected when signed with another key', async () => {
    expect(await tokens.readAccess(await others.access(CALLER))).toBeUndefined();
    for (const key of [derived('hourshare refresh token'), Buffer.from(SECRET), Buffer.alloc(32)])
      expect(await tokens.readAccess(await forge({}, {}, key))).toBeUndefined();
  });

  it('is rejected when signed with another algorithm, even with the right key', async () => {
    for (const alg of ['HS384', 'HS512'])
      expect(await tokens.readAccess(await forge({}, { alg }, Buffer.concat([accessKey, accessKey])))).toBeUndefined();
    const header = { alg: 'HS512', typ: 'at+jwt' };
    const signature = createHmac('sha512', accessKey)
      .update(`${part(header)}.${part(claims)}`)
      .digest('base64url');
    expect(await tokens.readAccess(unsigned(header, signature))).toBeUndefined();
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const asymmetric = await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', typ: 'at+jwt' }).sign(privateKey);
    expect(await tokens.readAccess(asymmetric)).toBeUndefined();
  });

  it('is rejected when its header brings or names another key', async () => {
    const mine = Buffer.alloc(32, 1);
    const jwk = { kty: 'oct', k: mine.toString('base64url') };
    for (const extra of [
      { jwk },
      { kid: '/dev/null' },
      { jku: 'https://evil.example/keys' },
      { x5u: 'https://evil.example' },
    ])
      expect(await tokens.readAccess(await forge({}, extra, mine))).toBeUndefined();
  });

  it.each([
    ['another audience', { aud: 'elsewhere' }],
    ['no audience', { aud: undefined }],
    ['an end in the past', { exp: ISSUED - 1 }],
    ['an end right now', { exp: ISSUED }],
    ['no end', { exp: undefined }],
    ['an end that is no number', { exp: '9999999999' }],
    ['no issue time', { iat: undefined }],
    ['a start in the future', { nbf: ISSUED + 60 }],
    ['no user', { sub: undefined }],
    ['a user that is no number', { sub: 'mira' }],
    ['a user beyond whole numbers', { sub: '1e300' }],
    ['no sign-in', { sid: undefined }],
    ['a sign-in that is no text', { sid: 5 }],
  ])('is rejected with %s', async (_, changes) => {
    expect(await tokens.readAccess(await forge(changes))).toBeUndefined();
  });

  it.each(['JWT', 'rt+jwt', 'refresh', ''])('is rejected with the type "%s"', async (typ) => {
    expect(await tokens.readAccess(await forge({}, { typ }))).toBeUndefined();
  });

  it('is rejected to the second when it expires, and not before', async () => {
    const token = await tokens.access(CALLER);
    const at = (milliseconds: number) =>
      createTokens(SECRET, () => new Date(ISSUED * 1000 + milliseconds)).readAccess(token);
    expect(await at(15 * 60_000 - 1)).toEqual(CALLER);
    expect(await at(15 * 60_000)).toBeUndefined();
    expect(await at(365 * 24 * 60 * 60_000)).toBeUndefined();
  });

  it('is rejected outside its lifetime even after it was accepted', async () => {
    let seconds = 0;
    const moving = createTokens(SECRET, () => new Date((ISSUED + seconds) * 1000));
    const token = await forge();
    const accepted = [];
    for (seconds of [0, 899.999, 900, 0, -60, -60.001]) accepted.push((await moving.readAccess(token)) !== undefined);
    expect(accepted).toEqual([true, true, false, true, true, false]);
  });

  it('has expired only if it was valid until then', async () => {
    let seconds = 0;
    const moving = createTokens(SECRET, () => new Date((ISSUED + seconds) * 1000));
    const token = await forge();
    const expired = [];
    for (seconds of [0, 899.999, 900, 1_000_000]) expired.push(await moving.hasExpired(token));
    expect(expired).toEqual([false, false, true, true]);
    const refused = [
      await forge({}, {}, derived('hourshare refresh token')),
      await forge({}, { typ: 'JWT' }),
      await forge({ aud: 'elsewhere' }),
      await forge({ exp: undefined }),
      'arbitrary text',
    ];
    for (const each of refused) expect(await moving.hasExpired(each)).toBe(false);
    expect(await moving.readAccess(token)).toBeUndefined();
  });

  it('is rejected when issued in the future, beyond the tolerated clock skew', async () => {
    const token = await tokens.access(CALLER);
    const at = (seconds: number) => createTokens(SECRET, () => new Date((ISSUED + seconds) * 1000)).readAccess(token);
    expect(await at(-60)).toEqual(CALLER);
    expect(await at(-61)).toBeUndefined();
  });

  it('is rejected with any one character changed', async () => {
    const token = await tokens.access(CALLER);
    // The last character of a signature contains two unused bits, so it is left out.
    for (let index = 0; index < token.length - 1; index++) {
      const changed = `${token.slice(0, index)}${token[index] === 'A' ? 'B' : 'A'}${token.slice(index + 1)}`;
      expect(await tokens.readAccess(changed)).toBeUndefined();
    }
  });

  it('is rejected when it is arbitrary text', async () => {
    const dotted = fc.array(fc.string({ unit: 'binary' }), { maxLength: 5 }).map((parts) => parts.join('.'));
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string({ unit: 'binary' }), dotted, fc.base64String()), async (garbage) => {
        expect(await tokens.readAccess(garbage)).toBeUndefined();
        expect(tokens.readRefresh(garbage)).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });
});

describe('a refresh token', () => {
  const claim = { handle: 'some-handle_1', generation: 3 };

  it('is read back, and is the same whenever it is issued', () => {
    expect(tokens.readRefresh(tokens.refresh(claim))).toEqual(claim);
    expect(createTokens(SECRET, () => new Date(0)).refresh(claim)).toBe(tokens.refresh(claim));
  });

  it('is rejected by a server with another secret', () => {
    expect(tokens.readRefresh(others.refresh(claim))).toBeUndefined();
  });

  it('is rejected when it is an access token, and vice versa', async () => {
    expect(tokens.readRefresh(await tokens.access(CALLER))).toBeUndefined();
    expect(await tokens.readAccess(tokens.refresh(claim))).toBeUndefined();
  });

  it('is rejected when signed with the access token key', () => {
    const mac = createHmac('sha256', accessKey).update('some-handle_1.3').digest('base64url');
    expect(tokens.readRefresh(`some-handle_1.3.${mac}`)).toBeUndefined();
  });

  it('is only valid for its own generation of its own sign-in', () => {
    const mac = tokens.refresh(claim).split('.')[2]!;
    for (const forged of [
      'some-handle_1.4',
      'some-handle_1.03',
      'some-handle_1.-3',
      'some-handle_1.3.',
      'some-handle_2.3',
      '.3',
    ])
      expect(tokens.readRefresh(`${forged}.${mac}`)).toBeUndefined();
  });

  it('differs for any two generations and sign-ins', () => {
    const place = fc.record({
      handle: fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'B', '0', '1', '_', '-'), minLength: 1, maxLength: 6 }),
      generation: fc.nat(999_999_999),
    });
    fc.assert(
      fc.property(place, place, (one, other) => {
        const same = one.handle === other.handle && one.generation === other.generation;
        expect(tokens.refresh(one) === tokens.refresh(other)).toBe(same);
        expect(tokens.readRefresh(tokens.refresh(one))).toEqual(one);
      }),
    );
  });

  it('is stored as its SHA-256, which reveals nothing of it', () => {
    expect(hashToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

describe('a sealed text', () => {
  it('is read back by the same secret, and is different each time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(tokens.unseal(tokens.seal(text))).toBe(text);
        expect(tokens.seal(text)).not.toBe(tokens.seal(text));
      }),
    );
  });

  it('means nothing to another secret, altered, or cut', () => {
    const sealed = tokens.seal('a secret');
    expect(others.unseal(sealed)).toBeUndefined();
    const bytes = Buffer.from(sealed, 'base64url');
    for (const index of bytes.keys()) {
      const altered = Buffer.from(bytes);
      altered[index]! ^= 1;
      expect(tokens.unseal(altered.toString('base64url'))).toBeUndefined();
      expect(tokens.unseal(bytes.subarray(0, index).toString('base64url'))).toBeUndefined();
    }
    expect(Buffer.from(sealed, 'base64url').toString()).not.toContain('a secret');
  });

  it('is encrypted with AES-256-GCM, and bound to the version and the key that it names', () => {
    const bytes = Buffer.from(tokens.seal('a secret'), 'base64url');
    const [header, nonce, encrypted, tag] = [
      bytes.subarray(0, 9),
      bytes.subarray(9, 21),
      bytes.subarray(21, -16),
      bytes.subarray(-16),
    ];
    const key = Buffer.from(hkdfSync('sha256', SECRET, '', 'hourshare sealed text', 32));
    const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(header).setAuthTag(tag);
    expect(Buffer.concat([decipher.update(encrypted), decipher.final()]).toString()).toBe('a secret');
  });

  it('means nothing in any other spelling', () => {
    const sealed = tokens.seal('a secret');
    for (const other of [
      `${sealed} `,
      ` ${sealed}`,
      `${sealed}\n`,
      `${sealed}=`,
      `${sealed.slice(0, 9)}.${sealed.slice(9)}`,
    ])
      expect(tokens.unseal(other)).toBeUndefined();
  });

  it('begins with the version of its format and the id of its key', () => {
    const id = Buffer.from(hkdfSync('sha256', SECRET, '', 'hourshare sealed text id', 8));
    expect(tokens.sealedPrefix).toBe(Buffer.from([1, ...id]).toString('base64url'));
    expect(tokens.seal('a secret').startsWith(tokens.sealedPrefix)).toBe(true);
    expect(others.sealedPrefix).not.toBe(tokens.sealedPrefix);
  });

  it('of the previous secret is still read, and nothing else of that secret', async () => {
    const replaced = createTokens(`${SECRET}!`, () => clock.now, SECRET);
    expect(replaced.unseal(tokens.seal('a secret'))).toBe('a secret');
    expect(replaced.unseal(replaced.seal('a secret'))).toBe('a secret');
    expect(others.unseal(replaced.seal('a secret'))).toBe('a secret');
    expect(tokens.unseal(replaced.seal('a secret'))).toBeUndefined();
    const caller = { userId: 7, signIn: 'handle' };
    expect(await replaced.readAccess(await tokens.access(caller))).toBeUndefined();
    expect(replaced.readRefresh(tokens.refresh({ handle: 'handle', generation: 0 }))).toBeUndefined();
  });

  it('without its beginning means nothing', () => {
    expect(tokens.unseal(tokens.seal('a secret').slice(tokens.sealedPrefix.length))).toBeUndefined();
  });
});
