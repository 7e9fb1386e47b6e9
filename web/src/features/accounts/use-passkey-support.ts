import { useAbout } from './about-api.ts';

/** Returns whether passkeys of an origin can be used here, or why not. */
export function passkeySupport(origin: string | null): 'yes' | 'browser' | 'address' | 'elsewhere' {
  if (origin === null) return 'address';
  if (origin !== location.origin) return 'elsewhere';
  return 'PublicKeyCredential' in globalThis ? 'yes' : 'browser';
}

/** Returns whether passkeys can be used here, or why not, as soon as the server's answer is known. */
export const usePasskeySupport = () => passkeySupport(useAbout()?.passkey_origin ?? null);
