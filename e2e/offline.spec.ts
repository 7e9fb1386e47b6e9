import type { Page } from '@playwright/test';
import { expect, test } from './test.ts';
import { acceptOffer, addAsset, ownerAndMember, register, shareWith } from './verbs.ts';

test.use({ serviceWorkers: 'allow' });

/** Waits until the worker has cached the app. */
const waitForWorker = (page: Page) =>
  page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });

/** Waits until a list of shares is stored, a moment after it was read. */
const waitForState = (page: Page, text = '') =>
  expect
    .poll(() =>
      page.evaluate(async () => {
        const names = (await indexedDB.databases()).map(({ name }) => name);
        if (!names.includes('hourshare-state')) return '';
        return new Promise<string>((resolve) => {
          const opening = indexedDB.open('hourshare-state');
          opening.addEventListener('success', () => {
            const database = opening.result;
            const reading = database.transaction('users').objectStore('users').getAll();
            reading.addEventListener('success', () => {
              database.close();
              const [state]: { queries: { queryKey: [string] }[] }[] = reading.result;
              resolve(
                JSON.stringify(state?.queries.filter(({ queryKey: [key] }) => key === 'GET /api/shared-assets/') ?? []),
              );
            });
          });
        });
      }),
    )
    .toMatch(new RegExp(`shared-assets.*${text}`));

/** Everything that a page's origin keeps in the browser. */
const everythingKept = (page: Page) =>
  page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(request.error));
      });
    const kept: unknown[] = [Object.entries(localStorage), Object.entries(sessionStorage)];
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await done(indexedDB.open(name));
      for (const store of database.objectStoreNames)
        kept.push(name, await done(database.transaction(store).objectStore(store).getAll()));
      database.close();
    }
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) kept.push(new URL(url).pathname);
    const registration = await navigator.serviceWorker.getRegistration();
    kept.push(await registration?.pushManager.getSubscription());
    return JSON.stringify(kept);
  });

test(
  'sessions are started and ended without a server, over reloads',
  { tag: '@journey' },
  async ({ browser, launch }) => {
    const server = await launch();
    const owner = await (await browser.newContext({ baseURL: server.url })).newPage();
    const member = await (await browser.newContext({ baseURL: server.url })).newPage();
    await register(member, 'ben');
    await register(owner, 'mira');
    await owner.goto('/assets');
    await addAsset(owner, { name: 'Figma', description: 'Design', cost: '20' });
    await shareWith(owner, 'ben', 20);
    await acceptOffer(member, 'Figma');
    await member.reload();
    await expect(member.getByRole('button', { name: 'Start Session' })).toBeVisible();
    await waitForWorker(member);
    await waitForState(member, 'Figma');

    await server.stop();
    await member.reload();
    await expect(member.getByText(', updated')).toBeVisible();
    await expect(member.getByRole('heading', { name: 'Figma' })).toBeVisible();
    await expect(member.getByRole('alert')).toHaveCount(0);
    await member.getByRole('button', { name: 'Start Session' }).click();
    await expect(member.getByText("Will be sent when you're back online.")).toBeVisible();
    await expect(member.getByRole('button', { name: 'End Session' }).first()).toBeVisible();

    await member.reload();
    await expect(member.getByText("Will be sent when you're back online.")).toBeVisible();
    await member.getByRole('button', { name: 'End Session' }).first().click();
    await expect(member.getByRole('button', { name: 'Start Session' })).toBeVisible();
    await member.goto('/dashboard');
    await expect(member.getByRole('heading', { level: 1 })).toHaveText('Welcome back, ben!');

    await server.restart();
    await expect(member.getByRole('heading', { name: 'What you did offline' })).toBeVisible();
    await expect(member.getByText(/^Figma: started today/)).toBeVisible();
    await expect(member.getByText(/^Figma: ended today/)).toBeVisible();
    await member.getByRole('button', { name: 'Got it' }).click();
    await expect(member.getByRole('heading', { name: 'What you did offline' })).toBeHidden();

    await owner.goto('/assets');
    await owner.getByRole('button', { name: 'Manage' }).first().click();
    await owner.getByRole('tab', { name: 'Sessions' }).click();
    await expect(owner.getByText('Pressed offline, added later')).toBeVisible();
  },
);

