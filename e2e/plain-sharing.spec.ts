import type { Locator, Page } from '@playwright/test';
import { expect, test } from './test.ts';
import { going, WAYS } from './ways.ts';

// Two flatmates share Netflix evenly. Every button that they press counts; typing doesn't.

/** Opens the dashboard, and notes each time the page holds a word. Returns the notes. */
async function watch(page: Page, word: RegExp): Promise<() => Promise<string[]>> {
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
  return () => page.evaluate(() => (window as unknown as { met: string[] }).met);
}

const HOURS = { en: /\bhours\b/, de: /stunden/ };

for (const way of WAYS)
  test(
    `two flatmates share Netflix evenly in three presses, without a word about hours (${way.name})`,
    { tag: way.tag },
    async ({ browser, launch }) => {
      const { t, money, write, openTab, arrive, expectShown, ...hands } = going(way);
      const server = await launch();
      // On the first day of a month, Ana pays for all of it.
      const now = new Date();
      await server.advance(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1, 12) - now.getTime());
      const [ana, mira] = [await arrive(browser, server, 'ana'), await arrive(browser, server, 'mira')];
      const heldByAna = await watch(ana, HOURS[way.language]);
      const heldByMira = await watch(mira, HOURS[way.language]);
      await expectShown(mira);
      let presses = 0;
      const press = async (page: Page, target: Locator) => {
        presses += 1;
        await hands.press(page, target);
      };

      // Mira adds Netflix as something for which everyone pays the same, and invites Ana.
      await expect(mira.getByRole('radio', { name: t('Streaming, music, cloud') })).toBeEnabled();
      presses += 1;
      const tile = await hands.choose(mira, t('Streaming, music, cloud'));
      await expect(tile).toHaveAccessibleDescription(t('Everyone pays the same, and there is nothing to track.'));
      await write(mira, mira.getByLabel(t('Asset Name')), 'Netflix');
      const price = mira.getByLabel(t('Monthly Subscription Cost ({symbol})', { symbol: '$' }));
      await write(mira, price, way.language === 'de' ? '15,99' : '15.99');
      await write(mira, mira.getByLabel(t('Username'), { exact: true }), 'ana');
      await press(mira, mira.getByRole('button', { name: t('Create and invite') }));
      await expect(
        mira.getByRole('heading', { name: t('Waiting for {name} to accept', { name: 'ana' }) }),
      ).toBeVisible();

      // Ana reads what it costs her, and accepts.
      await ana.reload();
      const card = ana.getByRole('listitem', { name: 'Netflix' });
      const half = money(8);
      await expect(card.getByRole('group')).toContainText(half);
      await press(ana, card.getByRole('button', { name: t('Accept<hidden> {asset}</hidden>', { asset: 'Netflix' }) }));
      await expect(card.getByRole('group')).toHaveCount(0);
      await expect(card).toContainText(t('You pay {amount} a month', { amount: half }));
      expect(presses).toBe(3);

      // There is nothing to start or measure, on her card and in its dialog.
      await expect(card.getByRole('button')).toHaveText([t('Details')]);
      await expect(card.getByRole('progressbar')).toHaveCount(0);
      await hands.press(ana, card.getByRole('button'));
      await expect(ana.getByRole('dialog').getByRole('tab')).toHaveText([t('Details'), t('Costs')]);
      await expect(ana.getByRole('dialog').getByRole('heading', { name: t('Past months') })).toBeVisible();

      // Mira sees who pays what.
      await mira.reload();
      const owned = mira.getByRole('listitem', { name: 'Netflix' });
      await expect(owned).toContainText('ana');
      await expect(owned).toContainText(half);
      await expect(owned.getByRole('progressbar')).toHaveCount(0);
      await hands.press(mira, owned.getByRole('button', { name: t('Manage') }));
      const tabs = mira.getByRole('dialog').getByRole('tab');
      await expect(tabs).toHaveText([t('Details'), t('Share [[tab]]'), t('Costs')]);
      await openTab(mira, t('Share [[tab]]'));
      await expect(mira.getByRole('dialog').getByRole('listitem').filter({ hasText: 'ana' })).toContainText(half);
      await openTab(mira, t('Costs'));
      await expect(mira.getByRole('dialog').getByRole('table')).toContainText(half);

      expect([await heldByMira(), await heldByAna()]).toEqual([[], []]);
    },
  );
