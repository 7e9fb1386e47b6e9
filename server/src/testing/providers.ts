import type { ProviderName } from '@hourshare/contract/sign-ins';
import type { Deps } from '../deps.ts';
import type { ProvidedIdentity, SignInProvider } from '../platform/sign-in-providers.ts';
import { hashToken } from '../platform/tokens.ts';

/** A provider without a network, for tests of other things: the code in its answer says who signed in. */
export const quietProvider = (label: string, issuer: string): SignInProvider => ({
  label,
  issuer,
  begin: async ({ state }) => ({ ok: true, value: `${issuer}/?state=${state}` }),
  finish: async (answer) => {
    const subject = new URLSearchParams(answer).get('code');
    return subject === null
      ? { ok: false, reason: 'failed' }
      : { ok: true, value: { issuer, subject, email: `${subject}@example.org`, name: subject } };
  },
});

export const GOOGLE = 'https://accounts.google.com';

/** What a browser sends after starting a sign-in. */
const TEST_BROWSER = 'the-browser-of-a-test0';
export const browserHeaders = { cookie: `hourshare_browser=${TEST_BROWSER}` };

/** Puts someone between two steps of a sign-in with a provider, in that browser. */
export async function plantFlow(
  { db, tokens, clock }: Deps,
  {
    step,
    token,
    purpose,
    provider = 'google',
    content,
  }: {
    step: 'state' | 'ticket';
    token: string;
    purpose: 'sign-in' | 'link' | 'check';
    provider?: ProviderName;
    content?: ProvidedIdentity;
  },
): Promise<void> {
  await db
    .insertInto('provider_flows')
    .values({
      step,
      token_hash: hashToken(token),
      browser_hash: hashToken(TEST_BROWSER),
      provider,
      purpose,
      sealed: tokens.seal(JSON.stringify(content ?? { state: token, nonce: 'n', verifier: 'v' })),
      created_at: clock(),
      expires_at: new Date(clock().getTime() + 600_000),
    })
    .execute();
}

/** Connects the fake Google provider to a user, and returns the id of the identity. */
export async function plantIdentity({ db, clock }: Deps, userId: number, subject: string): Promise<number> {
  const { id } = await db
    .insertInto('identities')
    .values({
      user_id: userId,
      provider: 'google',
      issuer: GOOGLE,
      subject,
      name: subject,
      created_at: clock(),
      last_used_at: clock(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
