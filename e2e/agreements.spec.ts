import type { Locator, Page } from '@playwright/test';
import { violationsOn } from './axe.ts';
import type { RunningServer } from './server.ts';
import { expect, test } from './test.ts';
import { acceptOffers, api, expectToFit, reach } from './verbs.ts';
import { going, type Way, WAYS } from './ways.ts';

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

/** Uses the only asset that is shared with a page's user, from its dialog. Leaves that open. */
async function useFor(
  page: Page,
  way: Way,
  times: { from: string; to: string },
  moveClocksTo: (at: string) => Promise<void>,
) {
  const { t, press } = going(way);
  const button = (name: string) => page.getByRole('dialog').getByRole('button', { name: t(name) });
  await page.goto('/shared');
  const usage = new RegExp(`^(${t('Track Usage')}|${t('Manage Usage')})`);
  await press(page, page.getByRole('button', { name: usage }).first());
  await moveClocksTo(times.from);
  await press(page, button('Start Session'));
  // Before the server has answered, moving its clock would move what was pressed.
  await expect(button('End Session')).toBeEnabled();
  await moveClocksTo(times.to);
  await press(page, button('End Session'));
  await expect(button('Start Session')).toBeEnabled();
}

/** On an owner's page. Opens a tab of their only asset's dialog. */
async function manage(page: Page, way: Way, ...tabs: string[]): Promise<Locator> {
  const { t, press, openTab } = going(way);
  await page.goto('/assets');
  await press(page, page.getByRole('button', { name: t('Manage') }).first());
  for (const tab of tabs) await openTab(page, t(tab));
  return page.getByRole('dialog');
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

for (const way of WAYS)
  test(
    `the price rises, one agrees, another never answers, and the owner covers the difference (${way.name})`,
    { tag: way.tag },
    async ({ browser, launch }) => {
      const { t, money, hours, press, write, openTab, arrive, expectShown } = going(way);
      const server = await launch({ CLOCK_STANDS_AT: NEW_YEAR });
      const mira = await arrive(browser, server, 'mira');
      const ben = await arrive(browser, server, 'ben');
      const ana = await arrive(browser, server, 'ana');
      const moveClocksTo = clocks(server, [mira, ben, ana]);
      await moveClocksTo(NEW_YEAR);
      // Ben agrees to 20 ÷ 20 = $1.00 an hour, Ana, with whom there are 40 h, to $0.50.
      const films = await shareFilms(mira, { ben, ana });

      // Both are asked about 50 ÷ 40 = $1.25.
      await moveClocksTo('2027-01-20T12:00Z');
      const dialog = await manage(mira, way, 'Costs');
      await openTab(mira, t('Price'));
      await write(mira, dialog.getByLabel(t('New monthly price')), way.language === 'de' ? '50,00' : '50.00');
      await press(mira, dialog.getByRole('button', { name: t('Save Changes') }));
      const month = new Intl.DateTimeFormat(way.language, { month: 'long', year: 'numeric', timeZone: 'UTC' });
      const january = month.format(Date.parse(NEW_YEAR));
      const saved = t('{price} per month starting {month}.', { price: money(50), month: january });
      await expect(mira.getByText(saved)).toBeVisible();
      const question = (page: Page) =>
        page.getByRole('group', { name: t('Question about {asset}', { asset: 'Films' }) });
      for (const [page, before] of [
        [ben, 1],
        [ana, 0.5],
      ] as const) {
        await page.goto('/shared');
        const asked = t('An hour now costs {now} instead of {before}.', { now: money(1.25), before: money(before) });
        const meanwhile = t('Until you agree, {owner} covers the difference.', { owner: 'mira' });
        await expect(question(page)).toContainText(`${asked}${meanwhile}`);
        await expectShown(page);
        await expectAccessible(page);
      }
      const agree = t('Agree<hidden> to the new terms of {asset}</hidden>', { asset: 'Films' });
      await press(ben, ben.getByRole('button', { name: agree }));
      await expect(question(ben)).toHaveCount(0);

      // In February, each uses 10 h.
      for (const [page, day] of [
        [ben, '10'],
        [ana, '11'],
      ] as const)
        await useFor(page, way, { from: `2027-02-${day}T08:00Z`, to: `2027-02-${day}T18:00Z` }, moveClocksTo);
      const covers = (asked: 'yes' | 'no') =>
        t('You cover {amount} for {name}{asked, select, yes { until {name} agrees} other {}}.', {
          amount: money(7.5),
          name: 'ana',
          asked,
        });
      const running = await openStatement(mira, films, '2027-02');
      await expect(running).toContainText(covers('yes'));
      await expectShown(mira);
      await expectAccessible(mira);

      // Ben pays 10 × 1.25, Ana 10 × 0.50, and Mira 50 − 12.50 − 5.
      await moveClocksTo('2027-03-05T12:00Z');
      const statement = await openStatement(mira, films, '2027-02');
      for (const [name, amount] of [
        ['ben', 12.5],
        ['ana', 5],
        ['mira', 32.5],
        [t('Total'), 50],
      ] as const)
        await expect(statement.getByRole('row', { name: new RegExp(`^${name}`) })).toContainText(money(amount));
      await expect(statement).toContainText(covers('no'));
      await expect(statement).toContainText(`${money(50)} − ${money(5)} − ${money(12.5)} = ${money(32.5)}`);
      const used = { you: 'yes', used: hours(10) };
      await expect(await openStatement(ben, films, '2027-02')).toContainText(
        t('{you, select, yes {You} other {{name}}} used {used} at {rate} an hour: {amount}.', {
          ...used,
          rate: money(1.25),
          amount: money(12.5),
        }),
      );
      await expect(await openStatement(ana, films, '2027-02')).toContainText(
        t('{you, select, yes {You} other {{name}}} used {used} and agreed to {rate} an hour: {amount}.', {
          ...used,
          rate: money(0.5),
          amount: money(5),
        }),
      );
      await expectAccessible(ana);
    },
  );

// What moments look like in each language.
const WRITTEN = {
  en: {
    began: /Jan 30, 10:00\sAM/,
    asked: /You asked for Jan 30, 10:00\sAM–12:00\sPM\. Waiting for mira\./,
    asks: /ben asks for Jan 30, 10:00\sAM–12:00\sPM\./,
    month: 'January 2027',
  },
  de: {
    began: /30\. Jan\., 10:00/,
    asked: /Du hast um 30\. Jan\., 10:00–12:00 gebeten\. Es fehlt noch: mira\./,
    asks: /ben bittet um 30\. Jan\., 10:00–12:00\./,
    month: 'Januar 2027',
  },
};

for (const way of WAYS)
  test(
    `a member asks to edit a session after its month ended, and the owner accepts (${way.name})`,
    { tag: way.tag },
    async ({ browser, launch }) => {
      const { t, money, hours, press, openTab, arrive, expectShown } = going(way);
      const written = WRITTEN[way.language];
      const month = { month: written.month };
      const server = await launch({ CLOCK_STANDS_AT: NEW_YEAR });
      const mira = await arrive(browser, server, 'mira');
      const ben = await arrive(browser, server, 'ben');
      const moveClocksTo = clocks(server, [mira, ben]);
      await moveClocksTo(NEW_YEAR);
      const films = await shareFilms(mira, { ben });
      const [own, owners] = [ben.getByRole('dialog'), mira.getByRole('dialog')];
      await useFor(ben, way, { from: '2027-01-30T10:00Z', to: '2027-01-30T15:00Z' }, moveClocksTo);
      await expectShown(ben);

      // The 5 h at $1.00 count until Mira accepts 2 h, and she can't close the month before.
      await moveClocksTo('2027-02-01T12:00Z');
      await ben.reload();
      await openTab(ben, t('Sessions'));
      await press(ben, own.getByRole('button', { name: written.began }));
      const endTime = own.getByLabel(t('End [[time]]'), { exact: true });
      if (way.keyboard) await reach(ben, endTime);
      await endTime.fill('12:00');
      await press(ben, own.getByRole('button', { name: t('Save'), exact: true }));
      await expect(endTime).toBeHidden();
      await expect(own).toContainText(written.asked);
      await expectAccessible(ben);
      const asked = await openStatement(mira, films, '2027-01');
      await expect(asked.getByRole('row', { name: /^ben/ })).toContainText(money(5));
      await expect(asked).toContainText(t('Waiting for an answer. Without one, the recorded times count.'));
      const closeNow = t('Close now<hidden> for {month}</hidden>', month);
      await expect(asked.getByRole('button', { name: closeNow })).toBeDisabled();

      await manage(mira, way, 'Sessions');
      await expect(owners).toContainText(written.asks);
      await expectAccessible(mira);
      const accept = new RegExp(`^${t('Accept<hidden> {asset}</hidden>').split(' ')[0]}`);
      await press(mira, owners.getByRole('button', { name: accept }));
      await expect(owners.getByRole('button', { name: accept })).toHaveCount(0);
      await ben.reload();
      await openTab(ben, t('Costs'));
      await press(ben, own.getByRole('button', { name: t('Nothing to edit<hidden> in {month}</hidden>', month) }));
      await expect(own.getByText(t('You have nothing to edit'), { exact: true })).toBeVisible();
      await manage(mira, way, 'Costs', 'History [[costs]]');
      const ended = owners.getByRole('region', { name: t('Past months') });
      await press(mira, ended.locator('summary').filter({ hasText: written.month }));
      await press(mira, ended.getByRole('button', { name: closeNow }));
      const question = mira.getByRole('alertdialog', { name: t('Close {month} now?', month) });
      await press(mira, question.getByRole('button', { name: t('Close now') }));
      await expect(question).toBeHidden();

      const statement = await openStatement(ben, films, '2027-01');
      await expect(statement).toContainText(
        t('{you, select, yes {You} other {{name}}} used {used} at {rate} an hour: {amount}.', {
          you: 'yes',
          used: hours(2),
          rate: money(1),
          amount: money(2),
        }),
      );
      await expect(statement).toContainText(t('The request was accepted.'));
      await expectAccessible(ben);
    },
  );

for (const way of WAYS)
  test(
    `an owner who uses an AI plan, too, pays by the share of use (${way.name})`,
    { tag: way.tag },
    async ({ browser, launch }) => {
      const { t, money, hours, press, write, choose, arrive, expectShown } = going(way);
      const server = await launch({ CLOCK_STANDS_AT: NEW_YEAR });
      const mira = await arrive(browser, server, 'mira');
      const ana = await arrive(browser, server, 'ana');
      const moveClocksTo = clocks(server, [mira, ana]);
      await moveClocksTo(NEW_YEAR);

      await mira.goto('/assets');
      await press(mira, mira.getByRole('button', { name: t('Add New Asset') }).first());
      const dialog = mira.getByRole('dialog');
      const tile = await choose(mira, t('AI or software plan'));
      await expect(tile).toHaveAccessibleDescription(t('Everyone pays by their share of use, including you.'));
      await write(mira, dialog.getByLabel(t('Asset Name')), 'Research plan');
      const price = dialog.getByLabel(t('Monthly Subscription Cost ({symbol})', { symbol: '$' }));
      await write(mira, price, way.language === 'de' ? '15,99' : '15.99');
      await press(mira, dialog.getByRole('button', { name: t('Create Asset') }));
      await expect(dialog).toBeHidden();
      await manage(mira, way, 'Share [[tab]]');
      await write(mira, dialog.getByLabel(t('Username')), 'ana');
      await write(mira, dialog.getByLabel(t('Monthly Hours')), '10');
      await press(mira, dialog.getByRole('button', { name: t('Share Asset') }));
      const allowance = t('{hours, plural, one {# hour} other {# hours}}/month', { hours: '10' });
      await expect(dialog.getByText(allowance)).toBeVisible();
      await acceptOffers(ana);
      const { results } = (await api(mira, 'GET /api/assets/')) as { results: { id: number }[] };
      const plan = results[0]?.id ?? 0;

      // Mira uses 14 h from her card, Ana 2 h.
      const card = mira.getByRole('listitem', { name: 'Research plan' });
      const [start, end] = (['Start Session', 'End Session'] as const).map((name) =>
        card.getByRole('button', { name: t(name) }),
      ) as [Locator, Locator];
      await moveClocksTo('2027-01-10T06:00Z');
      await mira.goto('/assets');
      await press(mira, start);
      await expect(end).toBeEnabled();
      await expectShown(mira);
      await expectAccessible(mira);
      await moveClocksTo('2027-01-10T20:00Z');
      await press(mira, end);
      // Before the server has answered, moving its clock would move the end.
      await expect(start).toBeEnabled();
      await expect(card.getByRole('listitem').filter({ hasText: t('You') })).toContainText(hours(14));
      await useFor(ana, way, { from: '2027-01-11T10:00Z', to: '2027-01-11T12:00Z' }, moveClocksTo);

      // Ana pays 15.99 × 2 ÷ 16 = 1.99875, rounded to 2.00. That is less than 2 h at 15.99 ÷ 10 h, the limit.
      await moveClocksTo('2027-02-05T12:00Z');
      const statement = await openStatement(mira, plan, '2027-01');
      await expect(statement).toContainText(`${hours(2)} × ${money(15.99)} ÷ ${hours(16)} = ${money(2)}`);
      await expect(statement).toContainText(`${money(15.99)} − ${money(2)} = ${money(13.99)}`);
      await expectAccessible(mira);
      await expect(await openStatement(ana, plan, '2027-01')).toContainText(
        t('{you, select, yes {You} other {{name}}} used {used} of the {everyone} everyone used: {amount} of {price}.', {
          you: 'yes',
          used: hours(2),
          everyone: hours(16),
          amount: money(2),
          price: money(15.99),
        }),
      );
      await expectShown(ana);
      await expectAccessible(ana);
    },
  );
