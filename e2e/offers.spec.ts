import type { Locator, Page } from '@playwright/test';
import { violationsOn } from './axe.ts';
import { withoutUpdates } from './interruptions.ts';
import { expect, test } from './test.ts';
import { acceptOffers, addAsset, api, device, expectToFit, manage, register, shareWith } from './verbs.ts';

const card = (page: Page, name = 'Films') => page.getByRole('listitem', { name, exact: true });
/** What waits for someone, on the dashboard or in the bell's panel. */
const waiting = (place: Page | Locator) => place.getByRole('region', { name: 'Waiting for you' }).getByRole('listitem');
const dialog = (page: Page) => page.getByRole('dialog');

/** An owner of "Films" and someone they can offer it to, each on the dashboard of their own device. */
async function people(browser: Parameters<typeof device>[0], server: Parameters<typeof device>[1], name: string) {
  const [owner, member] = await Promise.all([device(browser, server), device(browser, server)]);
  await Promise.all([register(owner, `${name}-owner`), register(member, `${name}-member`)]);
  await api(owner, 'POST /api/assets/', { name: 'Films', subscription_cost: 20 });
  await owner.reload();
  return { owner, member };
}

test(
  'an offer is seen everywhere, declined, offered again, and accepted by keyboard',
  { tag: '@journey' },
  async ({ browser, server }) => {
    const { owner, member } = await people(browser, server, 'offer');
    await manage(owner, 'Share');
    await dialog(owner).getByLabel('Username').fill('offer-member');
    await dialog(owner).getByLabel('Monthly Hours').fill('20');
    await dialog(owner).getByRole('button', { name: 'Share Asset' }).click();
    await expect(owner.getByText('Offered to offer-member. They can accept it for 14 days.')).toBeVisible();
    const entry = dialog(owner).getByRole('listitem').filter({ hasText: 'offer-member' });
    await expect(entry).toContainText('Hours pending');
    await expect(entry).toContainText(/20 hours\/month, offer expires \w+ \d+/);
    await expect(entry.getByRole('button', { name: /^(Change|Options)/ })).toHaveCount(0);
    await owner.keyboard.press('Escape');
    await expect(owner.getByText('Shared with 1 user', { exact: true })).toBeVisible();
    await expect(owner.getByText('1 pending')).toBeVisible();
    await expect(owner.getByText('Offered to offer-member', { exact: true })).toBeVisible();

    // The card has what decides; the rest is one press away.
    await member.reload();
    for (const [path, offer] of [
      ['/dashboard', waiting(member)],
      ['/shared', card(member)],
    ] as const) {
      await member.goto(path);
      await expect(offer).toContainText('20 h a month. All of it costs you $20.00.');
      await expect(offer).toContainText(/Offer expires on \w+ \d+/);
      await expect(offer.getByRole('button', { name: 'Accept and start Films' })).toBeVisible();
      await expectToFit(member);
      expect(await violationsOn(member)).toEqual([]);
    }
    await member.goto('/costs');
    await expect(member.getByText('No costs yet. Assets you own or use appear here.')).toBeVisible();
    await member.goto('/analytics');
    await expect(member.getByText('Used This Month')).toBeVisible();

    // The bell has the same buttons, and leads to the offer.
    await member.getByRole('button', { name: 'Notifications' }).click();
    const panel = member.getByRole('dialog', { name: 'Notifications' });
    await expect(waiting(panel).getByRole('button', { name: 'Accept and start Films' })).toBeVisible();
    await panel.getByRole('link', { name: /offer-owner.*Films/ }).click();
    await expect(dialog(member).getByRole('group', { name: 'Offer from offer-owner' })).toContainText(
      'Split by use: you only pay for the hours you use.',
    );
    expect(await violationsOn(member)).toEqual([]);
    await dialog(member).getByRole('tab', { name: 'Costs' }).click();
    await expect(dialog(member)).toContainText("You're not charged for this unless you accept it.");

    await dialog(member).getByRole('button', { name: 'Decline Films' }).click();
    const question = member.getByRole('alertdialog', { name: 'Decline Films?' });
    await expect(question).toContainText('offer-owner can offer it to you again.');
    await question.getByRole('button', { name: 'Decline', exact: true }).click();
    await expect(dialog(member)).toHaveCount(0);
    await expect(member.getByText('Offer declined: Films')).toBeVisible();

    await owner.reload();
    await shareWith(owner, 'offer-member', 10);
    await member.goto('/shared');
    const accept = card(member).getByRole('button', { name: 'Accept Films' });
    await accept.press('Enter');
    await expect(member.getByText('Offer accepted: Films')).toBeVisible();
    await expect(accept).toHaveCount(0);
    await expect(card(member).getByText('Monthly: 10 hours')).toBeVisible();
    await owner.reload();
    await expect(owner.getByText('1 pending')).toHaveCount(0);
    await expect(owner.getByRole('region', { name: 'Your Assets' }).getByText('offer-member')).toBeVisible();
  },
);

