import { chromium } from '@playwright/test';
import { findBrowser, storeSignIn } from '../harness/browser.mjs';

// Takes screenshots with a stopped clock.

/** @typedef {import('@playwright/test').Page} Page */
/** @typedef {import('./screens.mjs').Screen} Screen */
/** @typedef {{ width: number, height: number, scale?: number }} Size */
/** @typedef {'light' | 'dark'} Scheme */

/** A taller picture shows nothing new. */
const TALLEST = 5000;

/** A browser that draws the same colors on every machine. */
export async function openBrowser() {
  const found = await findBrowser();
  if ('missing' in found) throw new Error(found.missing);
  // Chromium refuses to run as root inside its sandbox.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({
    executablePath: found.path,
    args: [...sandbox, '--disable-gpu', '--disable-background-networking', '--force-color-profile=srgb'],
  });
}

/**
 * Makes the window as tall as the content of the page or dialog, so that nothing is cut off.
 *
 * @param {Page} page
 * @param {Size} size
 */
async function grow(page, { width, height }) {
  const hidden = await page.evaluate(() => {
    const dialog = document.querySelector('[role=dialog], [role=alertdialog]');
    const scrollers = dialog ? [...dialog.querySelectorAll('*')] : [document.documentElement];
    return Math.max(0, ...scrollers.map((each) => each.scrollHeight - each.clientHeight));
  });
  if (hidden <= 0) return;
  // In a tall window, a dialog takes only part of the height.
  const factor = width >= 768 && (await page.getByRole('dialog').count()) > 0 ? 1 / 0.84 : 1;
  await page.setViewportSize({ width, height: Math.min(TALLEST, height + Math.ceil(hidden * factor)) });
}

/** @param {Screen} screen */
const isWaiting = (screen) => Object.values(screen.calls ?? {}).includes('hangs');

const drawFrames = (/** @type {Page} */ page) =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  });

/** A picture must not catch anything on its way. @param {Page} page @param {Screen} screen */
async function settle(page, screen) {
  const isDialog = /^\/(?:assets|shared)\?(?:add|asset|share)=/.test(screen.path);
  await page
    .locator(isDialog ? '[role=dialog]' : 'h1')
    .first()
    .waitFor({ state: 'attached' });
  // What was loaded last may show a spinner only now.
  await drawFrames(page);
  if (isWaiting(screen)) await page.locator('main .animate-spin').first().waitFor();
  else await page.waitForFunction(() => document.querySelector('.animate-spin, .animate-pulse') === null);
  await page.evaluate(async () => {
    // Only keyboard users see the focus ring.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    await document.fonts.ready;
  });
  await drawFrames(page);
}

/** Returns what overflows the window sideways, or is a column of letters; nothing should. @param {Page} page */
const overflow = (page) =>
  page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth > clientWidth) return [`the page is ${scrollWidth} px wide`];
    const boxes = [...document.querySelectorAll('main, [role=dialog], [role=alertdialog], [role=tabpanel]')];
    const columns = [...document.querySelectorAll('dd, dt, p, span, td, th, a, button, h1, h2, h3')].filter(
      (each) => each.childElementCount === 0 && each.clientWidth < 24 && each.clientHeight > 72,
    );
    return [
      ...boxes
        // What is visible beyond one, such as a row to scroll in the page's margins, is in the window.
        .filter((each) => each.scrollWidth > each.clientWidth && getComputedStyle(each).overflowX !== 'visible')
        .map(
          (each) =>
            `${each.getAttribute('role') ?? each.localName} holds ${each.scrollWidth} px in ${each.clientWidth}`,
        ),
      ...columns.map(({ textContent }) => `"${textContent}" is a column of letters`),
    ];
  });

/**
 * @param {{ browser: import('@playwright/test').Browser, url: string, signIns: Record<string, any>, now: Date, locale: string }} place
 * @param {Screen} screen
 * @param {Size} size
 * @param {readonly Scheme[]} schemes
 * @param {(page: Page, scheme: Scheme) => Promise<unknown>} photograph
 * @returns {Promise<string[]>} what overflows it
 */
export async function visit({ browser, url, signIns, now, locale }, screen, size, schemes, photograph) {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: size.width, height: size.height },
    deviceScaleFactor: size.scale ?? 1,
    locale,
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    hasTouch: size.width < 768 || size.height < 500,
  });
  try {
    const page = await context.newPage();
    await page.clock.setFixedTime(now);
    if (screen.as) await page.addInitScript(storeSignIn, signIns[screen.as]);
    for (const [end, does] of Object.entries(screen.calls ?? {}))
      await page.route(
        ({ pathname }) => pathname.startsWith('/api/') && pathname.endsWith(end),
        (route) =>
          does === 'fails' ? route.fulfill({ status: 500, json: { error: 'Broken', code: 'internal' } }) : undefined,
      );
    await page.goto(screen.path, { waitUntil: isWaiting(screen) ? 'load' : 'networkidle' });
    if (screen.act) {
      await settle(page, screen);
      await screen.act(page);
      await page.waitForLoadState('networkidle');
    }
    for (const [turn, colorScheme] of schemes.entries()) {
      await page.emulateMedia({ colorScheme });
      await settle(page, screen);
      if (turn === 0) {
        await grow(page, size);
        await settle(page, screen);
      }
      await photograph(page, colorScheme);
    }
    return await overflow(page);
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new Error(`${screen.name} at ${size.width} px: ${said}`, { cause: error });
  } finally {
    await context.close();
  }
}
