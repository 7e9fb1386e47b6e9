/**
 * For Node.js processes that tests start: optimizing the embedded engine's code takes a fifth of a start's processor time,
 * and pays off only later.
 */
export const NODE_FLAGS = ['--liftoff-only'];
