import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { findBrowser } from './browser.mjs';
import { openClockedApp } from './clocked-app.mjs';
import { contactSheet } from './contact-sheet.mjs';
import { beginning, liveTogether, PASSWORD } from './household.mjs';
import { root } from './processes.mjs';
import { screensOf } from './screens.mjs';

// Photographs every screen of the built app, on phone and desktop, light and dark, as a household sees it on one day:
// `npm run screenshots`, or `npm run screenshots -- dashboard usage` for those whose names have one of these in them.
// `--readme` makes the README's pictures anew. The clocks of the server and of the browser stand still, so the same
// product gives the same pictures.

const OUT = join(root, 'screenshots');
const IMAGES = join(root, 'docs', 'images');
const TODAY = new Date('2026-11-21T18:00:00Z');
const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 860 } };
const SCHEMES = /** @type {const} */ (['light', 'dark']);
/** More than this of one screen says nothing new. */
const TALLEST = 5000;

/** @typedef {import('./screens.mjs').Screen} Screen */
/** @typedef {keyof typeof SIZES} Size */

/** Addresses of the household's assets and shares, which are known by number. @param {import('./clocked-app.mjs').ClockedApp} app @param {Record<string, any>} signIns */
async function household(app, signIns) {
  /** @type {Record<string, any>} */
  const lists = {};
  for (const [person, { user }] of Object.entries(signIns))
    lists[person] = {
      assets: (await app.call('GET', '/api/assets/', { as: user.id })).results,
      shares: (await app.call('GET', '/api/shared-assets/', { as: user.id })).results,
    };
  return {
    asset: (/** @type {string} */ start) =>
      `/assets?asset=${lists.mira.assets.find((/** @type {any} */ { name }) => name.startsWith(start)).id}`,
    share: (/** @type {string} */ person, /** @type {string} */ start) =>
      `/shared?share=${lists[person].shares.find((/** @type {any} */ each) => each.asset_name.startsWith(start)).id}`,
  };
}

/** As high as all that is on the screen, in it and in a dialog, so that a picture hides nothing. @param {import('@playwright/test').Page} page @param {Size} size */
async function grow(page, size) {
  const { width, height } = SIZES[size];
  const hidden = await page.evaluate(() => {
    const dialog = document.querySelector('[role=dialog], [role=alertdialog]');
    const scrollers = dialog ? [...dialog.querySelectorAll('*')] : [document.documentElement];
    return Math.max(0, ...scrollers.map((each) => each.scrollHeight - each.clientHeight));
  });
  if (hidden <= 0) return;
  // A dialog has a part of the screen's height.
  const factor = size === 'desktop' && (await page.getByRole('dialog').count()) > 0 ? 1 / 0.84 : 1;
  await page.setViewportSize({ width, height: Math.min(TALLEST, height + Math.ceil(hidden * factor)) });
}

/** The picture must not catch anything on its way. @param {import('@playwright/test').Page} page @param {Screen} screen */
async function settle(page, screen) {
  if (Object.values(screen.calls ?? {}).includes('hangs')) await page.locator('main .animate-spin').first().waitFor();
  else await page.waitForFunction(() => document.querySelector('.animate-spin, .animate-pulse') === null);
  await page.evaluate(async () => {
    // The ring of the keyboard's focus belongs to whoever uses one.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    await document.fonts.ready;
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  });
}

/**
 * @param {import('@playwright/test').Browser} browser
 * @param {string} url
 * @param {Record<string, any>} signIns
 * @param {Size} size
 * @param {Screen} screen
 * @param {(page: import('@playwright/test').Page, scheme: 'light' | 'dark') => Promise<void>} photograph
 */
