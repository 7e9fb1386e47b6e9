import { currentLanguage } from '../i18n/language.ts';

/** Written by the build (docs/decisions/0090-offline.md). At the root, because its folder is the scope. */
// oxlint-disable-next-line hourshare/addresses-in-paths -- of a file
const SCRIPT = '/service-worker.js';

/** What TypeScript doesn't know of Trusted Types yet. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (text: string) => string },
  ): {
    createScriptURL(text: string): string;
  };
}

declare global {
  interface Window {
    trustedTypes?: TrustedTypes;
  }
}

/** Returns the address of the script as the content security policy demands it where the browser knows Trusted Types. */
function trustedScript(): string {
  const { trustedTypes } = window;
  const policy = trustedTypes?.createPolicy('service-worker', { createScriptURL: () => SCRIPT });
  return policy?.createScriptURL('') ?? SCRIPT;
}

/** Absent outside of secure contexts; in some frames, even asking fails. */
export function serviceWorkers(): ServiceWorkerContainer | undefined {
  try {
    return (navigator as Partial<Navigator>).serviceWorker;
  } catch {
    return undefined;
  }
}

/** The script that this page was started with, which names its version. Those before it rarely change. */
export const ownScript = (): string => {
  const scripts = [...document.querySelectorAll<HTMLScriptElement>('head > script[type="module"][src]')];
  return new URL(scripts.at(-1)?.src ?? '/', window.location.href).pathname;
};

let ready: Promise<ServiceWorkerRegistration | null> | undefined;

/**
 * Registers the service worker once and returns its registration when it is active; null in development, where there is none, where
 * the browser has none (such as over plain HTTP), and if it can't be registered.
 */
export function serviceWorkerReady(): Promise<ServiceWorkerRegistration | null> {
  ready ??= register().catch(() => null);
  return ready;
}

async function register(): Promise<ServiceWorkerRegistration | null> {
  const workers = serviceWorkers();
  if (!import.meta.env.PROD || !workers) return null;
  await tellLanguage();
  const registration = await workers.register(trustedScript(), { updateViaCache: 'none' });
  // One that is there already may have been installed in another language.
  registration.active?.postMessage({ type: 'language' });
  return Promise.race([workers.ready, hasFailed(registration)]);
}

/** Puts the page's language where the worker can read it, so that it keeps the right texts. */
async function tellLanguage(): Promise<void> {
  const cache = await caches.open('hourshare-language');
  // oxlint-disable-next-line hourshare/addresses-in-paths -- of nothing but this entry
  await cache.put('/language', new Response(currentLanguage()));
}

/** Resolves to null if the first worker can't be installed, and never otherwise. */
const hasFailed = ({ installing }: ServiceWorkerRegistration): Promise<null> =>
  new Promise((resolve) => {
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'redundant' && !navigator.serviceWorker.controller) resolve(null);
    });
  });

/** Handles the worker's messages of a type. Returns a function that stops it. */
export function onWorkerMessage(
  type: 'push' | 'open',
  handle: (message: { path?: string }, ports: readonly MessagePort[]) => void,
): () => void {
  const workers = serviceWorkers();
  const take = ({ data, ports }: MessageEvent<{ type?: string; path?: string } | null>) => {
    if (data?.type === type) handle(data, ports);
  };
  workers?.addEventListener('message', take);
  return () => workers?.removeEventListener('message', take);
}
