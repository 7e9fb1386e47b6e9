/** What an error says, for sentences about it. */
export function messageOf(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : (codeOf(error) ?? String(error));
}

/** The short code that Node and PostgreSQL give their errors. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