test(
  'an offer that has changed is not accepted until it has been seen',
  { tag: '@journey' },
  async ({ browser, server }) => {
    const { owner, member } = await people(browser, server, 'changed');
    await shareWith(owner, 'changed-member', 20);
    await withoutUpdates(member);
    await member.goto('/shared');
    await expect(card(member)).toContainText('All of it costs you $20.00.');
    const { results } = (await api(owner, 'GET /api/assets/')) as { results: { id: number }[] };
    await api(owner, `PATCH /api/assets/${results[0]?.id}/`, { subscription_cost: 200 });
    await card(member).getByRole('button', { name: 'Accept Films' }).click();
    await expect(card(member).getByRole('alert')).toHaveText('This offer just changed. Review it and try again.');
    await expect(card(member)).toContainText('All of it costs you $200.00.');
    await card(member).getByRole('button', { name: 'Accept Films' }).click();
    await expect(member.getByText('Offer accepted: Films')).toBeVisible();
  },
);

test('an owner withdraws an offer, and its card says so when it is accepted', async ({ browser, server }) => {
  const { owner, member } = await people(browser, server, 'withdraw');
  await shareWith(owner, 'withdraw-member', 20);
  await withoutUpdates(member);
  await member.goto('/shared');
  await expect(card(member).getByRole('button', { name: 'Accept Films' })).toBeVisible();
  await manage(owner, 'Share');
  expect(await violationsOn(owner)).toEqual([]);
  await dialog(owner).getByRole('button', { name: 'Withdraw the offer to withdraw-member' }).click();
  const question = owner.getByRole('alertdialog', { name: 'Withdraw the offer to withdraw-member?' });
  await question.getByRole('button', { name: 'Withdraw', exact: true }).click();
  await expect(dialog(owner)).toContainText('No users have access to this asset yet.');
  await expect(owner.getByText('The offer to withdraw-member is withdrawn.')).toBeVisible();

  await card(member).getByRole('button', { name: 'Accept Films' }).click();
  await expect(member.getByText('This offer expired or was withdrawn.')).toBeVisible();
  await expect(member.getByRole('heading', { name: 'No Shared Assets' })).toBeVisible();
});

test('a first session accepts an offer, and leaving ends it', async ({ browser, server }) => {
  const { owner, member } = await people(browser, server, 'firstuse');
  await shareWith(owner, 'firstuse-member', 20);
  await member.goto('/dashboard');
  await waiting(member).getByRole('button', { name: 'Accept and start Films' }).click();
  await expect(member.getByText('Session started: Films')).toBeVisible();
  await expect(member.getByText('You accepted the offer.')).toBeVisible();
  await expect(waiting(member)).toHaveCount(0);

  await card(member).getByRole('button', { name: 'Track Usage' }).click();
  await dialog(member).getByRole('tab', { name: 'Details' }).click();
  await dialog(member).getByRole('button', { name: 'Leave' }).click();
  const question = member.getByRole('alertdialog', { name: 'Leave Films?' });
  await expect(question).toContainText('Your session ends. What you used up to now stays on the bill.');
  expect(await violationsOn(member)).toEqual([]);
  await question.getByRole('button', { name: 'Leave' }).click();
  await expect(dialog(member)).toHaveCount(0);
  await expect(member.getByText('You left Films.')).toBeVisible();
  await expect(card(member)).toHaveCount(0);
  await expect(member.getByText('Session ended')).toHaveCount(0);
});

