// Loaded into a server's process before e2e/moved-clock.mjs, which also moves the uptime. A clock that is set wrong
// doesn't.

const now = performance.now.bind(performance);
Object.defineProperty(performance, 'now', { get: () => now, set: () => {} });
