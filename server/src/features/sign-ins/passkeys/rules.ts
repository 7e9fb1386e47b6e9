/** For every sign-in page, which requests a challenge, and for passkeys of new accounts. Challenges aren't stored. */
export const CHALLENGES_BY_NETWORK = { name: 'passkey challenges by network', max: 600, windowSeconds: 300 };

/** Where passkeys work: the origin of the pages that use them, and the host name that browsers bind them to. */
export interface PasskeySite {
  origin: string;
  id: string;
}

/**
 * Returns where passkeys work on a server with this address; undefined if nowhere, because browsers bind them to a host name and
 * require https, except on this machine. Without an address, passkeys only work on this machine: a request could name any
 * other host. Source: docs/decisions/0074-two-step-sign-in.md.
 */
export function passkeySite(address: string | undefined, requestOrigin: string): PasskeySite | undefined {
  if (address === undefined && !URL.canParse(requestOrigin)) return undefined;
  const { origin, hostname, protocol } = new URL(address ?? requestOrigin);
  if (hostname === 'localhost') return { origin, id: hostname };
  if (address === undefined || protocol !== 'https:') return undefined;
  // URL normalizes IPv4 addresses to four numbers, and puts IPv6 addresses in brackets.
  return /^[\d.]+$|^\[/.test(hostname) ? undefined : { origin, id: hostname };
}
