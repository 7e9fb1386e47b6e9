import { call } from '../../lib/http.ts';
import { serviceWorkerReady } from '../../lib/service-worker.ts';
import { PUSH_ID } from '../../lib/sign-in.ts';

/** Whether notices are pushed to this browser, or why they can't be. */
export type PushState = 'on' | 'off' | 'blocked' | 'unsupported' | 'insecure';

export async function readPushState(): Promise<PushState> {
  if (!window.isSecureContext) return 'insecure';
  if (!('PushManager' in window) || !('Notification' in window) || !('serviceWorker' in navigator))
    return 'unsupported';
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
  const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = subscription.toJSON();
  const { id } = await call('POST /api/push/subscriptions/', {
    body: { endpoint: endpoint ?? '', keys: { p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' } },
  });
  localStorage.setItem(PUSH_ID, String(id));
  return 'on';
}

/** Stops it on the server first, so that a failure leaves it as it was. */
export async function turnPushOff(): Promise<PushState> {
  const id = storedId();
  if (id !== null) await call('DELETE /api/push/subscriptions/{id}/', { params: { id } });
  localStorage.removeItem(PUSH_ID);
  const worker = await serviceWorkerReady();
  await (await worker?.pushManager.getSubscription())?.unsubscribe();
  return 'off';
}

const storedId = (): string | null => localStorage.getItem(PUSH_ID);
