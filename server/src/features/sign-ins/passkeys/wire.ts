import type {
  NewPasskey,
  NewPasskeyOptions,
  Passkey,
  PasskeyProof,
  PasskeyProofOptions,
} from '@hourshare/contract/sign-ins';
import { PASSKEY_MINUTES } from '@hourshare/contract/limits';
import { describeDevice } from '../../../platform/http/devices.ts';
import type { PasskeySite } from './rules.ts';
import type { StoredPasskey, VerifiedPasskey } from './store.ts';

const TIMEOUT_MILLISECONDS = PASSKEY_MINUTES * 60_000;

/** Ed25519, ECDSA with P-256, and RSA, as COSE numbers; every device supports at least one. */
const ALGORITHMS = [-8, -7, -257];

/** Loaded when it is first used, because it has almost 300 files, which every start would read. */
const loadLibrary = () => Promise.all([import('@simplewebauthn/server'), import('@simplewebauthn/server/helpers')]);

const toCredentials = (passkeys: Pick<StoredPasskey, 'credential_id' | 'transports'>[]) =>
  passkeys.map(({ credential_id: id, transports }) => ({ id, type: 'public-key' as const, transports }));

/** Returns what a browser needs to create a passkey that identifies its user and verifies them. */
export const toCreationOptions = (
  { id }: PasskeySite,
  {
    challenge,
    userHandle,
    username,
    passkeys = [],
  }: { challenge: string; userHandle: string; username: string; passkeys?: StoredPasskey[] },
): NewPasskeyOptions => ({
  rp: { id, name: 'HourShare' },
  user: { id: userHandle, name: username, displayName: username },
  challenge,
  pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
  timeout: TIMEOUT_MILLISECONDS,
  attestation: 'none',
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  excludeCredentials: toCredentials(passkeys),
});

/** Returns what a browser needs to use one of these passkeys, or any passkey if no list is given. */
export const toProofOptions = (
  { id }: PasskeySite,
  { challenge, passkeys = [] }: { challenge: string; passkeys?: StoredPasskey[] },
): PasskeyProofOptions => ({
  rpId: id,
  challenge,
  timeout: TIMEOUT_MILLISECONDS,
  userVerification: 'required',
  allowCredentials: toCredentials(passkeys),
});

interface Expected {
  site: PasskeySite;
  /** Returns whether a challenge was issued by this server. */
  isChallenge: (challenge: string) => boolean;
}

/** Returns a new passkey if it was created on this site, for a challenge of this server, by a user whom the device verified. */
export async function readNewPasskey(
  { response: { transports = [], ...response }, ...credential }: NewPasskey,
  expected: Expected,
): Promise<VerifiedPasskey | undefined> {
  const [{ verifyRegistrationResponse }, { decodeAttestationObject, isoBase64URL }] = await loadLibrary();
  try {
    // The maker's attestation isn't needed, and the library would fetch URLs from its certificates.
    const made = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
    const isSelfSigned = made.get('fmt') === 'packed' && made.get('attStmt').get('x5c') === undefined;
    if (made.get('fmt') !== 'none' && !isSelfSigned) return undefined;
    const { registrationInfo: info } = await verifyRegistrationResponse({
      response: { ...credential, response, clientExtensionResults: {} },
      expectedChallenge: expected.isChallenge,
      expectedOrigin: expected.site.origin,
      expectedRPID: expected.site.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    // Browsers wrap it in an object with unspecified other fields.
    if (!info || info.credential.id !== credential.id) return undefined;
    return {
      credential_id: info.credential.id,
      public_key: isoBase64URL.fromBuffer(info.credential.publicKey),
      counter: info.credential.counter,
      transports,
      backed_up: info.credentialBackedUp,
    };
  } catch {
    return undefined;
  }
}

/** Returns what a device reports about a passkey, if it proves possession of it for a challenge of this server. */
export async function readProof(
  { response: { userHandle, ...response }, ...credential }: PasskeyProof,
  { credential_id: id, public_key: publicKey }: StoredPasskey,
  expected: Expected,
): Promise<{ counter: number; backedUp: boolean } | undefined> {
  const [{ verifyAuthenticationResponse }, { isoBase64URL }] = await loadLibrary();
  try {
    const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
      response: {
        ...credential,
        response: { ...response, ...(userHandle && { userHandle }) },
        clientExtensionResults: {},
      },
      expectedChallenge: expected.isChallenge,
      expectedOrigin: expected.site.origin,
      expectedRPID: expected.site.id,
      // The counter is compared in the statement that stores it.
      credential: { id, publicKey: isoBase64URL.toBuffer(publicKey), counter: 0 },
      requireUserVerification: true,
    });
    return verified ? { counter: info.newCounter, backedUp: info.credentialBackedUp } : undefined;
  } catch {
    return undefined;
  }
}

export const toPasskey = ({ id, name, device, backed_up, ...times }: StoredPasskey): Passkey => ({
  id,
  name,
  ...describeDevice(device),
  backed_up,
  created_at: times.created_at.toISOString(),
  last_used_at: times.last_used_at?.toISOString() ?? null,
});
