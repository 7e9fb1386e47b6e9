import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from '@playwright/test';
import { callServer, register } from '../harness/calls.mjs';
import { MEASURED, median } from '../harness/measures.mjs';
import { startServer } from '../harness/server.mjs';
import { locateBrowser, storeSignIn } from '../harness/browser.mjs';
import { measureLoads } from './page-loads.mjs';

// Measures the built app's pages in a real browser: Lighthouse's scores on its default mobile settings and, on a
// dashboard with many assets, the time from an interaction to the next paint and layout shifts. Then how pages load. Run `npm run build
// && node bench/pages.mjs` with Chromium or Chrome installed; Lighthouse is fetched on demand, because nothing else
// needs its two hundred packages.

const LIGHTHOUSE = 'lighthouse@12.8.2';
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
const ROUNDS = 3;
const OWNED = 200;
const SHARED = 40;
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'];

const executablePath =
  locateBrowser() ?? fail('There is no Chromium or Chrome: install one, or name it in CHROMIUM_PATH');

/** @param {string} sentence @returns {never} */
function fail(sentence) {
  throw new Error(sentence);
}

const folder = mkdtempSync(join(tmpdir(), 'hourshare-bench-'));
const server = await startServer({
  ...MEASURED,
  DATA_DIR: join(folder, 'data'),
  RATE_LIMIT: 'off',
  SHARE_CONSENT: 'off',
});

/** A user with many assets of their own and many shared with them. */
async function household() {
  const mira = await register(server.url, 'mira');
  const ben = await register(server.url, 'ben');
  const asset = (/** @type {number} */ number) => ({
    name: `Subscription ${number}`,
    description: number % 3 === 0 ? 'Living room and phones' : '',
    subscription_cost: 5 + number / 4,
  });
  const offerTo = (/** @type {string} */ username) => ({ username, monthly_hours_allocated: 20 });
  for (let number = 1; number <= OWNED; number++) {
    const { id } = await callServer(server.url, 'POST /api/assets/', asset(number), mira.access);
    if (number % 2 === 0) await callServer(server.url, `POST /api/assets/${id}/share/`, offerTo('ben'), mira.access);
  }
  for (let number = 1; number <= SHARED; number++) {
    const { id } = await callServer(server.url, 'POST /api/assets/', asset(number), ben.access);
    await callServer(server.url, `POST /api/assets/${id}/share/`, offerTo('mira'), ben.access);
  }
  return mira;
}

/** @param {string} address @param {number} port of the browser's debugger @returns {Promise<any>} */
async function lighthouse(address, port) {
  const report = join(folder, 'lighthouse.json');
  const args = ['--yes', LIGHTHOUSE, address, `--port=${port}`, '--disable-storage-reset', '--quiet'];
  const choice = [`--only-categories=${CATEGORIES.join(',')}`, '--output=json', `--output-path=${report}`];
  await promisify(execFile)('npx', [...args, ...choice], { maxBuffer: 64 * 2 ** 20 });
  return JSON.parse(readFileSync(report, 'utf8'));
}

/** Opens a browser with its own profile, optionally signed in. @param {string} name @param {any} [user] */
async function openBrowser(name, user) {
  const profile = join(folder, name);
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    args: [...FLAGS, '--remote-debugging-port=0'],
  });
  const page = context.pages()[0] ?? (await context.newPage());
  await page.goto(`${server.url}/about`);
  if (user) await page.evaluate(storeSignIn, user);
  const port = Number(readFileSync(join(profile, 'DevToolsActivePort'), 'utf8').split('\n')[0]);
  return { context, page, port };
}

