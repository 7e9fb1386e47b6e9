import type { Page } from '@playwright/test';
import { openTestPushService, type TestBrowser, type TestPushService } from '../server/src/testing/push-service.ts';
import { test as base, expect } from './test.ts';
import { register, signIn } from './verbs.ts';

const test = base.extend<{ service: TestPushService }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads it
  service: async ({}, use) => {
    const service = await openTestPushService();
    await use(service);
    await service.close();
  },
});
test.use({ serviceWorkers: 'allow', locale: 'en-US' });

/**
 * Grants what Chromium refuses without a window, and subscribes to the test's push service, where Chromium would ask its maker's on the
 * internet.
 */
const allowPush = (page: Page, { subscription }: TestBrowser) =>
  page.addInitScript((made) => {
    let current: object | null = null;
    const unsubscribe = () => {
      current = null;
      return Promise.resolve(true);
    };
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
    Object.assign(Notification, { requestPermission: () => Promise.resolve('granted') });
    Object.assign(PushManager.prototype, {
      subscribe: () => Promise.resolve((current = { ...made, toJSON: () => made, unsubscribe })),
      getSubscription: () => Promise.resolve(current),
    });
  }, subscription);

type Shown = [title: string, options: NotificationOptions];

/** Collects what the service worker shows. */
async function watchNotifications(page: Page): Promise<() => Promise<Shown[]>> {
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  const [worker] = page.context().serviceWorkers();
  if (!worker) throw new Error('The page has no service worker');
  const list = await worker.evaluateHandle(() => {
    const shown: Shown[] = [];
    const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration };
    registration.showNotification = (title, options = {}) => Promise.resolve(void shown.push([title, options]));
    return shown;
  });
  return () => list.jsonValue();
}

/** Hands a message to the service worker, as the browser does once it has decrypted it. */
async function deliver(page: Page, data: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first) resolve(first.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  await session.send('ServiceWorker.deliverPushMessage', {
    origin: new URL(page.url()).origin,
    registrationId: await registered,
    data,
  });
  await session.detach();
}

test('a push message shows one sentence', { tag: '@journey' }, async ({ browser, launch, service }) => {
  const server = await launch({ PUSH_ALLOW_PRIVATE: 'on' });
  const context = await browser.newContext({ baseURL: server.url });
  const page = await context.newPage();
  const phone = service.browser('phone');
  await allowPush(page, phone);
  await register(page, 'push-ana');
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Turn on push on this device' }).click();
  await expect(page.getByText('This device shows push messages, even when HourShare is closed.')).toBeVisible();

  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
  const other = await browser.newContext({ baseURL: server.url, userAgent: firefox });
  await signIn(await other.newPage(), 'push-ana');
  const shown = await watchNotifications(page);
  await expect.poll(() => service.received.length).toBe(1);
  await deliver(page, phone.decrypt(service.received[0]?.body ?? Buffer.of()));
  await expect
    .poll(shown)
    .toEqual([
      ['HourShare', expect.objectContaining({ body: 'New sign-in to your account', data: { path: '/profile' } })],
    ]);

  await page.getByRole('button', { name: 'Turn off push on this device' }).click();
  await expect(page.getByRole('button', { name: 'Turn on push on this device' })).toBeVisible();
});

/** Presses a push message, as the browser would. Returns the pages that were opened instead of a tab. */
async function press(page: Page, path: string): Promise<string[]> {
  const [worker] = page.context().serviceWorkers();
  if (!worker) throw new Error('The page has no service worker');
  return worker.evaluate(
    async (data) => {
      const opened: string[] = [];
      // Only a person's press may focus or open one.
      const scope = globalThis as unknown as { clients: { openWindow: unknown }; WindowClient: { prototype: object } };
      Object.assign(scope.clients, {
        openWindow: (href: string) => Promise.resolve(void opened.push(new URL(href).pathname)),
      });
      Object.assign(scope.WindowClient.prototype, { focus: () => Promise.resolve() });
      let work: Promise<unknown> = Promise.resolve();
      const event = Object.assign(new Event('notificationclick'), {
        notification: { close: () => undefined, data },
        waitUntil: (promise: Promise<unknown>) => void (work = promise),
      });
      globalThis.dispatchEvent(event);
      await work;
      return opened;
    },
    { path },
  );
}

test('a pressed push message leads to a tab that can show it, and reports a changed subscription', async ({
  browser,
  launch,
  service,
}) => {
  const server = await launch({ PUSH_ALLOW_PRIVATE: 'on' });
  const context = await browser.newContext({ baseURL: server.url });
  const documents = await context.newPage();
  await documents.goto('/api/about/');
  const page = await context.newPage();
  await allowPush(page, service.browser('phone'));
  await register(page, 'push-ben');
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Turn on push on this device' }).click();
  await expect(page.getByText('This device shows push messages, even when HourShare is closed.')).toBeVisible();
  await expect.poll(() => press(page, '/costs')).toEqual([]);
  await expect(page).toHaveURL(/\/costs$/);
  await expect(documents).toHaveURL(/\/api\/about\/$/);

  const reported = page.waitForResponse('**/api/push/subscriptions/');
  await page.evaluate(() => localStorage.setItem('hourshare_push_endpoint', 'https://push.example/before'));
  await page.reload();
  expect((await reported).status()).toBe(201);
  await page.close();
  await documents.evaluate(async () => void (await navigator.serviceWorker.ready));
  expect(await press(documents, '/costs')).toEqual(['/costs']);
});
