import { cp, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { expect, test as base } from './test.ts';
import { api, register } from './verbs.ts';

const root = join(import.meta.dirname, '..');

/** A copy of the built app that a new version can replace. */
interface CopiedApp {
  folder: string;
  web: string;
  /** Replaces the web app with one whose scripts have other names, as after a change. */
  replace: () => Promise<void>;
}

const test = base.extend<{ app: CopiedApp }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads it
  app: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'hourshare-app-'));
    for (const part of ['package.json', 'server/package.json', 'server/dist', 'web/dist'])
      await cp(join(root, part), join(folder, part), { recursive: true });
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    await use({
      folder,
      web: join(folder, 'web', 'dist'),
      replace: () => replaceWeb(join(folder, 'web', 'dist')),
    });
    await rm(folder, { recursive: true, force: true });
  },
});
test.use({ serviceWorkers: 'allow', locale: 'en-US' });

async function replaceWeb(folder: string): Promise<void> {
  const scripts = new Set((await readdir(join(folder, 'static'))).filter((name) => name.endsWith('.js')));
  // All of them: what the worker keeps under a name never changes.
  const renamed = (text: string) =>
    text.replaceAll(/[\w-]+\.js\b/g, (name) => (scripts.has(name) ? name.replace('.js', '-new.js') : name));
  for (const name of await readdir(folder, { recursive: true })) {
    const file = join(folder, name);
    if (/\.(?:br|gz)$/.test(name)) await rm(file);
    if (!/\.(?:html|js)$/.test(name)) continue;
    const text = await readFile(file, 'utf8');
    await rm(file);
    await writeFile(join(folder, renamed(name)), renamed(text));
  }
}

/** Opens a page for a new user that the service worker controls. */
async function openWithWorker(
  browser: Browser,
  baseURL: string,
  { username, path }: { username: string; path: string },
) {
  const page = await (await browser.newContext({ baseURL })).newPage();
  await register(page, username);
  await page.goto(path);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.reload();
  return page;
}

const isNew = (page: Page) => page.locator('script[src*="/base-"][src$="-new.js"]');

/** Looks for a new version, as each visible tab does every hour, and waits until its files are there, however slow the machine is. */
const lookForVersion = (page: Page) =>
  page.evaluate(async () => {
    const { installing } = await (await navigator.serviceWorker.ready).update();
    await new Promise<void>((resolve) => {
      const check = () => installing?.state === 'installing' || resolve();
      installing?.addEventListener('statechange', check);
      check();
    });
  });

test('a new version waits until nothing typed can be lost', { tag: '@journey' }, async ({ browser, launch, app }) => {
  const server = await launch({}, { checkout: app.folder });
  const page = await openWithWorker(browser, server.url, { username: 'version-ana', path: '/assets' });
  await page.getByRole('button', { name: 'Add New Asset' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add New Asset' });
  await dialog.getByLabel('Asset Name').fill('Half a na');
  const idle = await page.context().newPage();
  await idle.goto('/settings');
  await expect(idle.getByRole('heading', { level: 1 })).toBeVisible();

  await app.replace();
  await server.restart();
  await lookForVersion(page);
  await expect(page.getByText('A new version is ready.')).toBeAttached();
  await expect(dialog.getByLabel('Asset Name')).toHaveValue('Half a na');
  await expect(isNew(page)).toHaveCount(0);
  await dialog.getByLabel('Asset Name').fill('Half a name');
  await dialog.getByLabel('Monthly Subscription Cost ($)').fill('5');
  await dialog.getByRole('button', { name: 'Create Asset' }).click();
  await expect(page.getByRole('heading', { name: 'Half a name' })).toBeVisible();
  await page.getByRole('button', { name: 'Reload', exact: true }).click();
  await expect(isNew(page)).toBeAttached();
  await expect(page.getByRole('heading', { name: 'Half a name' })).toBeVisible();
  // A tab without edits reloads automatically.
  await expect(isNew(idle)).toBeAttached();
  expect(await api(page, 'GET /api/assets/')).toMatchObject({ results: [{ name: 'Half a name' }] });
});

test('a new version waits while another tab has an open dialog', async ({ browser, launch, app }) => {
  const server = await launch({}, { checkout: app.folder });
  const page = await openWithWorker(browser, server.url, { username: 'version-dan', path: '/assets' });
  await page.getByRole('button', { name: 'Add New Asset' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add New Asset' });
  await expect(dialog).toBeVisible();
  const other = await page.context().newPage();
  await other.goto('/settings');
  await expect(other.getByRole('heading', { level: 1 })).toBeVisible();

  await app.replace();
  await server.restart();
  await lookForVersion(other);
  await other.getByRole('button', { name: 'Reload', exact: true }).click();
  // This tab has the new version from the server, and the other one keeps its own.
  await expect(isNew(other)).toBeAttached();
  await expect(dialog).toBeVisible();
  const isWaiting = () => other.evaluate(async () => (await navigator.serviceWorker.ready).waiting !== null);
  expect([await isWaiting(), await isNew(page).count()]).toEqual([true, 0]);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await other.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect(isNew(page)).toBeAttached();
});

test('discarding edits for a new version loads it', async ({ browser, launch, app }) => {
  const server = await launch({}, { checkout: app.folder });
  const page = await openWithWorker(browser, server.url, { username: 'version-ben', path: '/profile#account' });
  await page.getByLabel('Email address').fill('half an add');

  await app.replace();
  await server.restart();
  await lookForVersion(page);
  await page.getByRole('button', { name: 'Reload', exact: true }).click();
  await page.getByRole('alertdialog', { name: 'Discard changes?' }).getByRole('button', { name: 'Discard' }).click();
  await expect(isNew(page)).toBeAttached();
  await expect(page.getByLabel('Email address')).toHaveValue('version-ben@example.org');
});

test('a new version with a missing file is given up at once, and found once the file is there', async ({
  browser,
  launch,
  app,
}) => {
  const server = await launch({}, { checkout: app.folder });
  const page = await openWithWorker(browser, server.url, { username: 'version-eve', path: '/profile#account' });
  await page.getByLabel('Email address').fill('half an add');

  await app.replace();
  const name = (await readdir(join(app.web, 'static'))).find((each) => each.endsWith('-new.js'));
  if (name === undefined) throw new Error('The new version has no script');
  const script = join(app.web, 'static', name);
  await rename(script, join(app.web, '..', name));
  await server.restart();
  const stateOfInstallation = await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const { installing } = await registration.update();
    // Chromium itself gives up after five minutes.
    await new Promise((resolve) => {
      installing?.addEventListener('statechange', resolve);
      setTimeout(resolve, 100_000);
    });
    return installing?.state ?? 'not found';
  });
  expect(stateOfInstallation).toBe('redundant');
  await expect(page.getByText('A new version is ready.')).toHaveCount(0);

  await rename(join(app.web, '..', name), script);
  await server.restart();
  await lookForVersion(page);
  await expect(page.getByText('A new version is ready.')).toBeAttached();
});
