import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openClockedApp } from './clocked-app.mjs';
import { contactSheet } from './contact-sheet.mjs';
import { liveAtTheLimits } from './extremes.mjs';
import { beginning, liveTogether, PASSWORD, signInAll } from './household.mjs';
import { openBrowser, visit } from './photographer.mjs';
import { root } from '../scripts/processes.mjs';
import { addresses, extremeScreens, householdScreens } from './screens.mjs';

// Takes screenshots of every screen of the built app as a household sees it on one day, and puts them on one page:
// `npm run screenshots`, or `npm run screenshots -- dashboard usage` for the screens with one of these in their names.
// `--every-size` takes them from 320 to 1920 px and on a phone held sideways, `--language=ar` in a language, without
// those screens that take a few steps to reach. `--extremes` shows extreme data on very small and very large screens.
// `--readme` remakes the README's pictures. The clocks of server and browser are stopped, so the same product gives the
// same pictures.

const OUT = join(root, 'screenshots');
const IMAGES = join(root, 'docs', 'images');
const TODAY = new Date('2026-11-21T18:00:00Z');

/** @typedef {import('./photographer.mjs').Size} Size */

/** @type {Record<string, Size>} */
const EVERY_SIZE = {
  320: { width: 320, height: 640 },
  390: { width: 390, height: 844 },
  sideways: { width: 844, height: 390 },
  768: { width: 768, height: 1024 },
  820: { width: 820, height: 1180 },
  1280: { width: 1280, height: 860 },
  1440: { width: 1440, height: 900 },
  1920: { width: 1920, height: 1080 },
};

/** @typedef {import('./photographer.mjs').Scheme} Scheme */
/** @typedef {import('./clocked-app.mjs').ClockedApp} ClockedApp */

/**
 * @typedef {object} Album
 * @property {(app: ClockedApp, setClock: (now: number) => void) => Promise<Record<string, any>>} live fills the app, and returns who is signed in
 * @property {string} owner of the assets that a name means first
 * @property {typeof householdScreens} screens
 * @property {Record<string, Size>} sizes
 * @property {Scheme[]} schemes
 */

/** @type {Album} */
const HOUSEHOLD = {
  live: async (app, setClock) => {
    await liveTogether(app, setClock, TODAY);
    return signInAll(app.call);
  },
  owner: 'mira',
  screens: householdScreens,
  sizes: { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 860 } },
  schemes: ['light', 'dark'],
};

/** @type {Album} */
const EXTREMES = {
  live: ({ call }, setClock) => {
    setClock(TODAY.getTime());
    return liveAtTheLimits(call, { members: 40, assets: 200, password: PASSWORD });
  },
  owner: 'most',
  screens: extremeScreens,
  sizes: {
    320: { width: 320, height: 640 },
    768: { width: 768, height: 1024 },
    1920: { width: 1920, height: 1080 },
    2560: { width: 2560, height: 1440 },
    // A window of 1280 by 900 at 200%.
    zoomed: { width: 640, height: 450, scale: 2 },
  },
  schemes: ['light'],
};

/** @typedef {Parameters<typeof visit>[0]} Place */
/** @typedef {import('./screens.mjs').Screen} Screen */

/** @param {Place} place @param {Screen[]} screens */
async function readme(place, screens) {
  const pictures = /** @type {const} */ ([
    ['dashboard', 'dashboard', 'desktop', 'light'],
    ['usage', 'member-usage-running', 'phone', 'dark'],
  ]);
  for (const [image, name, size, scheme] of pictures) {
    const screen = screens.find((each) => each.name === name);
    const { width = 0, height = 0 } = HOUSEHOLD.sizes[size] ?? {};
    if (!screen) throw new Error(`There is no screen ${name}`);
    await visit(place, screen, { width, height }, [scheme], async (page) => {
      await page.setViewportSize({ width, height });
      await page.screenshot({ path: join(IMAGES, `${image}.png`), caret: 'hide' });
    });
    console.log(`docs/images/${image}.png`);
  }
}

/** @param {Place} place @param {Screen[]} screens @param {Album} album */
async function photographAll(place, screens, { sizes, schemes }) {
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT, { recursive: true });
  /** @type {string[]} */
  const problems = [];
  const queue = Object.entries(sizes).flatMap(([name, size]) => screens.map((screen) => ({ name, size, screen })));
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { name, size, screen } = next;
      const found = await visit(place, screen, size, schemes, (page, scheme) =>
        page.screenshot({ path: join(OUT, `${screen.name}-${name}-${scheme}.png`), caret: 'hide' }),
      ).catch((error) => [String(error)]);
      problems.push(...found.map((problem) => `${screen.name} at ${name}: ${problem}`));
    }
  };
  await Promise.all([work(), work(), work()]);
  const names = screens.map(({ name }) => name);
  writeFileSync(join(OUT, 'index.html'), contactSheet(names, sizes, schemes));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  console.log(`${names.length * Object.keys(sizes).length * schemes.length} pictures: screenshots/index.html`);
}

/** @param {string[]} args */
async function screenshots(args) {
  const album = args.includes('--extremes') ? EXTREMES : HOUSEHOLD;
  const folder = mkdtempSync(join(tmpdir(), 'hourshare-screens-'));
  let now = beginning(TODAY);
  const env = { PATH: process.env['PATH'], DATA_DIR: join(folder, 'data'), CONTACT: 'mira@example.org' };
  const app = await openClockedApp(env, () => new Date(now));
  const browser = await openBrowser();
  try {
    const signIns = await album.live(app, (next) => (now = next));
    const language = args.find((word) => word.startsWith('--language='))?.split('=')[1];
    const place = { browser, url: await app.listen(), signIns, now: TODAY, locale: language ?? 'en-US' };
    const all = album.screens(await addresses(app.call, signIns, album.owner));
    const words = args.filter((word) => !word.startsWith('--'));
    // What leads to a state names controls by their English names.
    const screens = all
      .filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
      .filter(({ act }) => !language || !act);
    const sizes = args.includes('--every-size') ? EVERY_SIZE : album.sizes;
    if (args.includes('--readme')) await readme(place, all);
    else await photographAll(place, screens, { ...album, sizes });
  } finally {
    await browser.close();
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

await screenshots(process.argv.slice(2)).catch((/** @type {unknown} */ error) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
