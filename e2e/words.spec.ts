import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, type Locator } from '@playwright/test';
import { openClockedApp } from '../demo/clocked-app.mjs';
import { beginning, liveTogether } from '../demo/household.mjs';
import { addresses } from '../demo/screens.mjs';
import { storeSignIn } from '../harness/browser.mjs';
import { PASSWORD } from './verbs.ts';

// What the sample household reads and presses: people come for an answer, not for a text.

const TODAY = new Date('2026-11-21T18:00:00Z');

const MOST_ON_PAGE = 150;

/** The most words that the main area may show at 1280 px. Statements and lists of sessions are as long as what they list. */
const PAGES: [path: string, words: number][] = [
  ['/dashboard', 200],
  ...['/assets', '/shared', '/analytics', '/analytics?view=owned', '/costs', '/settings'].map(
    (path): [string, number] => [path, MOST_ON_PAGE],
  ),
];

/** The most words that a dialog of an asset may show. */
const MOST_IN_DIALOG = 80;

/** With fewer, a page or a dialog hasn't shown what it is about. */
const LEAST = { page: 50, dialog: 15 };

/** Returns the words in a part of the page that can be seen, without those that only screen readers read. */
const countWords = (part: Locator): Promise<number> =>
  part.evaluate((main) => {
    const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    let words = 0;
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const parent = text.parentElement;
      if (!parent?.checkVisibility({ visibilityProperty: true })) continue;
      const { width, height } = parent.getBoundingClientRect();
      if (parent.closest('.sr-only') || width <= 1 || height <= 1) continue;
      // The initial on a face is a picture.
      if (parent.closest('[aria-hidden]') && text.textContent?.length === 1) continue;
      words += text.textContent?.match(/[\p{L}\p{N}][^\s]*/gu)?.length ?? 0;
    }
    return words;
  });

test('the sample household reads few words, and Start is a few presses of Tab away', async ({ browser }) => {
  test.setTimeout(300_000);
  const folder = mkdtempSync(join(tmpdir(), 'hourshare-words-'));
  let now = beginning(TODAY);
  const app = await openClockedApp({ DATA_DIR: join(folder, 'data') }, () => new Date(now));
  try {
    await liveTogether(app, (next) => (now = next), TODAY);
    const signIn = await app.call('POST', '/api/login/', { body: { username: 'mira', password: PASSWORD } });
    const page = await browser.newPage({ baseURL: await app.listen(), viewport: { width: 1280, height: 860 } });
    await page.clock.setFixedTime(TODAY);
    await page.addInitScript(storeSignIn, signIn);
    for (const [path, most] of PAGES) {
      await page.goto(path, { waitUntil: 'networkidle' });
      const words = await countWords(page.locator('main'));
      expect.soft(words, path).toBeLessThanOrEqual(most);
      expect.soft(words, path).toBeGreaterThanOrEqual(LEAST.page);
    }
    const { asset, share } = await addresses(app.call, { mira: signIn }, 'mira');
    const dialogs: [path: string, words: number][] = [
      ...[
        '/assets?add=true',
        ...['details', 'share'].map((tab) => `${asset('Netflix')}&tab=${tab}`),
        `${asset('Spotify')}&tab=analytics`,
        ...['details', 'usage'].map((tab) => `${share('mira', 'Car')}&tab=${tab}`),
      ].map((path): [string, number] => [path, MOST_IN_DIALOG]),
      // Costs of a year are as much as a page.
      ...[asset('Netflix'), share('mira', 'Car')].map((path): [string, number] => [`${path}&tab=costs`, MOST_ON_PAGE]),
    ];
    for (const [path, most] of dialogs) {
      await page.goto(path, { waitUntil: 'networkidle' });
      const words = await countWords(page.getByRole('dialog'));
      expect.soft(words, path).toBeLessThanOrEqual(most);
      expect.soft(words, path).toBeGreaterThanOrEqual(LEAST.dialog);
    }

    await page.goto('/dashboard', { waitUntil: 'networkidle' });
    const start = page.getByRole('button', { name: 'Start Session' });
    const isFocused = () => start.evaluateAll((all) => all.some((each) => each === document.activeElement));
    let presses = 0;
    for (; !(await isFocused()) && presses < 20; presses += 1) {
      await page.keyboard.press('Tab');
      if (
        await page.getByRole('button', { name: 'Skip to sessions' }).evaluate((link) => link === document.activeElement)
      )
        await page.keyboard.press('Enter');
    }
    expect(presses).toBeLessThanOrEqual(12);
  } finally {
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
