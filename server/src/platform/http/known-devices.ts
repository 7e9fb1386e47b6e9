import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { RandomId } from '../ids.ts';

const KEPT_SECONDS = 180 * 24 * 60 * 60;
const NETWORKS_MAX = 100_000;

/**
 * Where an account has signed in before. Password guessing from elsewhere may use up the account's limit without
 * keeping its owner out (https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies).
 */
export interface KnownDevices {
  /** Returns the device named by a Cookie header if this account has signed in on it. */
  recognize(account: string, cookies: string | undefined): string | undefined;
  /** Returns whether this account has signed in from the network since the server started. */
  isKnownNetwork(account: string, network: string): boolean;
  /** Records a sign-in. Returns the Set-Cookie header by which its device is recognized later. */
  remember(account: string, network: string): string;
}

/**
 * The cookie contains a random name and a MAC that binds it to one account, so the server stores nothing per device.
 */
export function createKnownDevices({
  secret,
  randomId,
  https,
}: {
  secret: string;
  randomId: RandomId;
  https: boolean;
}): KnownDevices {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'hourshare device cookie', 32));
  // The prefix keeps other hosts of the domain from setting it.
  const name = https ? '__Host-hourshare_device' : 'hourshare_device';
  const networks = new Set<string>();

  const macOf = (account: string, device: string) =>
    createHmac('sha256', key).update(`${device} ${account.toLowerCase()}`).digest();
  const placeOf = (account: string, network: string) => `${network} ${account.toLowerCase()}`;

  return {
    recognize(account, cookies) {
      const values = cookies === undefined ? {} : parseCookie(cookies);
      const [, device, mac] = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/.exec(values[name] ?? '') ?? [];
      if (device === undefined || mac === undefined) return undefined;
      return timingSafeEqual(Buffer.from(mac, 'base64url'), macOf(account, device)) ? device : undefined;
    },
    isKnownNetwork: (account, network) => networks.has(placeOf(account, network)),
    remember(account, network) {
      const place = placeOf(account, network);
      // Deleted first, so that the set stays in order of last use.
      networks.delete(place);
      networks.add(place);
      const [oldest] = networks;
      if (networks.size > NETWORKS_MAX && oldest !== undefined) networks.delete(oldest);
      const device = randomId();
      return stringifySetCookie({
        name,
        value: `${device}.${macOf(account, device).toString('base64url')}`,
        // The prefix requires the path /.
        path: https ? '/' : '/api/login',
        httpOnly: true,
        sameSite: 'strict',
        secure: https,
        maxAge: KEPT_SECONDS,
      });
    },
  };
}
