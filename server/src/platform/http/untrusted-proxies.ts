import type { FastifyInstance } from 'fastify';

/**
 * Warns once when a proxy that TRUST_PROXY doesn't name forwards requests: all its users then have its address, and
 * share one network's limits.
 */
export function warnAboutUntrustedProxies(app: FastifyInstance): void {
  let warned = false;
  app.addHook('onRequest', async (request) => {
    if (warned || !('x-forwarded-for' in request.headers || 'forwarded' in request.headers)) return;
    const peer = request.socket.remoteAddress;
    if (peer === undefined || request.ip !== peer) return;
    warned = true;
    app.log.warn(
      { peer },
      'Ignoring the forwarded address of a request; if its peer is your proxy, add it to TRUST_PROXY',
    );
  });
}
