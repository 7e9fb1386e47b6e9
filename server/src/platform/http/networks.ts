import { compile } from '@fastify/proxy-addr';
import ipaddr from 'ipaddr.js';

/** What some proxies write into X-Forwarded-For: an address with the port of the connection, or an IPv6 address in brackets. */
const DECORATED = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/;

/** Returns the address in a text that a proxy or the system wrote, or undefined if there is none. */
function addressIn(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const [, bracketed, plain] = DECORATED.exec(text) ?? [];
  const written = bracketed ?? plain ?? text;
  if (!ipaddr.IPv4.isValidFourPartDecimal(written) && !ipaddr.IPv6.isValid(written)) return undefined;
  return ipaddr.process(written);
}

/**
 * Returns the network of an address: for IPv6 the whole /64, which one household or attacker owns. It is unknown once the client has
 * closed its connection, and if a proxy sends something else.
 */
export function networkOf(text: string | undefined): string {
  const address = text === undefined ? undefined : addressIn(text);
  if (address === undefined) return 'unknown';
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${groupsOf(address, 4)}::/64`;
}

const groupsOf = (address: ipaddr.IPv6, count: number): string =>
  address.parts
    .slice(0, count)
    .map((part) => part.toString(16))
    .join(':');

/** Returns the /48 around a /64 at the start of a text, which has 65,536 of them; undefined for IPv4. */
export const widerNetwork = (text: string): string | undefined => {
  const [, site, rest] = /^((?:[\da-f]+:){2}[\da-f]+):[\da-f]+::\/64(.*)$/s.exec(text) ?? [];
  return site === undefined ? undefined : `${site}::/48${rest}`;
};

/** Returns whether an address belongs to one of some proxies; some write their predecessor's with a port. */
export function createIsTrusted(proxies: string[]): (text: string, hop?: number) => boolean {
  const isTrusted = compile(proxies);
  return (text, hop = 0) => {
    const address = addressIn(text);
    return address !== undefined && isTrusted(address.toString(), hop);
  };
}
