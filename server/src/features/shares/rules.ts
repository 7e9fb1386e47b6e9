/** Returns whether an offer still is what its member has seen; fields they don't name aren't compared. */
export function isAsSeen(offered: object, seen: Record<string, unknown>): boolean {
  const known = new Map<string, unknown>(Object.entries(offered));
  return Object.entries(seen).every(([field, value]) => value === undefined || known.get(field) === value);
}
