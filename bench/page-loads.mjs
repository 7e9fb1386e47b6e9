import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { built, openClockedApp } from '../demo/clocked-app.mjs';
import { beginning, liveTogether, signInAll } from '../demo/household.mjs';
import { openBrowser } from '../demo/photographer.mjs';
import { addresses, householdScreens } from '../demo/screens.mjs';
import { storeSignIn } from '../harness/browser.mjs';

// How the pages of the demo's household load, as someone feels it: `node bench/page-loads.mjs`, or with the words `shift`,
// `cold`, `slow`, or `start` for parts. `node bench/pages.mjs` includes it. Fails if a bound doesn't hold.

const TODAY = new Date('2026-11-21T18:00:00Z');
const MAX = { shift: 0.02, requests: 20, kB: 300, frameMs: 2500, startMs: 9000, answerMs: 100 };
const WIDTHS = { 390: 844, 820: 1180, 1280: 860 };
/** Slow enough that a page shows its parts one after the other. */
const HOME = { latency: 60, bytesPerSecond: 300_000 };
const SLOW_3G = { latency: 400, bytesPerSecond: 400_000 / 8 };
/** How late the server answers a start: it shows before. */
const ANSWER_MS = 3000;

/** @typedef {{ latency: number, bytesPerSecond: number }} Network */
/** @typedef {import('@playwright/test').Page} Page */
/** @typedef {{ browser: import('@playwright/test').Browser, url: string, signIns: Record<string, any> }} Place */

/**
 * Opens a page as if for the first time, and returns it with what it loads.
 *
 * @param {Place} place
 * @param {{ as?: string | undefined, path: string }} screen
 * @param {{ width?: number, height?: number, network?: Network }} [how]
 */
async function open({ browser, url, signIns }, { as, path }, { width = 390, height = 844, network = HOME } = {}) {
  const context = await browser.newContext({ baseURL: url, viewport: { width, height }, locale: 'en-US' });
  const page = await context.newPage();
  if (as) await page.addInitScript(storeSignIn, signIns[as]);
  await page.addInitScript(() => {
    const state = /** @type {any} */ (window);
    state.shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of /** @type {any[]} */ (list.getEntries()))
        if (!entry.hadRecentInput) state.shift += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.enable');
  const { latency, bytesPerSecond: speed } = network;
  await cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency,
    downloadThroughput: speed,
    uploadThroughput: speed,
  });
  /** @type {Map<string, { name: string, bytes: number }>} */
  const loaded = new Map();
  cdp.on('Network.requestWillBeSent', ({ requestId, request: { method, url: address } }) => {
    if (address.startsWith('http')) loaded.set(requestId, { name: `${method} ${address.slice(url.length)}`, bytes: 0 });
  });
  const count = (/** @type {string} */ requestId, /** @type {number} */ bytes) => {
    const request = loaded.get(requestId);
    if (request) request.bytes += bytes;
  };
  cdp.on('Network.responseReceived', ({ requestId, response }) => count(requestId, response.encodedDataLength));
  cdp.on('Network.dataReceived', ({ requestId, encodedDataLength }) => count(requestId, encodedDataLength));
  const close = () => context.close();
  return { page, loaded, goto: () => page.goto(path, { waitUntil: 'commit' }), close };
}

/** Waits until the page has what it shows, and nothing moves any more. @param {Page} page */
async function settle(page) {
  await page.waitForLoadState('networkidle');
  await page.waitForFunction(() => document.querySelector('.animate-spin, .animate-pulse') === null);
  await page.waitForTimeout(500);
}

/** @type {string[]} */
const broken = [];
/** @param {string} what @param {number} value @param {number} max @param {(value: number) => string} [write] */
function report(what, value, max, write = String) {
  console.log(`| ${what} | ${write(value)} | ${write(max)} |`);
  if (!(value <= max)) broken.push(`${what}: ${write(value)}`);
}

const head = (/** @type {string} */ title) => console.log(`\n| ${title} | measured | at most |\n| --- | --- | --- |`);
const ms = (/** @type {number} */ value) => `${Math.round(value)} ms`;

/** @param {Place} place @param {{ as?: string, name: string, path: string }[]} screens */
async function shifts(place, screens) {
  for (const [width, height] of Object.entries(WIDTHS)) {
    head(`layout shift at ${width} px, the most of ${screens.length} pages`);
    /** @type {{ name: string, shift: number }[]} */
    const found = [];
    for (const screen of screens) {
      const { page, goto, close } = await open(place, screen, { width: Number(width), height });
      await goto();
      await settle(page);
      found.push({ name: screen.name, shift: await page.evaluate('window.shift') });
      await close();
    }
    const sorted = found.toSorted((one, other) => other.shift - one.shift);
    for (const { name, shift } of sorted.filter((each, index) => index < 3 || each.shift > MAX.shift))
      report(name, shift, MAX.shift, (value) => value.toFixed(3));
  }
}

