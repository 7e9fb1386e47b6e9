// A logout that did not reach the server: nobody is signed in here any more, but there the sign-in is still good. Its
// refresh token is kept in memory alone, until the server has been told or somebody signs in.
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
