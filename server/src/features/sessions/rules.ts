import type { Sentence } from '@hourshare/contract/sentences';

/** Returns the length of a session in minutes, rounded half up to two decimals. */
export const durationMinutes = (startedAt: Date, endedAt: Date): number =>
  Math.round((endedAt.getTime() - startedAt.getTime()) / 600) / 100;

/** What is wrong with a time that someone entered or pressed. */
export interface TimeProblem {
  field: 'start_time' | 'end_time' | 'at';
  problem: Sentence;
}

export interface Interval {
  startedAt: Date;
  endedAt: Date;
}
