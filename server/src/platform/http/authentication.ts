import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fail, type Failure } from '../result.ts';
import type { Caller, Script } from '../tokens.ts';

/** A caller, and when they last proved who they are, if known. */
export type IdentifiedCaller = Caller & { checkedAt: Date };

/** Returns the caller with an access token, or undefined if the token isn't valid. */
export type Identify = (token: string) => Promise<IdentifiedCaller | Script | undefined>;

/** Returns what to answer to a token that isn't valid, if that is more exact than asking to sign in. */
type RefuseToken = (token: string) => Failure | undefined;

/** Returns whether an administrator signs in in two steps; undefined if the user isn't an administrator. */
export type FindAdministrator = (userId: number) => Promise<{ twoStep: boolean } | undefined>;

declare module 'fastify' {
  interface FastifyInstance {
    identify: Identify;
    findAdministrator: FindAdministrator;
    refuseToken: RefuseToken;
  }
  interface FastifyRequest {
    /** Set once the caller has been identified. */
    caller: IdentifiedCaller | Script | undefined;
  }
}

/** Tells the app how to identify callers. Every route that isn't public does so first. */
export function authenticateCallers(
  app: FastifyInstance,
  identify: Identify,
  findAdministrator: FindAdministrator,
  refuseToken: RefuseToken = () => undefined,
): void {
  app.decorate('identify', identify);
  app.decorate('findAdministrator', findAdministrator);
  app.decorate('refuseToken', refuseToken);
  app.decorateRequest('caller', undefined);
}

/** Returns the bearer token of a request. */
export const tokenOf = (request: FastifyRequest): string | undefined =>
  /^Bearer ([A-Za-z0-9._-]{1,2048})$/i.exec(request.headers.authorization ?? '')?.[1];

/** Returns the caller of a request, whose bearer token is its only credential. */
export async function callerOf(request: FastifyRequest): Promise<IdentifiedCaller | Script | undefined> {
  const token = tokenOf(request);
  request.caller = token === undefined ? undefined : await request.server.identify(token);
  return request.caller;
}

/** Returns what a request without a caller is answered. */
export const notIdentified = (request: FastifyRequest): Failure =>
  request.server.refuseToken(tokenOf(request) ?? '') ?? fail('not_signed_in');