test('offers of a trusted owner are accepted without asking', async ({ browser, server }) => {
  const { owner, member } = await people(browser, server, 'trust');
  await shareWith(owner, 'trust-member', 20);
  await member.goto('/shared');
  await card(member).getByRole('button', { name: 'Manage Usage' }).click();
  await dialog(member).getByLabel('Also accept other offers from trust-owner that cost up to $20.00 a month').check();
  await dialog(member).getByRole('button', { name: 'Accept Films' }).click();
  await expect(member.getByText('What trust-owner shares with you is now accepted without asking.')).toBeVisible();

  const { id } = (await api(owner, 'POST /api/assets/', { name: 'Car', subscription_cost: 5 })) as { id: number };
  await api(owner, `POST /api/assets/${id}/share/`, { username: 'trust-member', monthly_hours_allocated: 5 });
  await member.goto('/shared');
  await expect(card(member, 'Car')).toBeVisible();
  await expect(member.getByRole('button', { name: /^Accept/ })).toHaveCount(0);

  await member.goto('/settings#trusted-owners');
  const section = member.getByRole('region', { name: 'Accept without asking' });
  await expect(section.getByRole('listitem')).toContainText('Up to $20.00 a month');
  await section.getByLabel('Always accept from').fill('no-one-here');
  await section.getByRole('button', { name: 'Add' }).click();
  await expect(section).toContainText('Amount must be a number');
  await section.getByLabel('Up to this amount a month').fill('7.50');
  await section.getByRole('button', { name: 'Add' }).click();
  await expect(section).toContainText('User "no-one-here" not found');
  expect(await violationsOn(member)).toEqual([]);
  await section.getByRole('button', { name: 'Remove trust-owner' }).click();
  await expect(section.getByRole('listitem')).toHaveCount(0);
  await section.getByLabel('Always accept from').fill('trust-owner');
  await section.getByRole('button', { name: 'Add' }).click();
  await expect(section.getByRole('listitem')).toHaveText(/trust-owner.*Up to \$7\.50 a month/);
  await expect(section.getByLabel('Always accept from')).toHaveValue('');
  await section.getByRole('button', { name: 'Remove trust-owner' }).click();

  // Asked again.
  const music = (await api(owner, 'POST /api/assets/', { name: 'Music', subscription_cost: 5 })) as { id: number };
  await expect(section.getByRole('listitem')).toHaveCount(0);
  await api(owner, `POST /api/assets/${music.id}/share/`, { username: 'trust-member', monthly_hours_allocated: 5 });
  await member.goto('/shared');
  await expect(card(member, 'Music').getByRole('button', { name: 'Accept Music' })).toBeVisible();
});

test('someone who owns assets sees an offer at the top of the dashboard', async ({ browser, server }) => {
  const { owner, member } = await people(browser, server, 'top');
  await addAsset(member, { name: 'Music', description: '', cost: '5' });
  await shareWith(owner, 'top-member', 20);
  await member.setViewportSize({ width: 390, height: 844 });
  await member.reload();
  const offers = member.getByRole('region', { name: 'Waiting for you' });
  await expect(offers).toContainText('top-owner shares Films');
  await expect(offers).toBeInViewport();
  await expectToFit(member);
  await offers.getByRole('button', { name: 'Details' }).click();
  await expect(dialog(member).getByRole('button', { name: 'Accept Films' })).toBeInViewport();
  await acceptOffers(member);
  await member.goto('/dashboard');
  await expect(offers).toHaveCount(0);
});
