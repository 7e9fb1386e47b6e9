/**
 * By network, for every way to register. Every attempt reveals whether a name is taken, so all count; requesting a passkey for a new
 * account reveals it only by failing.
 */
export const REGISTER_BY_NETWORK = { name: 'register', max: 20, windowSeconds: 3600 };
