import type { Page } from '@playwright/test';
import { violationsOn } from './axe.ts';
import type { RunningServer } from './server.ts';
import { expect, test } from './test.ts';
import {
  acceptOffers,
  api,
  closeMonth,
  correctEnd,
  device,
  endSession,
  expectToFit,
  manage,
  openUsage,
  register,
  sayNothingToEdit,
  setPrice,
  shareWith,
  startSession,
} from './verbs.ts';

// What a month costs depends on what each member said yes to, through the screens.

test.use({ timezoneId: 'UTC', locale: 'en-US', contextOptions: { reducedMotion: 'reduce' } });

const NEW_YEAR = '2027-01-01T09:00Z';

/** Returns how to move the clocks of the server and of devices forward from New Year to a moment. */
function clocks(server: RunningServer, pages: Page[]): (moment: string) => Promise<void> {
  let now = NEW_YEAR;
  return async (moment) => {
    await server.advance(Date.parse(moment) - Date.parse(now));
    now = moment;
    for (const page of pages) await page.context().clock.setFixedTime(moment);
  };
}

async function expectAccessible(page: Page) {
  await expectToFit(page);
  expect(await violationsOn(page)).toEqual([]);
}

/** Opens a month's statement. */
async function openStatement(page: Page, assetId: number, month: string) {
  await page.goto(`/costs/${assetId}/${month}`);
  return page.getByRole('article');
}

/** Adds "Films" for 20 dollars, and shares 20 hours a month with each member, who accept in this order. */
async function shareFilms(owner: Page, members: Record<string, Page>): Promise<number> {
  const { id } = (await api(owner, 'POST /api/assets/', { name: 'Films', subscription_cost: 20 })) as { id: number };
  for (const [username, page] of Object.entries(members)) {
    await api(owner, `POST /api/assets/${id}/share/`, { username, monthly_hours_allocated: 20 });
    await acceptOffers(page);
  }
  return id;
}

test(
  'the price rises, one agrees, another never answers, and the owner covers the difference',
  { tag: '@journey' },
  async ({ browser, launch }) => {
    const server = await launch({ CLOCK_STANDS_AT: NEW_YEAR });
    const [mira, ben, ana] = [
      await device(browser, server),
      await device(browser, server),
      await device(browser, server),
    ];
    const moveClocksTo = clocks(server, [mira, ben, ana]);
    await moveClocksTo(NEW_YEAR);
    for (const [page, name] of [
      [mira, 'mira'],
      [ben, 'ben'],
      [ana, 'ana'],
    ] as const)
      await register(page, name);
    // Ben agrees to 20 ÷ 20 = $1.00 an hour, Ana, with whom there are 40 h, to $0.50.
    const films = await shareFilms(mira, { ben, ana });

    // Both are asked about 50 ÷ 40 = $1.25.
    await moveClocksTo('2027-01-20T12:00Z');
    await mira.goto('/assets');
    await setPrice(await manage(mira, 'Costs'), '50.00');
    for (const [page, before] of [
      [ben, '$1.00'],
      [ana, '$0.50'],
    ] as const) {
      await page.goto('/shared');
      await expect(page.getByRole('group', { name: 'Question about Films' })).toContainText(
        `An hour now costs $1.25 instead of ${before}.Until you agree, mira covers the difference.`,
      );
      await expectAccessible(page);
    }
    await ben.getByRole('button', { name: 'Agree to the new price of Films' }).press('Enter');
    await expect(ben.getByRole('group', { name: 'Question about Films' })).toHaveCount(0);

    // In February, each uses 10 h.
    for (const [page, day] of [
      [ben, '10'],
      [ana, '11'],
    ] as const) {
      await moveClocksTo(`2027-02-${day}T08:00Z`);
      await page.goto('/shared');
      await openUsage(page);
      await startSession(page);
      await moveClocksTo(`2027-02-${day}T18:00Z`);
      await endSession(page);
    }
    const running = await openStatement(mira, films, '2027-02');
    await expect(running).toContainText('You cover $7.50 for ana until ana agrees.');
    await expectAccessible(mira);

    // Ben pays 10 × 1.25, Ana 10 × 0.50, and Mira 50 − 12.50 − 5.
    await moveClocksTo('2027-03-05T12:00Z');
    const statement = await openStatement(mira, films, '2027-02');
    for (const [name, amount] of [
      ['ben', '$12.50'],
      ['ana', '$5.00'],
      ['mira', '$32.50'],
      ['Total', '$50.00'],
    ] as const)
      await expect(statement.getByRole('row', { name: new RegExp(`^${name}`) })).toContainText(amount);
    await expect(statement).toContainText('You cover $7.50 for ana.');
    await expect(statement).toContainText('$50.00 − $5.00 − $12.50 = $32.50');
    await expect(await openStatement(ben, films, '2027-02')).toContainText('You used 10 h at $1.25 an hour: $12.50.');
    await expect(await openStatement(ana, films, '2027-02')).toContainText(
      'You used 10 h and agreed to $0.50 an hour: $5.00.',
    );
    await expectAccessible(ana);
  },
);

