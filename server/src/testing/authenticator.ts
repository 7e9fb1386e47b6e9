import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import type { NewPasskey, NewPasskeyOptions, PasskeyProof, PasskeyProofOptions } from '@hourshare/contract/sign-ins';

// A device with passkeys, in software. It follows WebAuthn, except where a test wants it to misbehave.

/** The origin of test requests: their Host is `localhost:80`. */
const ORIGIN = 'http://localhost';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const BACKUP_ELIGIBLE = 0x08;
const BACKED_UP = 0x10;
const ATTESTED = 0x40;

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();

/** The CBOR that attestations consist of. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  const head = (major: number, size: number) =>
    size < 24
      ? Buffer.from([(major << 5) | size])
      : size < 256
        ? Buffer.from([(major << 5) | 24, size])
        : Buffer.from([(major << 5) | 25, size >> 8, size & 255]);
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const items = [...value].flatMap(([key, item]) => [cbor(key), cbor(item as number)]);
  return Buffer.concat([head(5, value.size), ...items]);
}

function coseOf(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return cbor(
    new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  );
}

/** What a test can make a device do wrong. */
export interface Deviation {
  origin?: string;
  rpId?: string;
  type?: string;
  /** The use counter that it reports. */
  counter?: number;
  /** It reports that it hasn't verified its user. */
  unverified?: true;
  userHandle?: string;
  /** The credential id that it uses. */
  id?: string;
  /** The passkey attests to the device itself, as some do without being asked. */
  selfSigned?: true;
}

export interface TestPasskey {
  id: string;
  /** In COSE, as base64url. */
  publicKey: string;
  userHandle: string;
  /** Returns a proof of having this passkey, as a browser would send it. */
  use(options: PasskeyProofOptions, deviation?: Deviation): PasskeyProof;
}

const clientDataOf = (type: string, challenge: string, { origin = ORIGIN, type: other = type }: Deviation) =>
  Buffer.from(JSON.stringify({ type: other, challenge, origin, crossOrigin: false }));

function authenticatorData(
  rpId: string,
  flags: number,
  { counter = 0, unverified }: Deviation,
  rest = Buffer.alloc(0),
) {
  const counted = Buffer.alloc(4);
  counted.writeUInt32BE(counter);
  const state = USER_PRESENT | BACKUP_ELIGIBLE | BACKED_UP | (unverified ? 0 : USER_VERIFIED) | flags;
  return Buffer.concat([sha256(rpId), Buffer.from([state]), counted, rest]);
}

/** Creates a passkey, and returns it with what a browser would send. */
export function createPasskey(
  { challenge, rp, user }: NewPasskeyOptions,
  deviation: Deviation = {},
): { passkey: TestPasskey; created: NewPasskey } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = deviation.id === undefined ? randomBytes(32) : Buffer.from(deviation.id, 'base64url');
  const id = credentialId.toString('base64url');
  const attested = Buffer.concat([
    Buffer.alloc(16),
    Buffer.from([0, credentialId.length]),
    credentialId,
    coseOf(publicKey),
  ]);
  const authData = authenticatorData(deviation.rpId ?? rp.id, ATTESTED, deviation, attested);
  const clientData = clientDataOf('webauthn.create', challenge, deviation);
  const signed = sign('sha256', Buffer.concat([authData, sha256(clientData)]), privateKey);
  const statement: [string, unknown][] = [
    ['alg', -7],
    ['sig', signed],
  ];
  const attestationObject = cbor(
    new Map<string, unknown>([
      ['fmt', deviation.selfSigned ? 'packed' : 'none'],
      ['attStmt', new Map(deviation.selfSigned ? statement : [])],
      ['authData', authData],
    ]),
  );
  const created: NewPasskey = {
    id,
    rawId: id,
    type: 'public-key',
    response: {
      clientDataJSON: clientData.toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal', 'hybrid'],
    },
  };
  const passkey: TestPasskey = {
    id,
    publicKey: coseOf(publicKey).toString('base64url'),
    userHandle: user.id,
    use(options, changed = {}) {
      const clientData = clientDataOf('webauthn.get', options.challenge, changed);
      const data = authenticatorData(changed.rpId ?? options.rpId, 0, changed);
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: clientData.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', Buffer.concat([data, sha256(clientData)]), privateKey).toString('base64url'),
          userHandle: changed.userHandle ?? user.id,
        },
      };
    },
  };
  return { passkey, created };
}
