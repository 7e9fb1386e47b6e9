import { parseCookie, stringifySetCookie } from 'cookie';
import type { RandomId } from '../ids.ts';

const KEPT_SECONDS = 60 * 60;

/** Binds a flow to the browser that started it, so that no one can make another browser finish it. */
export interface Browsers {
  /** Returns the browser's name from its cookie. */
  recognize(cookies: string | undefined): string | undefined;
  /** Returns the browser's name, or a new one, and the Set-Cookie header that stores it for an hour. */
  name(cookies: string | undefined): { browser: string; setCookie: string };
}

export function createBrowsers({ randomId, https }: { randomId: RandomId; https: boolean }): Browsers {
  // The prefix keeps other hosts of the domain from setting it.
  const name = https ? '__Host-hourshare_browser' : 'hourshare_browser';
  const recognize = (cookies: string | undefined) => {
    const value = cookies === undefined ? undefined : parseCookie(cookies)[name];
    return value !== undefined && /^[A-Za-z0-9_-]{22}$/.test(value) ? value : undefined;
  };
  return {
    recognize,
    name(cookies) {
      const browser = recognize(cookies) ?? randomId();
      const setCookie = stringifySetCookie({
        name,
        value: browser,
        path: '/',
        httpOnly: true,
        // The app's own page makes the later requests, so the cookie isn't needed on requests from other sites.
        sameSite: 'strict',
        secure: https,
        maxAge: KEPT_SECONDS,
      });
      return { browser, setCookie };
    },
  };
}
