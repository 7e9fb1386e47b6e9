/** Returns the length of a session in minutes, rounded half up to two decimals. */
export const durationMinutes = (startedAt: Date, endedAt: Date): number =>
  Math.round((endedAt.getTime() - startedAt.getTime()) / 600) / 100;

export interface Interval {
  startedAt: Date;
  endedAt: Date;
}
