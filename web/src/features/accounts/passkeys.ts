import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { AnswerOf } from '@hourshare/contract/endpoints';
import {
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
  WebAuthnError,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { call } from '../../platform/http/call.ts';

// The browser part of passkeys. Loaded only when a passkey is created or used.

/** A passkey wasn't created or used, for a reason other than an answer of the server. */
export class PasskeyFailure extends Error {
  readonly reason: 'cancelled' | 'exists' | 'elsewhere' | 'failed';
  constructor(reason: PasskeyFailure['reason'], cause: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

/** Describes an error in this app's words. Browsers give the same error for a refusal, a cancellation, and a timeout. */
async function ask<T>(ceremony: () => Promise<T>): Promise<T> {
  try {
    return await ceremony();
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    const code = error instanceof WebAuthnError ? error.code : '';
    if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') throw new PasskeyFailure('exists', error);
    if (name === 'SecurityError') throw new PasskeyFailure('elsewhere', error);
    const isCancelled = name === 'NotAllowedError' || name === 'AbortError';
    throw new PasskeyFailure(isCancelled ? 'cancelled' : 'failed', error);
  }
}

// The library's types list the known transports; the contract leaves them open for new ones.
const create = (options: AnswerOf<'POST /api/me/passkeys/options/'>) =>
  // oxlint-disable-next-line no-unsafe-type-assertion -- the contract describes this type
  ask(() => startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON }));
const prove = (options: AnswerOf<'POST /api/login/passkey/options/'>, useBrowserAutofill = false) =>
  ask(() =>
    // oxlint-disable-next-line no-unsafe-type-assertion -- the contract describes this type
    startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON, useBrowserAutofill }),
  );

/** Asks for any passkey that the browser has for this server, and returns the resulting sign-in. */
export async function signInWithPasskey(): Promise<SignedIn> {
  const passkey = await prove(await call('POST /api/login/passkey/options/', {}));
  return call('POST /api/login/passkey/', { body: { passkey } });
}

/** Suggests passkeys in the username field until another request for one is made. Undefined if the browser can't. */
export async function signInFromSuggestions(): Promise<SignedIn | undefined> {
  if (!(await browserSupportsWebAuthnAutofill())) return undefined;
  const passkey = await prove(await call('POST /api/login/passkey/options/', {}), true);
  return call('POST /api/login/passkey/', { body: { passkey } });
}

/** Withdraws the suggestions. */
export const endSuggestions = (): void => WebAuthnAbortService.cancelCeremony();

/** Creates a passkey for an account that is about to be created. */
export const createForRegistration = async (account: { username: string; email: string }) =>
  create(await call('POST /api/register/passkey/options/', { body: account }));

interface Signals {
  signalUnknownCredential?: (credential: { rpId: string; credentialId: string }) => Promise<void>;
}

/** Tells the browser to forget a passkey that doesn't belong to any account. */
export function forgetPasskey(credentialId: string): void {
  // oxlint-disable-next-line no-unsafe-type-assertion -- newer than the types
  const { signalUnknownCredential: signal } = PublicKeyCredential as unknown as Signals;
  void signal?.call(PublicKeyCredential, { rpId: location.hostname, credentialId }).catch(() => undefined);
}

/** Creates a passkey and adds it to the account. */
export async function addPasskey() {
  const passkey = await create(await call('POST /api/me/passkeys/options/', {}));
  try {
    return await call('POST /api/me/passkeys/', { body: { passkey } });
  } catch (error) {
    forgetPasskey(passkey.id);
    throw error;
  }
}

/** Asks for one of the user's passkeys, which allows calls that need a recent check. */
export async function checkWithPasskey(): Promise<void> {
  const passkey = await prove(await call('POST /api/me/check/passkey/options/', {}));
  await call('POST /api/me/check/passkey/', { body: { passkey } });
}
