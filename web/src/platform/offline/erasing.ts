import { onSignInChange } from '../auth/sign-in.ts';
import { QUERIES_DATABASE, QUEUE_DATABASE } from './databases.ts';

// Nothing of a user stays in the browser once they signed out. This is loaded with every page, because what is stored may be
// older than the page (storage.ts).

/** Erases what a user leaves behind whenever someone signs in or out, in this tab or another. */
export function followErasing(): () => void {
  return onSignInChange((signIn, change) => {
    if (change === 'edited') return;
    // Browsers may refuse any of these.
    attempt(() => indexedDB.deleteDatabase(QUERIES_DATABASE));
    if (signIn !== null) return;
    attempt(() => sessionStorage.clear());
    if (change === 'logout') attempt(() => indexedDB.deleteDatabase(QUEUE_DATABASE));
    // Who is signed out by the server finds presses that wait after signing in again.
    if (change === 'expired') attempt(async () => (await import('./storage.ts')).eraseOutcomes());
    attempt(endPush);
  });
}

function attempt(erase: () => unknown): void {
  try {
    Promise.resolve(erase()).catch(() => undefined);
  } catch {
    // There is nothing to erase, then.
  }
}

/** Without a connection, the server isn't told of a sign-out, and would go on sending. */
async function endPush(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  for (const notification of (await registration?.getNotifications()) ?? []) notification.close();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}
