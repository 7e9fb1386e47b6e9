// The refresh token of a logout that did not reach the server, where the sign-in is still valid. Kept in memory only,
// until the server confirms the logout or someone signs in.
let untold: string | null = null;
const listeners = new Set<() => void>();

export function setUntoldLogout(refreshToken: string | null): void {
  untold = refreshToken;
  for (const listener of listeners) listener();
}

export const untoldLogout = (): string | null => untold;

export function onUntoldLogout(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
