import type { Page } from '@playwright/test';
import { violationsOn } from './axe.ts';
import { translator } from './mail.ts';
import { expect, test } from './test.ts';
import { confirmPayment, expectToFit, ownerAndMember, settleUp } from './verbs.ts';

const HOUR = 3_600_000;

/** The member reads German. */
const t = translator('de');
const named = (english: string, cost: string) =>
  t(english)
    .replace('{cost}', cost)
    .replaceAll(/<\/?hidden>/g, '');
const speak = (page: Page, language: string) =>
  page.evaluate((choice) => localStorage.setItem('hourshare_language', choice), language);

test.use({ timezoneId: 'UTC', locale: 'en-US' });

async function expectAccessible(page: Page) {
  await expectToFit(page);
  expect(await violationsOn(page)).toEqual([]);
}

test(
  'a member fills up, the owner counts it, the member agrees to one of two costs above the limit, and they settle',
  { tag: '@journey' },
  async ({ browser, launch }) => {
    const server = await launch();
    const now = new Date();
    const [first = 0, end = 0] = [1, 2].map((months) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1));
    await server.advance(end - 3 * 24 * HOUR - now.getTime());
    const month = new Date(first).toISOString().slice(0, 7);
    const { owner, member, assetId, shareId } = await ownerAndMember(browser, server, 'fuel');
    const owned = owner.getByRole('dialog');
    const own = member.getByRole('dialog');

    // Three presses, on a phone: open, type, done.
    await member.setViewportSize({ width: 390, height: 844 });
    await speak(member, 'de');
    await member.goto(`/shared?share=${shareId}&tab=costs`);
    await own.getByRole('button', { name: t('Add a cost') }).press('Enter');
    await expect(own.getByLabel(t('Amount ({currency})').replace('{currency}', 'USD'))).toBeFocused();
    await expectAccessible(member);
    await member.keyboard.type('30');
    await member.keyboard.press('Tab');
    await member.keyboard.type('Fuel');
    await member.keyboard.press('Enter');
    await expect(own.getByRole('button', { name: named('Change<hidden> {cost}</hidden>', 'Fuel') })).toBeVisible();
    await expect(own.getByText(t("Doesn't count yet")).first()).toBeVisible();
    await expectAccessible(member);

    await owner.goto('/dashboard');
    const waiting = owner.getByRole('region', { name: 'Waiting for you' });
    const fuel = waiting.getByRole('listitem', { name: 'fuel-member asks to count $30.00 for Films' });
    await expect(fuel).toContainText('$30.00 paid by fuel-member');
    await expectAccessible(owner);
    await fuel.getByRole('button', { name: 'Count Fuel' }).press('Enter');
    await expect(waiting).toHaveCount(0);
    await owner.goto(`/assets?asset=${assetId}&tab=costs&part=month`);
    for (const [text, amount] of [
      ['Tires', '40'],
      ['Paint', '10'],
    ] as const) {
      await owned.getByRole('button', { name: 'Add a cost' }).press('Enter');
      await expect(owned.getByLabel('Amount (USD)')).toBeFocused();
      await owner.keyboard.type(amount);
      await owned.getByLabel('What for').fill(text);
      await owned.getByText('Day, who paid, and how it is split').click();
      await owned.getByLabel('Split').selectOption('Evenly');
      if (text === 'Tires') await expectAccessible(owner);
      await owned.getByRole('button', { name: 'Add' }).press('Enter');
      await expect(owned.getByRole('button', { name: `Change ${text}` })).toBeVisible();
    }
    await expectAccessible(owner);

    // Nothing was agreed to without a question, so half of the tires waits for a yes. The paint doesn't get one.
    const sayYes = (cost: string) =>
      own.getByRole('button', { name: named('Say yes<hidden> to {cost}</hidden>', cost) });
    const owed = (amount: string) => own.getByText(`${amount} bekommst du`);
    await member.reload();
    await expect(owed('30,00 $')).toBeVisible();
    await sayYes('Tires').press('Enter');
    await expect(owed('10,00 $')).toBeVisible();
    await expect(own.getByText('Preis 0,00 $ + Kosten 20,00 $ − bezahlt 30,00 $ = -10,00 $')).toBeVisible();
    await expect(own.getByText('Dein Anteil wäre 5,00 $. Ohne deine Zustimmung trägt ihn fuel-owner.')).toBeVisible();
    await expect(sayYes('Paint')).toBeVisible();
    await expectAccessible(member);

    await server.advance((3 * 24 + 73) * HOUR);
    await owner.goto(`/costs/${assetId}/${month}`);
    await expect(owner.getByRole('article')).toContainText('Tires');
    await expect(owner.getByRole('article')).toContainText('price $12.00 + costs $60.00 − paid $50.00 = $22.00');
    await expectAccessible(owner);
    await owner.goto('/costs');
    await settleUp(owner, 'fuel-member', 'I paid $10.00');
    await speak(member, 'en');
    await confirmPayment(member, 'fuel-owner', '$10.00');
    await speak(member, 'de');
    await member.goto(`/costs/${assetId}/${month}`);
    await expect(member.getByRole('article')).toContainText(
      'Preis 0,00 $ + Kosten 20,00 $ − bezahlt 30,00 $ = -10,00 $',
    );
    await expectAccessible(member);
  },
);
