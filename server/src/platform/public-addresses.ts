import { lookup, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

// Ranges that are not on the public internet, or lead back into it: RFC 6890 and its updates.
const internal = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  internal.addSubnet(network, bits, 'ipv4');

/** Of IPv6, only 2000::/3 is given out. These parts of it are reserved, or wrap an IPv4 address. */
const unicast = new BlockList();
unicast.addSubnet('2000::', 3, 'ipv6');
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  internal.addSubnet(network, bits, 'ipv6');

/** Returns whether an IP address is one of the public internet. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !internal.check(address, 'ipv4');
  return version === 6 && unicast.check(address, 'ipv6') && !internal.check(address, 'ipv6');
}

/** Resolves a name as connections do, and fails unless all of its addresses are public, so that none can be swapped later. */
export const lookupPublic: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    const [first] = addresses ?? [];
    if (error) return done(error, []);
    if (!first || !addresses.every(({ address }) => isPublicAddress(address)))
      return done(Object.assign(new Error('The address is not public.'), { code: 'ENOTPUBLIC' }), []);
    return options.all ? done(null, addresses) : done(null, first.address, first.family);
  });
};