test(
  'a member asks to edit a session after its month ended, and the owner accepts',
  { tag: '@journey' },
  async ({ browser, launch }) => {
    const server = await launch({ CLOCK_STANDS_AT: NEW_YEAR });
    const [mira, ben] = [await device(browser, server), await device(browser, server)];
    const moveClocksTo = clocks(server, [mira, ben]);
    await moveClocksTo(NEW_YEAR);
    for (const [page, name] of [
      [mira, 'mira'],
      [ben, 'ben'],
    ] as const)
      await register(page, name);
    const films = await shareFilms(mira, { ben });

    await ben.goto('/shared');
    await openUsage(ben);
    await moveClocksTo('2027-01-30T10:00Z');
    await startSession(ben);
    await moveClocksTo('2027-01-30T15:00Z');
    await endSession(ben);

    // The 5 h at $1.00 count until Mira accepts 2 h, and she can't close the month before.
    await moveClocksTo('2027-02-01T12:00Z');
    await ben.reload();
    await correctEnd(ben, /^Edit the session from Jan 30, 10:00\sAM$/, '2027-01-30T12:00');
    await expect(ben.getByRole('dialog')).toContainText(
      /You asked for Jan 30, 10:00\sAM–12:00\sPM\. Waiting for mira\./,
    );
    await expectAccessible(ben);
    const asked = await openStatement(mira, films, '2027-01');
    await expect(asked.getByRole('row', { name: /^ben/ })).toContainText('$5.00');
    await expect(asked).toContainText('Waiting for an answer. Without one, the recorded times count.');
    await expect(asked.getByRole('button', { name: 'Close now for January 2027' })).toBeDisabled();

    await mira.goto('/assets');
    const sessions = await manage(mira, 'Sessions');
    await expect(sessions).toContainText(/ben asks for Jan 30, 10:00\sAM–12:00\sPM\./);
    await expectAccessible(mira);
    await sessions.getByRole('button', { name: /^Accept ben's edit of the session from Jan 30/ }).press('Enter');
    await expect(sessions.getByRole('button', { name: /^Accept/ })).toHaveCount(0);
    await ben.reload();
    await ben.getByRole('dialog').getByRole('tab', { name: 'Costs' }).click();
    await sayNothingToEdit(ben, 'January 2027');
    await mira.goto('/assets');
    await manage(mira, 'Costs');
    await closeMonth(mira, 'January 2027');

    const statement = await openStatement(ben, films, '2027-01');
    await expect(statement).toContainText('You used 2 h at $1.00 an hour: $2.00.');
    await expect(statement).toContainText('The request was accepted.');
    await expectAccessible(ben);
  },
);

test(
  'an owner who uses an AI plan, too, pays by the share of use',
  { tag: '@journey' },
  async ({ browser, launch }) => {
    const server = await launch({ CLOCK_STANDS_AT: NEW_YEAR });
    const [mira, ana] = [await device(browser, server), await device(browser, server)];
    const moveClocksTo = clocks(server, [mira, ana]);
    await moveClocksTo(NEW_YEAR);
    for (const [page, name] of [
      [mira, 'mira'],
      [ana, 'ana'],
    ] as const)
      await register(page, name);

    await mira.getByRole('button', { name: 'Add New Asset' }).first().click();
    const dialog = mira.getByRole('dialog', { name: 'Add New Asset' });
    await dialog.getByText('AI or software plan').click();
    await expect(dialog.getByRole('radio', { name: 'AI or software plan' })).toHaveAccessibleDescription(
      'Everyone pays by their share of use, including you.',
    );
    await dialog.getByLabel('Asset Name').fill('Research plan');
    await dialog.getByLabel('Monthly Subscription Cost ($)').fill('15.99');
    await dialog.getByRole('button', { name: 'Create Asset' }).click();
    await expect(dialog).toBeHidden();
    await shareWith(mira, 'ana', 10);
    await acceptOffers(ana);
    const { results } = (await api(mira, 'GET /api/assets/')) as { results: { id: number }[] };
    const plan = results[0]?.id ?? 0;

    // Mira uses 14 h from her card, Ana 2 h.
    const card = mira.getByRole('listitem', { name: 'Research plan' });
    await moveClocksTo('2027-01-10T06:00Z');
    await mira.reload();
    await card.getByRole('button', { name: 'Start Session' }).press('Enter');
    await expect(card.getByRole('button', { name: 'End Session' })).toBeEnabled();
    await expectAccessible(mira);
    await moveClocksTo('2027-01-10T20:00Z');
    await card.getByRole('button', { name: 'End Session' }).press('Enter');
    // Before the server has answered, moving its clock would move the end.
    await expect(card.getByRole('button', { name: 'Start Session' })).toBeEnabled();
    await expect(card.getByRole('listitem').filter({ hasText: 'You' })).toContainText('14 h');
    await moveClocksTo('2027-01-11T10:00Z');
    await ana.goto('/shared');
    await openUsage(ana);
    await startSession(ana);
    await moveClocksTo('2027-01-11T12:00Z');
    await endSession(ana);

    // Ana pays 15.99 × 2 ÷ 16 = 1.99875, rounded to 2.00. That is less than 2 h at 15.99 ÷ 10 h, the limit.
    await moveClocksTo('2027-02-05T12:00Z');
    const statement = await openStatement(mira, plan, '2027-01');
    await expect(statement).toContainText('2 h × $15.99 ÷ 16 h = $2.00');
    await expect(statement).toContainText('$15.99 − $2.00 = $13.99');
    await expectAccessible(mira);
    await expect(await openStatement(ana, plan, '2027-01')).toContainText(
      'You used 2 h of the 16 h everyone used: $2.00 of $15.99.',
    );
  },
);
