import { endpointQuery } from '../../platform/http/endpoint-query.ts';
import { call } from '../../platform/http/call.ts';

/** What the link in an email would turn off. */
export const unsubscribeQuery = (token: string) =>
  endpointQuery('GET /api/unsubscribe/{token}/', { params: { token } });

/** Turns off the emails that a link came with; also for someone who is signed out. */
export const unsubscribe = (token: string) => call('POST /api/unsubscribe/{token}/', { params: { token }, body: {} });
