import { request as requestHttp, type OutgoingHttpHeaders } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { isPublicAddress, lookupPublic } from './public-addresses.ts';

// For addresses that users choose. Nothing in the server's own network may be reached through them.

/** Returns whether a list has a host, by its name or with a suffix after `*`. */
export const isListed = (host: string, list: readonly string[]): boolean =>
  list.some((each) => (each.startsWith('*') ? host.endsWith(each.slice(1)) : host === each));

/** Returns whether an address leads to the public internet with TLS, as far as it tells without being resolved. */
export function isPublicAndSecure({ protocol, hostname }: URL): boolean {
  const host = hostname.replaceAll(/^\[|\]$/g, '');
  return protocol === 'https:' && (isIP(host) === 0 || isPublicAddress(host));
}

export interface Post {
  headers: OutgoingHttpHeaders;
  body: string | Buffer;
  withinMilliseconds: number;
  signal: AbortSignal | undefined;
  /** Also to addresses that aren't public, and without TLS. */
  allowPrivate: boolean;
}

/**
 * Posts to an address, and returns the status of the answer. Follows no redirects. Rejects if there is no answer in time, or if
 * the address isn't public and only public ones are allowed.
 */
export function post(
  address: string,
  { headers, body, withinMilliseconds, signal, allowPrivate }: Post,
): Promise<number> {
  if (!allowPrivate && !isPublicAndSecure(new URL(address)))
    return Promise.reject(Object.assign(new Error('The address is not allowed.'), { code: 'ENOTALLOWED' }));
  const request = address.startsWith('https:') ? requestHttps : requestHttp;
  const timeout = AbortSignal.timeout(withinMilliseconds);
  return new Promise((resolve, reject) => {
    request(
      address,
      {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        agent: false,
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        ...(!allowPrivate && { lookup: lookupPublic }),
      },
      (response) => {
        // What it answers besides the status doesn't matter, however long it is.
        response.destroy();
        resolve(response.statusCode ?? 0);
      },
    )
      .on('error', reject)
      .end(body);
  });
}
