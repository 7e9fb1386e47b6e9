import type { Identity } from '@hourshare/contract/sign-ins';
import type { Providers } from '../../../deps.ts';
import type { StoredIdentity } from './store.ts';

/** Names identities of providers that the server no longer has after their issuer. */
export function toIdentity(
  { id, provider, issuer, name, created_at: createdAt, last_used_at: lastUsedAt }: StoredIdentity,
  providers: Providers,
): Identity {
  const current = providers[provider];
  const available = current?.issuer === issuer;
  return {
    id,
    provider,
    label: available ? current.label : new URL(issuer).host,
    name,
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt.toISOString(),
    available,
  };
}
