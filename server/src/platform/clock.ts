/** Returns the current time. Injected wherever instants are stamped or compared, so that tests can move time. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

/**
 * Returns milliseconds since an arbitrary moment. Unlike a clock it is never set back or forward, so limits and waits
 * use it.
 */
export type Uptime = () => number;

export const systemUptime: Uptime = () => performance.now();