test('an offline start that was rejected says why, and the others are still recorded', async ({ browser, launch }) => {
  const server = await launch();
  const owner = await (await browser.newContext({ baseURL: server.url })).newPage();
  const context = await browser.newContext({ baseURL: server.url });
  const member = await context.newPage();
  await register(member, 'ben');
  await register(owner, 'mira');
  await owner.goto('/assets');
  await addAsset(owner, { name: 'Figma', description: 'Design', cost: '20' });
  await shareWith(owner, 'ben', 20);
  await acceptOffer(member, 'Figma');
  await member.reload();
  await expect(member.getByRole('button', { name: 'Start Session' })).toBeVisible();
  await waitForWorker(member);

  await context.setOffline(true);
  await member.getByRole('button', { name: 'Start Session' }).click();
  await expect(member.getByText("Will be sent when you're back online.")).toBeVisible();
  await member.getByRole('button', { name: 'End Session' }).first().click();
  await expect(member.getByRole('button', { name: 'Start Session' })).toBeVisible();
  // Long enough ago that the server no longer accepts it.
  await member.evaluate(
    (ago) =>
      new Promise<void>((resolve) => {
        const opening = indexedDB.open('hourshare-presses');
        opening.addEventListener('success', () => {
          const store = opening.result.transaction('users', 'readwrite').objectStore('users');
          const reading = store.openCursor();
          reading.addEventListener('success', () => {
            const cursor = reading.result;
            if (!cursor) return;
            const { presses, outcomes } = cursor.value;
            presses[0].at -= ago;
            cursor.update({ presses, outcomes }).addEventListener('success', () => resolve());
          });
        });
      }),
    25 * 3_600_000,
  );
  await context.setOffline(false);
  await expect(
    member.getByText(/^Figma: the start .* wasn't recorded. This was more than 24 hours ago\./),
  ).toBeVisible();
  await expect(member.getByText(/^Figma: the end .* wasn't recorded. No session is running/)).toBeVisible();
  await expect(member.getByRole('link', { name: 'Check your sessions' }).first()).toBeVisible();
});

test(
  'a sign-out erases what was kept, also while another tab uses it',
  { tag: '@journey' },
  async ({ browser, launch }) => {
    const server = await launch();
    const context = await browser.newContext({ baseURL: server.url });
    const page = await context.newPage();
    await register(page, 'ben');
    await page.goto('/shared');
    await waitForState(page);
    const other = await context.newPage();
    await other.goto('/shared');
    await expect(other.getByText('No Shared Assets')).toBeVisible();
    await page.getByRole('button', { name: 'User menu' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await expect(page).toHaveURL(/\/login$/);
    await expect(other).toHaveURL(/\/login$/);
    await expect.poll(() => everythingKept(page)).not.toMatch(/ben|hourshare-state|hourshare-presses|events|\/api\//);
  },
);

test('a sign-out without a connection asks about what was not sent, and erases it', async ({ browser, launch }) => {
  const { member } = await ownerAndMember(browser, await launch(), 'leaving');
  const context = member.context();
  await member.goto('/shared');
  await waitForWorker(member);
  await waitForState(member, 'Films');

  const signOut = async () => {
    await member.getByRole('button', { name: 'User menu' }).click();
    await member.getByRole('menuitem', { name: 'Sign out' }).click();
  };
  await context.setOffline(true);
  await member.getByRole('button', { name: 'Start Session' }).click();
  await expect(member.getByText("Will be sent when you're back online.")).toBeVisible();
  await signOut();
  await member.getByRole('alertdialog', { name: 'Sign out?' }).getByRole('button', { name: 'Cancel' }).click();
  await context.setOffline(false);
  await expect(member.getByText(/^Films: started today/)).toBeVisible();
  await context.setOffline(true);
  await member.getByRole('button', { name: 'End Session' }).first().click();
  await expect(member.getByText("Will be sent when you're back online.")).toBeVisible();
  expect(await everythingKept(member)).toContain('"outcomes":[{');
  await signOut();
  await member.getByRole('alertdialog', { name: 'Sign out?' }).getByRole('button', { name: 'Sign Out' }).click();
  await expect(member).toHaveURL(/\/login$/);
  await expect.poll(() => everythingKept(member)).not.toMatch(/leaving|Films|hourshare-state|hourshare-presses|events/);
});
