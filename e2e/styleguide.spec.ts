import { spawn, type ChildProcess } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { violationsOn } from './axe.ts';

// The style guide only exists in development builds, so this test runs the development server.

const WEB = join(dirname(dirname(fileURLToPath(import.meta.url))), 'web');
const VITE = join(dirname(WEB), 'node_modules', 'vite', 'bin', 'vite.js');

let development: ChildProcess;
let url = '';

test.beforeAll(async () => {
  development = spawn(process.execPath, [VITE, '--host', '127.0.0.1', '--port', '0'], {
    cwd: WEB,
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  url = await new Promise((resolve, reject) => {
    let printed = '';
    development.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk;
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(printed);
      if (found) resolve(found[0]);
    });
    development.once('exit', (code) =>
      reject(new Error(`The development server ended with code ${code}:\n${printed}`)),
    );
  });
});

test.afterAll(() => {
  development.kill();
});

test('the style guide shows every control without accessibility violations', async ({ page }) => {
  await page.goto(`${url}/styleguide`);
  await expect(page.getByRole('heading', { level: 1, name: 'Styleguide' })).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  for (const opener of ['Open a dialog', 'Ask first', 'Ask, and fail']) {
    await page.getByRole('button', { name: opener }).click();
    await expect(page.getByRole(opener === 'Open a dialog' ? 'dialog' : 'alertdialog')).toBeVisible();
    expect(await violationsOn(page)).toEqual([]);
    await page.keyboard.press('Escape');
  }
});

test('its theme can be chosen', async ({ page }) => {
  await page.goto(`${url}/styleguide`);
  for (const [choice, scheme] of [
    ['dark', 'dark'],
    ['light', 'light'],
  ] as const) {
    await page.getByRole('radio', { name: choice }).check();
    await expect(page.locator('html')).toHaveCSS('color-scheme', scheme);
  }
});
