import { useIsMutating, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { forgetUnsaved, hasUnsaved, useUnsavedForms } from '../forms/unsaved.ts';
import { ownScript, serviceWorkerReady } from './worker.ts';

// A new version of the app waits until no tab is in the middle of something, because a page and the worker that serves its files belong together
// (docs/decisions/0090-offline.md).

/** Held, shared, by every tab with edits, an open dialog, or a change under way. */
const IN_USE = 'hourshare-edits';
const CHECK_EVERY_MS = 3_600_000;
/** How long this tab may take to notice that it isn't in use any more. */
const RELEASED_WITHIN_MS = 2_000;
const ACTIVE_WITHIN_MS = 5_000;
const ANSWERED_WITHIN_MS = 10_000;

interface UpdateOptions {
  registration: ServiceWorkerRegistration;
  /** Whether this tab can be loaded again without losing anything. */
  isIdle: () => boolean;
  onReady: (isReady: boolean) => void;
}

/** Returns whether a worker belongs to the version that this page was started with. */
function isOwnVersion(worker: ServiceWorker): Promise<boolean> {
  const { port1, port2 } = new MessageChannel();
  return new Promise<boolean>((resolve) => {
    port1.addEventListener('message', ({ data }: MessageEvent<boolean>) => resolve(data));
    port1.start();
    worker.postMessage({ type: 'has', path: ownScript() }, [port2]);
    // It was replaced meanwhile.
    setTimeout(() => resolve(false), ANSWERED_WITHIN_MS);
  }).finally(() => port1.close());
}

/** Lets a worker take over all tabs unless one of them is in use. Returns whether it does. */
const activate = (worker: ServiceWorker, options: LockOptions = { ifAvailable: true }): Promise<boolean> =>
  navigator.locks.request(IN_USE, options, (lock) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has only its own origin
    if (lock) worker.postMessage({ type: 'SKIP_WAITING' });
    return lock !== null;
  });

/** Keeps new versions waiting in all tabs. Returns a function that stops it. */
function keepVersion(): () => void {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  void navigator.locks.request(IN_USE, { mode: 'shared' }, () => released);
  return () => release();
}

/** Loads the new version, whatever was typed. Other tabs keep theirs while they are in use. */
async function loadNewVersion({ waiting }: ServiceWorkerRegistration): Promise<void> {
  forgetUnsaved();
  try {
    // A tab that no worker controls sees only this of a takeover.
    const isActive = new Promise<void>((resolve) => {
      waiting?.addEventListener('statechange', () => waiting.state === 'activated' && resolve());
    });
    if (waiting && (await activate(waiting, { signal: AbortSignal.timeout(RELEASED_WITHIN_MS) })))
      await Promise.race([isActive, new Promise((resolve) => setTimeout(resolve, ACTIVE_WITHIN_MS))]);
  } catch {
    // Another tab is in use.
  }
  window.location.reload();
}

/** Finds new versions and lets them take over when nothing can be lost. Returns a function that stops it. */
function followUpdates({ registration, isIdle, onReady }: UpdateOptions): () => void {
  const { serviceWorker: workers } = navigator;
  const look = async () => {
    const { waiting } = registration;
    if (!waiting) return;
    const isOwn = await isOwnVersion(waiting);
    if (isOwn || (document.visibilityState === 'hidden' && isIdle())) await activate(waiting);
    if (!isOwn) onReady(true);
  };
  const watch = () => {
    const { installing } = registration;
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed') void look();
    });
  };
  const check = () => {
    void look();
    // Fails without a connection.
    if (document.visibilityState === 'visible') registration.update().catch(() => undefined);
  };
  const takeOver = async () => {
    const { controller } = workers;
    if (controller && !(await isOwnVersion(controller)) && isIdle()) window.location.reload();
  };
  const onTakeOver = () => void takeOver();
  watch();
  void look();
  registration.addEventListener('updatefound', watch);
  document.addEventListener('visibilitychange', check);
  workers.addEventListener('controllerchange', onTakeOver);
  const timer = setInterval(check, CHECK_EVERY_MS);
  return () => {
    registration.removeEventListener('updatefound', watch);
    document.removeEventListener('visibilitychange', check);
    workers.removeEventListener('controllerchange', onTakeOver);
    clearInterval(timer);
  };
}

/** Text in a dialog may not count as an edit yet, and its other parts may not be loaded. */
const hasDialog = () => document.querySelector('[role$=dialog]') !== null;

function onDialogChange(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => observer.disconnect();
}

/** Returns what loads a new version of the app, once one waits for this tab. */
export function useNewVersion(): (() => void) | null {
  const client = useQueryClient();
  const [waiting, setWaiting] = useState<ServiceWorkerRegistration | null>(null);
  const hasEdits = useUnsavedForms().forms.length > 0;
  const isChanging = useIsMutating() > 0;
  const isBusy = useSyncExternalStore(onDialogChange, hasDialog) || hasEdits || isChanging;
  useEffect(() => {
    let stop = () => {};
    let isGone = false;
    const isIdle = () => !hasUnsaved() && client.isMutating() === 0 && !hasDialog();
    void serviceWorkerReady().then((registration) => {
      if (!registration || isGone) return;
      stop = followUpdates({ registration, isIdle, onReady: () => setWaiting(registration) });
    });
    return () => {
      isGone = true;
      stop();
    };
  }, [client]);
  useEffect(() => (isBusy && (navigator as Partial<Navigator>).locks ? keepVersion() : undefined), [isBusy]);
  return waiting && (() => void loadNewVersion(waiting));
}
