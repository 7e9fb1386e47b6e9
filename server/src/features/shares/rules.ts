import { ALLOCATION_MAX_HOURS } from '@hourshare/contract/limits';

/** Returns the hours to give; undefined if none were asked for where they count. What isn't measured can be used without limit. */
export const hoursOf = ({ measured }: { measured: boolean }, hours: number | undefined): number | undefined =>
  hours ?? (measured ? undefined : ALLOCATION_MAX_HOURS);
