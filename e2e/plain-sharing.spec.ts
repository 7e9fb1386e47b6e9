import type { Browser, Locator, Page } from '@playwright/test';
import type { RunningServer } from './server.ts';
import { expect, test } from './test.ts';
import { hands, type JourneyLanguage, namesIn, speak } from './texts.ts';
import { reach, register } from './verbs.ts';

// Two flatmates share Netflix evenly. Every button that they press counts; typing doesn't.

/** Opens the dashboard of a new account, and notes each time the page holds a word. Returns the notes. */
async function open(
  page: Page,
  username: string,
  language: JourneyLanguage,
  word: RegExp,
): Promise<() => Promise<string[]>> {
  await register(page, username);
  await speak(page, language);
  await page.addInitScript((pattern) => {
    const met: string[] = [];
    Object.assign(window, { met });
    new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes)
        for (const node of [target, ...addedNodes])
          if (node instanceof Element && node.closest('body') && !node.closest('script')) {
            const named = [node, ...node.querySelectorAll('[aria-label], [placeholder]')];
            const texts = named.flatMap((each) => [each.getAttribute('aria-label'), each.getAttribute('placeholder')]);
            const found = [node.textContent, ...texts].find((text) => new RegExp(pattern, 'i').test(text ?? ''));
            if (found) met.push(found);
          }
    }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  }, word.source);
  await page.goto('/dashboard');
  await expect(page.locator('html')).toHaveAttribute('lang', language);
  return () => page.evaluate(() => (window as unknown as { met: string[] }).met);
}

async function twoFlatmates(browser: Browser, server: RunningServer, scheme: 'light' | 'dark') {
  const device = async () =>
    (await browser.newContext({ baseURL: server.url, colorScheme: scheme, locale: 'en-US' })).newPage();
  return [await device(), await device()] as const;
}

for (const { language, scheme, word, keyboard } of [
  { language: 'en', scheme: 'light', word: /\bhours\b/, keyboard: false },
  { language: 'de', scheme: 'dark', word: /stunden/, keyboard: true },
] as const)
  test(
    `two flatmates share Netflix evenly in three presses, without a word about hours (${language}, ${scheme}${keyboard ? ', by keyboard' : ''})`,
    { tag: keyboard ? [] : '@journey' },
    async ({ browser, launch }) => {
      const server = await launch();
      // On the first day of a month, Ana pays for all of it.
      const now = new Date();
      await server.advance(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1, 12) - now.getTime());
      const [mira, ana] = await twoFlatmates(browser, server, scheme);
      const t = namesIn(language);
      const heldByAna = await open(ana, 'ana', language, word);
      const heldByMira = await open(mira, 'mira', language, word);
      let presses = 0;
      const press = async (page: Page, target: Locator) => {
        presses += 1;
        await hands(keyboard).press(page, target);
      };

      // Mira adds Netflix as something for which everyone pays the same, and invites Ana.
      const tile = mira.getByRole('radio', { name: t('Streaming, music, cloud') });
      await expect(tile).toBeEnabled();
      if (keyboard) {
        presses += 1;
        await reach(mira, mira.getByRole('radio', { checked: true }).first());
        await mira.keyboard.press('ArrowRight');
      } else await press(mira, mira.getByText(t('Streaming, music, cloud')));
      await expect(tile).toBeChecked();
      await expect(tile).toHaveAccessibleDescription(t('Everyone pays the same, and there is nothing to track.'));
      await mira.getByLabel(t('Asset Name')).fill('Netflix');
      await mira.getByLabel(t('Monthly Subscription Cost ({symbol})').replace('{symbol}', '$')).fill('15.99');
      await mira.getByLabel(t('Username'), { exact: true }).fill('ana');
      await press(mira, mira.getByRole('button', { name: t('Create and invite') }));
      await expect(
        mira.getByRole('heading', { name: t('Waiting for {name} to accept').replace('{name}', 'ana') }),
      ).toBeVisible();

      // Ana reads what it costs her, and accepts.
      await ana.reload();
      const card = ana.getByRole('listitem', { name: 'Netflix' });
      const cost = (amount: string) => t('You pay {amount} a month').replace('{amount}', amount);
      const half = language === 'en' ? '$8.00' : /8,00\s\$/;
      await expect(card.getByRole('group')).toContainText(half);
      await press(
        ana,
        card.getByRole('button', { name: t('Accept<hidden> {asset}</hidden>').replace('{asset}', 'Netflix') }),
      );
      await expect(card.getByRole('group')).toHaveCount(0);
      await expect(card).toContainText(language === 'en' ? cost('$8.00') : /Du zahlst 8,00\s\$ im Monat/);
      expect(presses).toBe(3);

      // There is nothing to start or measure, on her card and in its dialog.
      await expect(card.getByRole('button')).toHaveText([t('Details')]);
      await expect(card.getByRole('progressbar')).toHaveCount(0);
      await card.getByRole('button').click();
      await expect(ana.getByRole('dialog').getByRole('tab')).toHaveText([t('Details'), t('Costs')]);
      await expect(ana.getByRole('dialog').getByRole('heading', { name: t('Past months') })).toBeVisible();

      // Mira sees who pays what.
      await mira.reload();
      const owned = mira.getByRole('listitem', { name: 'Netflix' });
      await expect(owned).toContainText('ana');
      await expect(owned).toContainText(half);
      await expect(owned.getByRole('progressbar')).toHaveCount(0);
      await owned.getByRole('button', { name: t('Manage') }).click();
      const tabs = mira.getByRole('dialog').getByRole('tab');
      await expect(tabs).toHaveText([t('Details'), t('Share [[tab]]'), t('Costs')]);
      await tabs.nth(1).click();
      await expect(mira.getByRole('dialog').getByRole('listitem').filter({ hasText: 'ana' })).toContainText(half);
      await tabs.nth(2).click();
      await expect(mira.getByRole('dialog').getByRole('table')).toContainText(half);

      expect([await heldByMira(), await heldByAna()]).toEqual([[], []]);
    },
  );