/** @param {string} path @param {number} port */
async function scores(path, port) {
  /** @type {any[]} */
  const runs = [];
  for (let round = 0; round < ROUNDS; round++) runs.push(await lighthouse(`${server.url}${path}`, port));
  for (const { categories } of runs)
    for (const name of CATEGORIES)
      for (const { id, weight } of categories[name].auditRefs) {
        const { score, title } = runs[0].audits[id];
        if (name !== 'performance' && weight > 0 && score !== null && score < 1) console.error(`${path}: ${title}`);
      }
  const score = (/** @type {string} */ name) => median(runs.map((run) => Math.round(run.categories[name].score * 100)));
  const value = (/** @type {string} */ id) => median(runs.map((run) => run.audits[id].numericValue));
  const [paint, blocked, shift] = ['largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift'];
  console.log(
    `| ${path} | ${CATEGORIES.map(score).join(' | ')} | ${(value(paint) / 1000).toFixed(1)} s | ${value(blocked).toFixed(0)} ms | ${value(shift).toFixed(3)} |`,
  );
}

/** Returns how long each interaction took to the next paint, in ms, as measured by the browser. @param {import('@playwright/test').Page} page */
async function interactions(page) {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.addInitScript(() => {
    const state = /** @type {any} */ (window);
    state.shift = 0;
    state.took = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) state.shift += /** @type {any} */ (entry).value;
    }).observe({ type: 'layout-shift', buffered: true });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if (/** @type {any} */ (entry).interactionId > 0) state.took = Math.max(state.took, entry.duration);
    }).observe(/** @type {any} */ ({ type: 'event', durationThreshold: 16 }));
  });
  await page.goto(`${server.url}/dashboard`);
  // Long lists render in batches.
  await page
    .getByRole('button', { name: 'Manage', exact: true })
    .nth(OWNED - 1)
    .waitFor();
  // There was no input yet, so nothing but the page itself caused these shifts.
  const shift = await page.evaluate('window.shift');

  /** @type {[name: string, work: () => Promise<void>][]} */
  const steps = [
    ['open an asset', () => page.getByRole('button', { name: 'Manage', exact: true }).first().click()],
    ['change the tab', () => page.getByRole('tab', { name: 'Share' }).click()],
    ['type in a field', () => page.getByRole('textbox', { name: 'Username' }).press('a')],
    ['ask before edits are lost', () => page.keyboard.press('Escape')],
    ['close the dialog', () => page.getByRole('button', { name: 'Discard' }).click()],
    ['count the sessions again', () => page.getByRole('button', { name: 'Refresh' }).click()],
    ['open the user menu', () => page.getByRole('button', { name: 'User menu' }).click()],
  ];
  /** @type {Record<string, number>} */
  const took = {};
  for (const [name, work] of steps) {
    await page.evaluate('window.took = 0');
    await work();
    await page.waitForTimeout(500);
    took[name] = await page.evaluate('window.took');
  }
  return { shift, took };
}

try {
  const mira = await household();
  console.log(`${LIGHTHOUSE}, mobile settings, ${availableParallelism()} cores, median of ${ROUNDS}\n`);
  console.log('| page | performance | accessibility | best practices | SEO | largest paint | blocked | layout shift |');
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
  const visitor = await openBrowser('visitor');
  for (const path of ['/', '/login']) await scores(path, visitor.port);
  await visitor.context.close();
  const owner = await openBrowser('owner', mira);
  await scores('/dashboard', owner.port);

  const runs = [];
  for (let round = 0; round < ROUNDS; round++) runs.push(await interactions(await owner.context.newPage()));
  console.log(`\n| on a dashboard with ${OWNED} assets and ${SHARED} shared ones | to the next paint |\n| --- | --- |`);
  for (const name of Object.keys(runs[0]?.took ?? {}))
    console.log(`| ${name} | ${median(runs.map(({ took }) => took[name] ?? Number.NaN))} ms |`);
  console.log(`\nLayout shift while it loads: ${Math.max(...runs.map(({ shift }) => shift)).toFixed(3)}`);
  await owner.context.close();
} finally {
  await server.end();
  rmSync(folder, { recursive: true, force: true });
}

await measureLoads();
