/** The browser's console is the only log a page has. What is told to people stands in the page instead. */
export function logError(what: string, error: unknown): void {
  // oxlint-disable-next-line no-console
  console.error(what, error);
}
