/** Place in a list that is ordered by start, then id, newest first. */
export interface Place {
  startedAt: Date;
  id: number;
}

/** Length of a session in minutes with two decimals, half up. */
export const durationMinutes = (startedAt: Date, endedAt: Date): number =>
  Math.round((endedAt.getTime() - startedAt.getTime()) / 600) / 100;

/** An opaque name of a place, to continue a list behind it. */
export const toCursor = ({ startedAt, id }: Place): string =>
  Buffer.from(`${startedAt.getTime()}.${id}`).toString('base64url');

/** Undefined for anything that is no cursor. */
export function fromCursor(cursor: string): Place | undefined {
  const match = /^(\d{1,15})\.([1-9]\d{0,15})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  if (!match) return undefined;
  const place = { startedAt: new Date(Number(match[1])), id: Number(match[2]) };
  return Number.isNaN(place.startedAt.getTime()) || !Number.isSafeInteger(place.id) ? undefined : place;
}