async function visit(browser, url, signIns, size, screen, photograph) {
  const context = await browser.newContext({
    baseURL: url,
    viewport: SIZES[size],
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    colorScheme: 'light',
    hasTouch: size === 'phone',
  });
  try {
    const page = await context.newPage();
    await page.clock.setFixedTime(TODAY);
    if (screen.as)
      await page.addInitScript(({ access, refresh, user }) => {
        localStorage.setItem('access_token', access);
        localStorage.setItem('refresh_token', refresh);
        localStorage.setItem('user', JSON.stringify(user));
      }, signIns[screen.as]);
    for (const [path, does] of Object.entries(screen.calls ?? {}))
      await page.route(
        (address) => address.pathname.endsWith(path) && address.pathname.startsWith('/api/'),
        (route) =>
          does === 'fails' ? route.fulfill({ status: 500, json: { error: 'Broken', code: 'internal' } }) : undefined,
      );
    const hangs = Object.values(screen.calls ?? {}).includes('hangs');
    await page.goto(screen.path, { waitUntil: hangs ? 'load' : 'networkidle' });
    if (screen.act) {
      await screen.act(page);
      await page.waitForLoadState('networkidle');
    }
    for (const scheme of SCHEMES) {
      await page.emulateMedia({ colorScheme: scheme });
      await settle(page, screen);
      if (scheme === 'light') {
        await grow(page, size);
        await settle(page, screen);
      }
      await photograph(page, scheme);
    }
  } catch (error) {
    throw new Error(`${screen.name} on ${size}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  } finally {
    await context.close();
  }
}

/** @param {string[]} words @param {boolean} forReadme */
async function screenshots(words, forReadme) {
  const found = await findBrowser();
  if ('missing' in found) throw new Error(found.missing);
  const folder = mkdtempSync(join(tmpdir(), 'hourshare-screens-'));
  let now = beginning(TODAY);
  const env = { PATH: process.env['PATH'], DATA_DIR: join(folder, 'data'), CONTACT: 'mira@example.org' };
  const app = await openClockedApp(env, () => new Date(now));
  const browser = await chromium.launch({
    executablePath: found.path,
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-gpu', '--force-color-profile=srgb'],
  });
  try {
    await liveTogether(app.call, (next) => (now = next), TODAY);
    const url = await app.listen();
    /** @type {Record<string, any>} */
    const signIns = {};
    for (const username of ['mira', 'ben', 'emil'])
      signIns[username] = await app.call('POST', '/api/login/', { body: { username, password: PASSWORD } });
    const all = screensOf(await household(app, signIns));

    if (forReadme) {
      const pictures = {
        dashboard: ['dashboard', 'desktop', 'light'],
        usage: ['member-usage-running', 'phone', 'dark'],
      };
      for (const [image, [name, size, wanted]] of Object.entries(pictures)) {
        const screen = all.find((each) => each.name === name);
        if (!screen) throw new Error(`There is no screen ${name}`);
        await visit(browser, url, signIns, /** @type {Size} */ (size), screen, async (page, scheme) => {
          await page.setViewportSize(SIZES[/** @type {Size} */ (size)]);
          if (scheme === wanted) await page.screenshot({ path: join(IMAGES, `${image}.png`), caret: 'hide' });
        });
      }
      return console.log('docs/images/dashboard.png and docs/images/usage.png are new.');
    }

    const screens = all.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
    rmSync(OUT, { recursive: true, force: true });
    mkdirSync(OUT, { recursive: true });
    // One line of work for each size: a browser and a server keep two cores busy.
    const sizes = /** @type {Size[]} */ (Object.keys(SIZES));
    await Promise.all(
      sizes.map(async (size) => {
        for (const screen of screens)
          await visit(browser, url, signIns, size, screen, async (page, scheme) => {
            await page.screenshot({ path: join(OUT, `${screen.name}-${size}-${scheme}.png`), caret: 'hide' });
          });
      }),
    );
    const names = screens.map(({ name }) => name);
    writeFileSync(join(OUT, 'index.html'), contactSheet(names, sizes, SCHEMES));
    console.log(
      `${names.length * sizes.length * SCHEMES.length} pictures of ${names.length} screens: screenshots/index.html`,
    );
  } finally {
    await browser.close();
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const args = process.argv.slice(2);
await screenshots(
  args.filter((word) => !word.startsWith('--')),
  args.includes('--readme'),
).catch((/** @type {unknown} */ error) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
