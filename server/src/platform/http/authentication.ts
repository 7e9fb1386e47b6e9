import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller } from '../tokens.ts';

/** Returns who an access token speaks for, or undefined when it speaks for no one any more. */
export type Identify = (token: string) => Promise<Caller | undefined>;

declare module 'fastify' {
  interface FastifyInstance {
    identify: Identify;
  }
}

/** Tells the app how to identify callers; each route that isn't public asks before it does anything else. */
export function authenticateCallers(app: FastifyInstance, identify: Identify): void {
  app.decorate('identify', identify);
}

/** Returns who makes a request: its bearer token is the only credential. */
export async function callerOf(request: FastifyRequest): Promise<Caller | undefined> {
  const match = /^Bearer ([A-Za-z0-9._-]{1,2048})$/i.exec(request.headers.authorization ?? '');
  return match?.[1] === undefined ? undefined : request.server.identify(match[1]);
}