/** @param {Place} place @param {string} as */
async function cold(place, as) {
  const { page, loaded, goto, close } = await open(place, { as, path: '/dashboard' });
  const stream = page.waitForResponse((response) => response.url().endsWith('/api/events/'));
  await goto();
  await settle(page);
  await stream;
  // Would be enough for what the stream makes the page read again.
  await page.waitForTimeout(1500);
  head(`cold dashboard of ${as}`);
  const requests = [...loaded.values()];
  const kB = (/** @type {number} */ bytes) => (bytes / 1000).toFixed(1);
  report('requests', requests.length, MAX.requests);
  report('kB', requests.reduce((sum, { bytes }) => sum + bytes, 0) / 1000, MAX.kB, (value) => value.toFixed(1));
  const reads = requests.map(({ name }) => name).filter((name) => name.startsWith('GET /api/'));
  report('reads that are repeated', reads.length - new Set(reads).size, 0);
  if (broken.length > 0) for (const { name, bytes } of requests) console.error(kB(bytes).padStart(7), name);
  await close();
}

const startButton = (/** @type {Page} */ page) =>
  page
    .getByRole('main')
    .getByRole('button', { name: /^Start/ })
    .filter({ visible: true })
    .first();

/** @param {Place} place */
async function slow(place) {
  const { page, goto, close } = await open(place, { as: 'ana', path: '/dashboard' }, { network: SLOW_3G });
  await goto();
  await startButton(page).click({ trial: true, timeout: 60_000 });
  const usable = await page.evaluate(() => performance.now());
  const painted = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 1e9,
  );
  head('dashboard on slow 3G');
  report('frame painted', painted, MAX.frameMs, ms);
  report('Start usable', usable, MAX.startMs, ms);
  await close();
}

/** Presses Start, and returns how long it took to show. @param {Page} page @returns {Promise<number>} */
async function press(page) {
  await page.evaluate(() => {
    const state = /** @type {any} */ (window);
    state.answered = undefined;
    document.addEventListener(
      'click',
      () => {
        const at = performance.now();
        const text = () => document.querySelector('main')?.textContent;
        const before = text();
        const look = () => {
          if (text() === before) requestAnimationFrame(look);
          else requestAnimationFrame(() => (state.answered = performance.now() - at));
        };
        requestAnimationFrame(look);
      },
      { capture: true, once: true },
    );
  });
  await startButton(page).click();
  // Functions, because the content security policy allows no text to become script.
  await page.waitForFunction(() => /** @type {any} */ (window).answered !== undefined);
  return page.evaluate(() => /** @type {any} */ (window).answered);
}

/** @param {Place} place */
async function start(place) {
  const { page, goto, close } = await open(place, { as: 'ana', path: '/dashboard' });
  await page.route('**/start/', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, ANSWER_MS));
    await route.fulfill({ status: 500, json: { error: 'Broken', code: 'internal' } });
  });
  await goto();
  await settle(page);
  const times = [];
  const reason = page.getByRole('alert').filter({ visible: true }).first();
  for (let round = 0; round < 3; round += 1) {
    times.push(await press(page));
    await reason.waitFor({ state: 'hidden' });
    await reason.waitFor();
    // The button ignores presses for a moment after it has changed.
    await page.waitForTimeout(1000);
  }
  head('Start');
  report('shown after, median of 3', times.toSorted((one, other) => one - other)[1] ?? NaN, MAX.answerMs, ms);
  console.log(`\nRefused ${ANSWER_MS} ms later: “${await reason.textContent()}”`);
  await close();
}

/** Measures the built app. @param {string[]} parts of these words; all if there are none */
export async function measureLoads(parts = []) {
  const folder = mkdtempSync(join(tmpdir(), 'hourshare-loads-'));
  let now = beginning(TODAY);
  const app = await openClockedApp({ PATH: process.env['PATH'], DATA_DIR: join(folder, 'data') }, () => new Date(now));
  const browser = await openBrowser();
  try {
    await liveTogether(app, (next) => (now = next), TODAY);
    const signIns = await signInAll(app.call);
    // As a running server does when it starts; the page reads again what happens after that.
    await (await built(join('features', 'notifications', 'live', 'service.js'))).followUpdates(app.deps);
    const place = { browser, url: await app.listen(), signIns };
    const screens = householdScreens(await addresses(app.call, signIns, 'mira')).filter(
      ({ act, calls }) => !act && !calls,
    );
    const has = (/** @type {string} */ part) => parts.length === 0 || parts.includes(part);
    if (has('cold')) for (const as of ['mira', 'ana']) await cold(place, as);
    if (has('slow')) await slow(place);
    if (has('start')) await start(place);
    if (has('shift')) await shifts(place, screens);
    if (broken.length > 0) throw new Error(`Too much:\n${broken.join('\n')}`);
  } finally {
    await browser.close();
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) await measureLoads(process.argv.slice(2));
