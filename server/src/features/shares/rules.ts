/** Returns whether an offer still is what its member has seen; fields they don't name aren't compared. */
export function isAsSeen(offered: object, seen: Record<string, unknown>): boolean {
  const known = new Map<string, unknown>(Object.entries(offered));
  return Object.entries(seen).every(([field, value]) => value === undefined || isEqual(known.get(field), value));
}

function isEqual(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return one === other;
  return (
    Object.keys(one).length === Object.keys(other).length &&
    Object.entries(one).every(([field, value]) => isEqual(value, other[field]))
  );
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
