/** Logs an error for developers; messages for users belong on the page. */
export function logError(what: string, error: unknown): void {
  // oxlint-disable-next-line no-console
  console.error(what, error);
}
