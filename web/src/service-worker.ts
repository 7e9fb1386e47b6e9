/// <reference lib="webworker" />
/* oxlint-disable hourshare/addresses-in-paths -- of files, and of the page that a message without an address leads to */
import type { PushMessage } from '@hourshare/contract/notifications';
import { Serwist, type PrecacheEntry } from 'serwist';

// Starts the app without a connection, and shows push messages (docs/decisions/0090-offline.md). It never answers calls of the API,
// so that no answer of one user is kept where the next could get it.

declare const self: ServiceWorkerGlobalScope & { __SW_MANIFEST: PrecacheEntry[] };

/** The catalogs of messages by language, which web/vite.config.ts puts in. */
declare const CATALOG_FILES: Record<string, string[]>;

const SHELL = '/app.html';
/** Where pages keep the language, which a worker can't read from where the app has it. */
const LANGUAGE = '/language';
const LANGUAGE_CACHE = 'hourshare-language';
const CATALOG_CACHE = 'hourshare-catalogs';

/** How long a tab may take to say that it goes where a push message leads. A browser lets a click open a page only for some seconds. */
const ANSWERED_WITHIN_MS = 500;

/** How long a page may take to load before the app starts from the cache. */
const NAVIGATION_MS = 5_000;

/** Whether a response is a file itself, and not the page of something in between, such as a proxy. */
const isItself = ({ pathname }: URL, response: Response): boolean =>
  response.ok && pathname.endsWith('.html') === (response.headers.get('content-type') ?? '').startsWith('text/html');

// oxlint-disable-next-line no-underscore-dangle -- the name that the generator replaces
const entries = self.__SW_MANIFEST;
const worker = new Serwist({
  precacheEntries: entries,
  precacheOptions: {
    cleanupOutdatedCaches: true,
    // Leaves connections to the page, of the six that browsers open to a server.
    concurrency: 2,
    cleanURLs: false,
    directoryIndex: null,
    plugins: [
      {
        cacheWillUpdate: ({ request, response }) =>
          Promise.resolve(isItself(new URL(request.url), response) ? response : null),
      },
    ],
  },
  navigationPreload: true,
  disableDevLogs: true,
});

async function catalogsToKeep(): Promise<string[]> {
  const stored = await (await caches.open(LANGUAGE_CACHE)).match(LANGUAGE);
  return CATALOG_FILES[(await stored?.text()) ?? 'en'] ?? [];
}

async function cacheCatalogs(): Promise<void> {
  const [cache, files] = await Promise.all([caches.open(CATALOG_CACHE), catalogsToKeep()]);
  await Promise.all(
    files.map(async (file) => {
      if (await cache.match(file)) return;
      const response = await fetch(file);
      if (isItself(new URL(file, self.location.origin), response)) await cache.put(file, response);
    }),
  );
}

async function forgetOldCatalogs(): Promise<void> {
  const known = new Set(Object.values(CATALOG_FILES).flat());
  const cache = await caches.open(CATALOG_CACHE);
  for (const request of await cache.keys()) if (!known.has(new URL(request.url).pathname)) await cache.delete(request);
}

async function loadPage(event: FetchEvent): Promise<Response> {
  const preloaded: Response | undefined = await event.preloadResponse;
  return preloaded ?? fetch(event.request);
}

/** Loads a page from the server, so that public pages and new versions are there at once; without it, the app starts instead. */
async function openPage(event: FetchEvent): Promise<Response> {
  const loading = loadPage(event);
  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), NAVIGATION_MS));
  const page = await Promise.race([loading.catch(() => undefined), late]);
  // A proxy answers 502 to 504 for a server that is down, and 404 for one that isn't there; the app has its own page for that.
  if (page && page.status !== 404 && page.status < 500) return page;
  return (await worker.matchPrecache(SHELL)) ?? page ?? loading;
}

async function openCatalog(request: Request): Promise<Response> {
  return (await (await caches.open(CATALOG_CACHE)).match(request)) ?? fetch(request);
}

const isCatalog = (path: string) => Object.values(CATALOG_FILES).some((files) => files.includes(path));

worker.addEventListeners();
self.addEventListener('install', (event) => event.waitUntil(cacheCatalogs()));
self.addEventListener('activate', (event) => event.waitUntil(forgetOldCatalogs()));
self.addEventListener('fetch', (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (origin !== self.location.origin || event.request.method !== 'GET' || pathname.startsWith('/api/')) return;
  if (event.request.mode === 'navigate') event.respondWith(openPage(event));
  else if (isCatalog(pathname)) event.respondWith(openCatalog(event.request));
});

interface Message {
  type: 'language' | 'has';
  path?: string;
}

self.addEventListener('message', (event) => {
  const { type, path = '' }: Message = event.data;
  if (type === 'language') event.waitUntil(cacheCatalogs());
  // Whether this version has the script that a page was started with.
  if (type === 'has') event.ports[0]?.postMessage(entries.some(({ url }) => `/${url.replace(/^\//, '')}` === path));
});

function readPush(data: PushMessageData | null): Partial<PushMessage> {
  try {
    const message: unknown = data?.json();
    return typeof message === 'object' && message !== null ? message : {};
  } catch {
    return {};
  }
}

self.addEventListener('push', (event) => {
  const { id = 0, text = '', path = '/dashboard' } = readPush(event.data);
  const icons = { icon: '/icon-192.png', badge: '/icon-192.png' };
  const shown = { body: text, data: { path }, tag: `notice-${id}`, ...icons };
  event.waitUntil(self.registration.showNotification('HourShare', shown));
});

async function openTab(path: string): Promise<void> {
  const address = new URL(path, self.location.origin);
  // Only this app's own pages.
  const { href } = address.origin === self.location.origin ? address : new URL('/dashboard', self.location.origin);
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  for (const tab of inOrder(tabs, href)) {
    if (!(await opens(tab, href.slice(self.location.origin.length)))) continue;
    await tab.focus();
    return;
  }
  await self.clients.openWindow(href);
}

// The server must learn where to send now, and only a page can tell it; without one, the next page does.
self.addEventListener('pushsubscriptionchange', (event) => {
  const tell = async () => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a tab has only its own origin
    for (const tab of await self.clients.matchAll({ type: 'window' })) tab.postMessage({ type: 'push' });
  };
  event.waitUntil(tell());
});

/** The tab that shows the page already comes first, then the one that was used last. */
function inOrder(tabs: readonly WindowClient[], href: string): WindowClient[] {
  const rank = ({ url, focused, visibilityState }: WindowClient) =>
    [url === href, focused, visibilityState === 'visible'].findIndex(Boolean) >>> 0;
  return tabs.toSorted((one, other) => rank(one) - rank(other));
}

/** Asks a tab to go to a page, as it may ask about edits first. Returns whether it does: public pages and documents don't. */
function opens(tab: WindowClient, path: string): Promise<boolean> {
  const { port1, port2 } = new MessageChannel();
  return new Promise<boolean>((resolve) => {
    port1.addEventListener('message', () => resolve(true));
    port1.start();
    tab.postMessage({ type: 'open', path }, [port2]);
    setTimeout(() => resolve(false), ANSWERED_WITHIN_MS);
  }).finally(() => port1.close());
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { path }: { path?: string } = event.notification.data ?? {};
  event.waitUntil(openTab(path ?? '/dashboard'));
});
