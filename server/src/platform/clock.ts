/** Where the time comes from. Everything that stamps or compares instants takes one, and tests move it. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();
