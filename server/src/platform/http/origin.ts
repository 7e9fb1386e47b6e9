import type { FastifyRequest } from 'fastify';

/** Returns the origin a request was sent to; empty if its host isn't one, so that addresses stay relative. */
export function originOf(request: FastifyRequest): string {
  // A trusted proxy may send on any protocol.
  const protocol = request.protocol === 'https' ? 'https' : 'http';
  return /^[\w.:[\]-]+$/.test(request.host) ? `${protocol}://${request.host}` : '';
}
