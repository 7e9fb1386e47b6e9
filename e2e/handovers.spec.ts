import type { Page } from '@playwright/test';
import { violationsOn } from './axe.ts';
import { withoutUpdates } from './interruptions.ts';
import { expect, test } from './test.ts';
import { acceptOffers, api, device, expectToFit, ownerAndMember, reach, register } from './verbs.ts';

test.use({ timezoneId: 'UTC', locale: 'en-US' });

const HOUR = 3_600_000;

const dialog = (page: Page) => page.getByRole('dialog');
const card = (page: Page) => page.getByRole('listitem', { name: 'Films', exact: true });

async function expectWellMade(page: Page) {
  await expectToFit(page);
  expect(await violationsOn(page)).toEqual([]);
}

async function press(page: Page, name: string | RegExp, within = page.locator('body')) {
  await reach(page, within.getByRole('button', { name, exact: true }));
  await page.keyboard.press('Enter');
}

test(
  'an asset is handed over to a member, who owns it starting next month, by keyboard',
  { tag: '@journey' },
  async ({ browser, launch }) => {
    const server = await launch();
    const now = new Date();
    const end = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
    const month = new Date(end).toLocaleString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
    // The clock is advanced before anyone signs in, so that sign-ins last until then.
    await server.advance(end - 48 * HOUR - now.getTime());
    const { owner, member, assetId } = await ownerAndMember(browser, server, 'handover', { split_method: 'equal' });
    const other = await device(browser, server);
    await register(other, 'handover-other');
    await api(owner, `POST /api/assets/${assetId}/share/`, { username: 'handover-other', monthly_hours_allocated: 5 });
    await acceptOffers(other);

    await owner.goto(`/assets?asset=${assetId}&tab=details`);
    const section = dialog(owner).getByRole('region', { name: 'Hand over' });
    await expect(section).toContainText('A member becomes the owner next month. Earlier months stay yours.');
    await expectWellMade(owner);
    await press(owner, 'Hand over…', dialog(owner));
    const question = owner.getByRole('alertdialog', { name: 'Hand over Films?' });
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await expect(question.getByLabel('New owner').locator('option')).toHaveText(['handover-member', 'handover-other']);
    await expectWellMade(owner);
    await reach(owner, question.getByLabel('Your monthly hours'));
    await owner.keyboard.press('ControlOrMeta+a');
    await owner.keyboard.type('900');
    await owner.keyboard.press('Enter');
    await expect(question.getByLabel('Your monthly hours')).toHaveAccessibleDescription(/from 1 to 744/);
    await owner.keyboard.press('ControlOrMeta+a');
    await owner.keyboard.type('8');
    await owner.keyboard.press('Enter');
    await expect(owner.getByText('Offered to handover-member. Nothing changes unless they accept.')).toBeVisible();
    await expect(section).toContainText(
      /handover-member has until \w+ \d+ to accept and become the owner next month\./,
    );
    await expect(section).toContainText("You'll stay as a member with 8 h.");

    // The entry in the bell leads to the offer.
    await member.reload();
    await press(member, /^Notifications/);
    const news = member.getByRole('dialog', { name: 'Notifications' });
    await reach(member, news.getByRole('link', { name: /handover-owner.*Films/ }).first());
    await member.keyboard.press('Enter');
    const strip = dialog(member).getByRole('group', { name: 'Handover from handover-owner' });
    await expect(strip).toContainText(`handover-owner wants to hand this over to you, starting ${month}.`);
    await expect(strip).toContainText("You'll pay $12.00 a month and bill 2 members.");
    await expect(strip).toContainText('Terms: Evenly, sessions of up to 24 h.');
    await expect(strip).toContainText(
      'handover-owner stays as a member with 8 h. Earlier months stay with handover-owner.',
    );
    await expectWellMade(member);

    // A new price makes it a new offer.
    await withoutUpdates(member);
    await expect(strip).toContainText("You'll pay $12.00 a month");
    await api(owner, `PATCH /api/assets/${assetId}/`, { subscription_cost: 15 });
    await press(member, 'Take over Films', strip);
    await expect(strip.getByRole('alert')).toHaveText('This offer just changed. Review it and try again.');
    await expect(strip).toContainText("You'll pay $15.00 a month");
    await press(member, 'Take over Films', strip);
    await expect(strip).toContainText(`You become the owner in ${month}.`);
    await expect(strip.getByRole('button')).toHaveText(['Call off the handover of Films']);
    await member.keyboard.press('Escape');
    await expect(card(member)).toContainText(`You become the owner in ${month}.`);

    // All other members can see the next owner.
    await other.goto('/shared');
    await expect(card(other)).toContainText(
      `handover-member becomes the owner in ${month}. Until then, nothing changes.`,
    );
    await expectWellMade(other);
    await owner.reload();
    await expect(section).toContainText(
      `handover-member becomes the owner in ${month}. You'll stay as a member with 8 h.`,
    );
    await press(owner, 'Call off', section);
    await expect(owner.getByText('Films stays yours.')).toBeVisible();
    await expect(section.getByRole('button', { name: 'Hand over…' })).toBeVisible();
    await api(owner, `POST /api/assets/${assetId}/handover/`, { username: 'handover-member', stay_hours: 8 });
    await member.goto('/shared');
    await press(member, 'Take over Films', card(member));
    await expect(card(member)).toContainText(`You become the owner in ${month}.`);

    await server.advance(49 * HOUR);
    await member.goto('/assets');
    await expect(member.getByRole('heading', { name: 'Films' })).toBeVisible();
    await expect(member.getByRole('main')).toContainText('Shared with 2 users');
    await expectWellMade(member);
    await owner.goto('/assets');
    await expect(owner.getByRole('heading', { name: 'Films' })).toHaveCount(0);
    await owner.goto('/shared');
    await expect(card(owner)).toContainText('Shared by handover-member');
    await expect(card(owner)).toContainText('Monthly: 8 hours');
  },
);

test('a handover is translated into German', async ({ browser, server }) => {
  const { owner, member: german, assetId } = await ownerAndMember(browser, server, 'abgabe');
  await german.goto('/settings');
  await german.getByLabel('Language', { exact: true }).selectOption('Deutsch');
  await expect(german.locator('html')).toHaveAttribute('lang', 'de');
  await api(owner, `POST /api/assets/${assetId}/handover/`, { username: 'abgabe-member' });
  await german.goto('/shared');
  const strip = card(german).getByRole('group', { name: 'Übergabe von abgabe-owner' });
  await expect(strip).toContainText('Du zahlst dann 12,00 $ im Monat und rechnest mit niemandem ab.');
  await expect(strip).toContainText('abgabe-owner steigt dann aus.');
  await expectWellMade(german);
  await press(german, /^Ablehnen.*Films übernehmen$/, strip);
  await expect(german.getByText('Films geht nicht auf dich über.')).toBeVisible();
  await expect(strip).toHaveCount(0);
});

test('deleting an account shows which assets can be handed over instead', async ({ browser, server }) => {
  const { owner } = await ownerAndMember(browser, server, 'parting');
  await owner.goto('/profile');
  await owner.getByRole('button', { name: 'Delete account' }).click();
  const question = owner.getByRole('alertdialog', { name: 'Delete your account?' });
  await expect(question.getByRole('region', { name: 'Hand over instead of deleting' })).toBeVisible();
  await expectWellMade(owner);
  await question.getByRole('link', { name: 'Films' }).click();
  await expect(dialog(owner).getByRole('region', { name: 'Hand over' })).toBeVisible();
});
