import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller } from '../tokens.ts';

/** Returns the user and sign-in of an access token, or undefined when the token isn't valid. */
export type Identify = (token: string) => Promise<Caller | undefined>;

declare module 'fastify' {
  interface FastifyInstance {
    identify: Identify;
  }
}

/** Tells the app how to identify callers. Every route that isn't public does so first. */
export function authenticateCallers(app: FastifyInstance, identify: Identify): void {
  app.decorate('identify', identify);
}

/** Returns the caller of a request, whose bearer token is its only credential. */
export async function callerOf(request: FastifyRequest): Promise<Caller | undefined> {
  const match = /^Bearer ([A-Za-z0-9._-]{1,2048})$/i.exec(request.headers.authorization ?? '');
  return match?.[1] === undefined ? undefined : request.server.identify(match[1]);
}
