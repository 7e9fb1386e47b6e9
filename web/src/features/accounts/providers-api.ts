import type { Identity, ProviderAnswer, RegisterRequest, StartProviderRequest } from '@hourshare/contract/sign-ins';
import type { User } from '@hourshare/contract/users';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { announce } from '../../ui/toasts.ts';
import { sendTimeZone } from '../../platform/i18n/browser-time-zone.ts';
import { announceChange } from '../../platform/live/changes.ts';
import { endpointQuery } from '../../platform/http/endpoint-query.ts';
import { call } from '../../platform/http/call.ts';
import { currentLanguage } from '../../platform/i18n/language.ts';
import { t } from '../../platform/i18n/messages.ts';
import { adoptSignIn } from './api.ts';

declare module '../../platform/live/changes.ts' {
  interface Changes {
    identities: true;
  }
}

/** What this tab remembers until the provider sends it back. */
export interface ProviderPlan extends StartProviderRequest {
  /** The page to go to afterwards; checked there. */
  from?: string | undefined;
  /** What a new account accepts at the same time. */
  joining?: Pick<RegisterRequest, 'invitation' | 'seen' | 'claim'>;
}

const PLAN = 'provider_plan';

/** Goes to a provider to sign in there. */
export async function goToProvider(plan: ProviderPlan): Promise<void> {
  const { provider, purpose } = plan;
  const { address } = await call('POST /api/providers/start/', { body: { provider, purpose } });
  sessionStorage.setItem(PLAN, JSON.stringify(plan));
  window.location.assign(address);
}

/** Returns the purpose for which this tab went to a provider; signing in if that was lost. */
export function readPlan(provider: ProviderPlan['provider']): ProviderPlan {
  try {
    // oxlint-disable-next-line no-unsafe-type-assertion -- written above; nothing in it is trusted with more than its own page
    const plan = JSON.parse(sessionStorage.getItem(PLAN) ?? 'null') as ProviderPlan | null;
    if (plan?.provider === provider) return plan;
  } catch {
    // Treated as lost.
  }
  return { provider, purpose: 'sign-in' };
}

let finishing: { answer: string; result: Promise<ProviderAnswer> } | undefined;

/** Sends a provider's answer to the server. It works only once, so repeated calls get the same result. */
export function finishProvider(provider: ProviderPlan['provider'], answer: string): Promise<ProviderAnswer> {
  if (finishing?.answer !== answer)
    finishing = { answer, result: call('POST /api/providers/finish/', { body: { provider, answer } }) };
  return finishing.result;
}

export const adoptProviderSignIn = (signedIn: NonNullable<ProviderAnswer['signed_in']>): User => adoptSignIn(signedIn);

/** Signs in with the ticket of a connected provider and the code that the account requires. */
export async function signInWithTicket(ticket: string, code: string): Promise<User> {
  return adoptSignIn(await call('POST /api/providers/sign-in/', { body: { ticket, code } }));
}

let registeredWith: string | undefined;

/** Returns whether an account was just created here with a ticket. */
export const hasRegistered = (ticket: string): boolean => registeredWith === ticket;

export async function registerWithProvider(
  account: { ticket: string; username: string; email?: string } & ProviderPlan['joining'],
): Promise<User> {
  const language = currentLanguage();
  const answer = await sendTimeZone((zone) =>
    call('POST /api/providers/register/', { body: { ...account, time_zone: zone, language } }),
  );
  registeredWith = account.ticket;
  return adoptSignIn(answer);
}

let connecting: { ticket: string; result: Promise<Identity> } | undefined;

/** Connects a provider to the user's account. Repeated calls get the same result, as above. */
export function connectProvider(ticket: string): Promise<Identity> {
  if (connecting?.ticket !== ticket)
    connecting = { ticket, result: call('POST /api/me/identities/', { body: { ticket } }) };
  return connecting.result;
}

/** Without the code that the account requires, it fails with an error about that field. */
export async function checkWithProvider(ticket: string, code?: string): Promise<void> {
  await call('POST /api/me/check/provider/', { body: { ticket, ...(code !== undefined && { code }) } });
}

export const useIdentities = () =>
  useQuery({
    ...endpointQuery('GET /api/me/identities/', {}, ['identities']),
    select: (answer) => answer?.identities ?? [],
  });

export function useDisconnect() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Identity) => call('DELETE /api/me/identities/{id}/', { params: { id } }),
    onSuccess: (_, { label: provider }) => announce(t('{provider} is disconnected.', { provider })),
    onSettled: () => announceChange(client, 'identities'),
  });
}
