import type { Page } from '@playwright/test';
import { openTestPushService, type TestBrowser, type TestPushService } from '../server/src/testing/push-service.ts';
import { test as base, expect } from './test.ts';
import { device, register, signIn } from './verbs.ts';

const test = base.extend<{ service: TestPushService }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads it
  service: async ({}, use) => {
    const service = await openTestPushService();
    await use(service);
    await service.close();
  },
});
test.use({ serviceWorkers: 'allow', locale: 'en-US' });

/** Subscribes to the test's push service, where Chromium would ask its maker's on the internet. */
const subscribeTo = (page: Page, { subscription }: TestBrowser) =>
  page.addInitScript((made) => {
    let current: object | null = null;
    const unsubscribe = () => Promise.resolve((current = null) === null);
    Object.assign(PushManager.prototype, {
      subscribe: () => Promise.resolve((current = { ...made, toJSON: () => made, unsubscribe })),
      getSubscription: () => Promise.resolve(current),
    });
  }, subscription);

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

const shown = (page: Page) =>
  page.evaluate(async () => {
    const worker = await navigator.serviceWorker.ready;
    return (await worker.getNotifications()).map(({ title, body }) => ({ title, body }));
  });

test('a push message shows one sentence', async ({ browser, launch, service }) => {
  const server = await launch('embedded', { PUSH_ALLOW_PRIVATE: 'on' });
  const context = await browser.newContext({ baseURL: server.url });
  await context.grantPermissions(['notifications'], { origin: server.url });
  const page = await context.newPage();
  const phone = service.browser('phone');
  await subscribeTo(page, phone);
  await register(page, 'push-ana');
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Turn on push on this device' }).click();
  await expect(page.getByText('This device shows push messages, even when HourShare is closed.')).toBeVisible();

  await signIn(await device(browser, server), 'push-ana');
  await expect.poll(() => service.received.length).toBe(1);
  await deliver(page, phone.decrypt(service.received[0]?.body ?? Buffer.of()));
  await expect.poll(() => shown(page)).toEqual([{ title: 'HourShare', body: 'New sign-in to your account' }]);

  await page.getByRole('button', { name: 'Turn off push on this device' }).click();
  await expect(page.getByRole('button', { name: 'Turn on push on this device' })).toBeVisible();
});
