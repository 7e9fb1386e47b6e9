import { call } from '../../platform/http/call.ts';
import { serviceWorkerReady, serviceWorkers } from '../../platform/offline/worker.ts';
import { PUSH_ENDPOINT, PUSH_ID } from '../../platform/auth/sign-in.ts';

/** Whether notices are pushed to this browser, or why they can't be. */
export type PushState = 'on' | 'off' | 'blocked' | 'unsupported' | 'insecure';

export async function readPushState(): Promise<PushState> {
  if (!window.isSecureContext) return 'insecure';
  const known: Partial<typeof globalThis> = globalThis;
  if (!known.PushManager || !known.Notification || !serviceWorkers()) return 'unsupported';
  if (Notification.permission === 'denied') return 'blocked';
  const worker = await serviceWorkerReady();
  if (worker === null) return 'unsupported';
  return (await worker.pushManager.getSubscription()) === null || storedId() === null ? 'off' : 'on';
}

/** Asks for permission, so call it on a press alone. Returns what came of it. */
export async function turnPushOn(): Promise<PushState> {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return permission === 'denied' ? 'blocked' : 'off';
  const worker = await serviceWorkerReady();
  if (worker === null) return 'unsupported';
  const { public_key: key } = await call('GET /api/push/', {});
  // A browser keeps only one, and refuses another with a different key.
  await (await worker.pushManager.getSubscription())?.unsubscribe();
  await report(await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  return 'on';
}

/** Tells the server where to send. It replaces what it knew of a browser with the same address. */
async function report(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON();
  const { id } = await call('POST /api/push/subscriptions/', {
    body: { endpoint: endpoint ?? '', keys: { p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' } },
  });
  localStorage.setItem(PUSH_ID, String(id));
  localStorage.setItem(PUSH_ENDPOINT, endpoint ?? '');
}

/** Where push is on, subscribes again if the browser has ended its subscription, and reports one that it has changed. */
export async function keepPushOn(): Promise<void> {
  const before = storedId();
  if (before === null || Notification.permission !== 'granted') return;
  const worker = await serviceWorkerReady();
  if (worker === null) return;
  const subscription = await worker.pushManager.getSubscription();
  if (subscription !== null && subscription.endpoint === localStorage.getItem(PUSH_ENDPOINT)) return;
  if (subscription === null) await turnPushOn();
  else await report(subscription);
  if (storedId() !== before) await call('DELETE /api/push/subscriptions/{id}/', { params: { id: before } });
}

/** Stops it on the server first, so that a failure leaves it as it was. */
export async function turnPushOff(): Promise<PushState> {
  const id = storedId();
  if (id !== null) await call('DELETE /api/push/subscriptions/{id}/', { params: { id } });
  localStorage.removeItem(PUSH_ID);
  localStorage.removeItem(PUSH_ENDPOINT);
  const worker = await serviceWorkerReady();
  await (await worker?.pushManager.getSubscription())?.unsubscribe();
  return 'off';
}

const storedId = (): string | null => localStorage.getItem(PUSH_ID);
