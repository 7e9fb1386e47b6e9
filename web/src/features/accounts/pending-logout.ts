// The refresh token of a logout that did not reach the server, where the sign-in is still valid. Kept in memory only,
// until the server confirms the logout or someone signs in.
let pending: string | null = null;
const listeners = new Set<() => void>();

export function setPendingLogout(refreshToken: string | null): void {
  pending = refreshToken;
  for (const listener of listeners) listener();
}

export const pendingLogout = (): string | null => pending;

export function onPendingLogoutChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
