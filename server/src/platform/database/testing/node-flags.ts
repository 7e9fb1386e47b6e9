/**
 * For Node.js processes that tests start. Optimizing the embedded engine's code takes a fifth of a start's processor time,
 * and pays off only later; collecting garbage from a small young generation takes another fifth.
 */
export const NODE_FLAGS = ['--liftoff-only', '--min-semi-space-size=16'];
