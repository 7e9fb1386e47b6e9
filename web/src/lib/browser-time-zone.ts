// Apart from time.ts, because signing up needs it before any text is loaded.

/** Returns the viewer's IANA time zone; UTC in hardened browsers that hide it. */
export function browserTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
}
