/** Where the time comes from. Everything that stamps or compares instants takes one, and tests move it. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

/** Milliseconds since some fixed moment, never set back or forward as a clock may be. Limits and waits are measured with it. */
export type Uptime = () => number;

export const systemUptime: Uptime = () => performance.now();
