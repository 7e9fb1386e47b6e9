import type { Page } from '@playwright/test';
import { violationsOn } from './axe.ts';
import type { RunningServer } from './server.ts';
import { expect, test } from './test.ts';
import { hands, namesIn, speak } from './texts.ts';
import {
  acceptOffers,
  api,
  device,
  endSession,
  expectToFit,
  manage,
  openUsage,
  reach,
  register,
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
    await ben.getByRole('button', { name: 'Agree to the new terms of Films' }).press('Enter');
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

// What figures and moments look like in each language.
const WRITTEN = {
  en: {
    began: /Jan 30, 10:00\sAM/,
    asked: /You asked for Jan 30, 10:00\sAM–12:00\sPM\. Waiting for mira\./,
    asks: /ben asks for Jan 30, 10:00\sAM–12:00\sPM\./,
    month: 'January 2027',
    recorded: '$5.00',
    accepted: 'You used 2 h at $1.00 an hour: $2.00.',
  },
  de: {
    began: /30\. Jan\., 10:00/,
    asked: /Du hast um 30\. Jan\., 10:00–12:00 gebeten\. Es fehlt noch: mira\./,
    asks: /ben bittet um 30\. Jan\., 10:00–12:00\./,
    month: 'Januar 2027',
    recorded: /5,00\s\$/,
    accepted: /Du hast 2\s\S+ zu 1,00\s\$ pro Stunde genutzt: 2,00\s\$\./,
  },
};

for (const { language, scheme, keyboard } of [
  { language: 'en', scheme: 'light', keyboard: false },
  { language: 'de', scheme: 'dark', keyboard: true },
] as const)
  test(
    `a member asks to edit a session after its month ended, and the owner accepts (${language}, ${scheme}${keyboard ? ', by keyboard' : ''})`,
    { tag: keyboard ? [] : '@journey' },
    async ({ browser, launch }) => {
      const t = namesIn(language);
      const { press, openTab } = hands(keyboard);
      const written = WRITTEN[language];
      const month = { month: written.month };
      const server = await launch({ CLOCK_STANDS_AT: NEW_YEAR });
      const [mira, ben] = [
        await device(browser, server, { colorScheme: scheme }),
        await device(browser, server, { colorScheme: scheme }),
      ];
      const moveClocksTo = clocks(server, [mira, ben]);
      await moveClocksTo(NEW_YEAR);
      for (const [page, name] of [
        [mira, 'mira'],
        [ben, 'ben'],
      ] as const) {
        await register(page, name);
        await speak(page, language);
      }
      const films = await shareFilms(mira, { ben });
      const [own, owners] = [ben.getByRole('dialog'), mira.getByRole('dialog')];

      await ben.goto('/shared');
      await expect(ben.locator('html')).toHaveAttribute('lang', language);
      const usage = new RegExp(`^(${t('Track Usage')}|${t('Manage Usage')})`);
      await press(ben, ben.getByRole('button', { name: usage }).first());
      const [start, end] = [t('Start Session'), t('End Session')].map((name) => own.getByRole('button', { name }));
      if (!start || !end) throw new Error('There are no buttons.');
      await moveClocksTo('2027-01-30T10:00Z');
      await press(ben, start);
      await expect(end).toBeEnabled();
      await moveClocksTo('2027-01-30T15:00Z');
      await press(ben, end);
      await expect(start).toBeEnabled();

      // The 5 h at $1.00 count until Mira accepts 2 h, and she can't close the month before.
      await moveClocksTo('2027-02-01T12:00Z');
      await ben.reload();
      await openTab(ben, t('Sessions'));
      await press(ben, own.getByRole('button', { name: written.began }));
      const endTime = own.getByLabel(t('End [[time]]'), { exact: true });
      if (keyboard) await reach(ben, endTime);
      await endTime.fill('12:00');
      await press(ben, own.getByRole('button', { name: t('Save'), exact: true }));
      await expect(endTime).toBeHidden();
      await expect(own).toContainText(written.asked);
      await expectAccessible(ben);
      const asked = await openStatement(mira, films, '2027-01');
      await expect(asked.getByRole('row', { name: /^ben/ })).toContainText(written.recorded);
      await expect(asked).toContainText(t('Waiting for an answer. Without one, the recorded times count.'));
      const closeNow = t('Close now<hidden> for {month}</hidden>', month);
      await expect(asked.getByRole('button', { name: closeNow })).toBeDisabled();

      await mira.goto('/assets');
      await press(mira, mira.getByRole('button', { name: t('Manage') }).first());
      await openTab(mira, t('Sessions'));
      await expect(owners).toContainText(written.asks);
      await expectAccessible(mira);
      const accept = new RegExp(`^${t('Accept<hidden> {asset}</hidden>').split(' ')[0]}`);
      await press(mira, owners.getByRole('button', { name: accept }));
      await expect(owners.getByRole('button', { name: accept })).toHaveCount(0);
      await ben.reload();
      await openTab(ben, t('Costs'));
      await press(ben, own.getByRole('button', { name: t('Nothing to edit<hidden> in {month}</hidden>', month) }));
      await expect(own.getByText(t('You have nothing to edit'), { exact: true })).toBeVisible();
      await mira.goto('/assets');
      await press(mira, mira.getByRole('button', { name: t('Manage') }).first());
      await openTab(mira, t('Costs'));
      await openTab(mira, t('History [[costs]]'));
      const ended = owners.getByRole('region', { name: t('Past months') });
      await press(mira, ended.locator('summary').filter({ hasText: written.month }));
      await press(mira, ended.getByRole('button', { name: closeNow }));
      const question = mira.getByRole('alertdialog', { name: t('Close {month} now?', month) });
      await press(mira, question.getByRole('button', { name: t('Close now') }));
      await expect(question).toBeHidden();

      const statement = await openStatement(ben, films, '2027-01');
      await expect(statement).toContainText(written.accepted);
      await expect(statement).toContainText(t('The request was accepted.'));
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
