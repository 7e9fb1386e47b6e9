import type { FastifyInstance } from 'fastify';

/**
 * Warns once when a proxy that TRUST_PROXY doesn't name forwards requests: all its users then have its address, and
 * share one network's limits.
 */
export function warnAboutUntrustedProxies(
  app: FastifyInstance,
  isTrusted: ((address: string) => boolean) | undefined,
): void {
  let warned = false;
  app.addHook('onRequest', async (request) => {
    if (warned || !('x-forwarded-for' in request.headers || 'forwarded' in request.headers)) return;
    const peer = request.socket.remoteAddress;
    // A trusted proxy may forward its own address, for requests that come from its machine.
    if (peer === undefined || isTrusted?.(peer)) return;
    warned = true;
    app.log.warn(
      { peer },
      'Ignoring the forwarded address of a request; if its peer is your proxy, add it to TRUST_PROXY',
    );
  });
}
