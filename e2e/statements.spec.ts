import type { Page } from '@playwright/test';
import { violationsOn } from './axe.ts';
import { interrupt, refusal, withoutUpdates } from './interruptions.ts';
import { expect, test } from './test.ts';
import { api, expectToFit, ownerAndMember, PASSWORD } from './verbs.ts';

const HOUR = 3_600_000;

test.use({ timezoneId: 'UTC', locale: 'en-US' });

/** Returns the milliseconds to two days before the end of next month in UTC, far enough from the turn of a month. */
function toLastDays(): number {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 1) - 48 * HOUR - now.getTime();
}

/** Returns the month in which the assets below were used, `YYYY-MM`. */
const billedMonth = () => new Date(Date.now() + toLastDays()).toISOString().slice(0, 7);

/** Creates users with names of maximum length, and starts a session of each on every asset. */
async function usedByMany(owner: Page, assetIds: number[], count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const username = `member-${count}-${index}-`.padEnd(30, 'w');
    const account = { username, email: `${username}@example.org`, password: PASSWORD };
    const registered = await owner.request.post('/api/register/', { data: account });
    const { access } = (await registered.json()) as { access: string };
    const headers = { authorization: `Bearer ${access}` };
    for (const id of assetIds)
      await api(owner, `POST /api/assets/${id}/share/`, { username, monthly_hours_allocated: 20 + index });
    const list = await owner.request.get('/api/shared-assets/', { headers });
    const { results } = (await list.json()) as { results: { id: number }[] };
    for (const { id } of results) await owner.request.post(`/api/shared-assets/${id}/start/`, { headers });
  }
}

/** Returns the number of printed pages in each format and theme. */
async function pagesOnPaper(page: Page): Promise<Record<string, number>> {
  const pages: Record<string, number> = {};
  for (const theme of ['light', 'dark'] as const)
    for (const format of ['A4', 'Letter'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await page.evaluate((chosen) => (document.documentElement.dataset['theme'] = chosen), theme);
      const pdf = await page.pdf({ format });
      pages[`${format} ${theme}`] = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
    }
  return pages;
}

/** Returns the text that sticks out of the statement's card. */
const textBeyondCard = (page: Page): Promise<string[]> =>
  page.locator('.statement-paper').evaluate((card) => {
    const { left, right } = card.getBoundingClientRect();
    return [...card.querySelectorAll('tbody *, li *')]
      .filter((part) => {
        const box = part.getBoundingClientRect();
        return box.width > 0 && (box.left < left || box.right > right);
      })
      .map(({ textContent }) => textContent);
  });

const ONE_EACH = { 'A4 light': 1, 'Letter light': 1, 'A4 dark': 1, 'Letter dark': 1 };
const LONG_NAME =
  'Donaudampfschifffahrtsgesellschaft, Bibliothek und Archivzugang für alle Mitglieder des Vereins 2026';

test('a statement prints on one page, with two members and with forty', async ({ browser, launch }) => {
  const server = await launch();
  await server.advance(toLastDays());
  const { owner, member, assetId: small } = await ownerAndMember(browser, server, 'print');
  const add = async (terms: object) =>
    (
      (await api(owner, 'POST /api/assets/', { name: LONG_NAME, subscription_cost: 1234.56, ...terms })) as {
        id: number;
      }
    ).id;
  const large = await add({ owner_hours: 10 });
  const [wordy, few] = [await add({ base_percent: 25 }), await add({ base_percent: 25 })];
  await usedByMany(owner, [large, wordy, few, small], 1);
  await usedByMany(owner, [large, wordy, few], 6);
  await usedByMany(owner, [large, wordy], 33);
  // Sessions end after a day; then the month ends, and the time for changes.
  await server.advance((48 + 73) * HOUR);

  for (const [asset, members] of [
    [small, 2],
    [few, 7],
    [large, 40],
    [wordy, 40],
  ] as const) {
    await owner.goto(`/costs/${asset}/${billedMonth()}`);
    // The heading, the members, the owner, and the total.
    await expect(owner.getByRole('row')).toHaveCount(1 + members + 1 + 1);
    expect(await pagesOnPaper(owner)).toEqual(ONE_EACH);
  }

  // Long names and calculations in another script.
  await owner.evaluate(() => localStorage.setItem('hourshare_language', 'ar'));
  await owner.goto(`/costs/${few}/${billedMonth()}`);
  await owner.emulateMedia({ media: 'screen' });
  await owner.setViewportSize({ width: 320, height: 700 });
  await expect(owner.getByText('طريقة الحساب')).toBeVisible();
  expect(await textBeyondCard(owner)).toEqual([]);

  await member.goto(`/costs/${small}/${billedMonth()}`);
  // Themselves, the others, and the total.
  await expect(member.getByRole('row')).toHaveCount(1 + 1 + 1 + 1);
  expect(await pagesOnPaper(member)).toEqual(ONE_EACH);

  const otherMonths = member.getByRole('navigation', { name: 'Other months' });
  await expect(otherMonths).toBeVisible();
  await member.emulateMedia({ media: 'print' });
  await expect(otherMonths).toBeHidden();
  await member.emulateMedia({ media: 'screen' });
  await otherMonths.getByRole('link').click();
  await expect(member.getByText(/^Estimate/)).toBeVisible();
  await otherMonths.getByRole('link').click();
  await expect(member).toHaveURL(`/costs/${small}/${billedMonth()}`);
  await expectToFit(member);
  expect(await violationsOn(member)).toEqual([]);
});

test('only the statement is printed, in the light theme', async ({ browser, server }) => {
  const { owner, assetId } = await ownerAndMember(browser, server, 'paper');
  await owner.goto(`/costs/${assetId}/${new Date().toISOString().slice(0, 7)}`);
  await expect(owner.getByRole('row')).toHaveCount(4);
  const print = owner.getByRole('button', { name: 'Print' });
  const onScreenOnly = [
    owner.getByRole('banner'),
    owner.getByRole('navigation', { name: 'Main' }).first(),
    owner.getByRole('complementary'),
    print,
    owner.getByRole('button', { name: /^Download CSV/ }),
  ];
  for (const part of onScreenOnly) await expect(part).toBeVisible();
  await expect(owner.getByText('Printed on')).toBeHidden();
  await owner.evaluate(() => {
    document.documentElement.dataset['theme'] = 'dark';
    window.print = () => void (document.title = 'asked to print');
  });
  await print.click();
  await expect(owner).toHaveTitle('asked to print');

  await owner.emulateMedia({ media: 'print', colorScheme: 'dark' });
  for (const part of onScreenOnly) await expect(part).toBeHidden();
  for (const text of ['HourShare', 'Printed on', 'Films', 'paper-member', 'How this was calculated'])
    await expect(owner.getByRole('main').getByText(text).first()).toBeVisible();
  const paper = await owner.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  expect(paper).toMatch(/^(?:oklch\(1|lab\(100) 0 0\)$/);

  // Other pages print without the frame too, and a dialog prints at full length.
  await owner.goto(`/assets?asset=${assetId}&tab=details`);
  const dialog = owner.getByRole('dialog');
  await expect(dialog.getByRole('heading', { name: 'Archive or delete' })).toBeVisible();
  await expect(owner.getByRole('banner', { includeHidden: true })).toBeHidden();
  expect((await dialog.boundingBox())?.height).toBeGreaterThan(720);
});

test('a row leads to its statement, and a missing one shows a message', async ({ browser, server }) => {
  const { owner, member, assetId, shareId } = await ownerAndMember(browser, server, 'sheet');
  await owner.goto('/costs');
  await owner.getByRole('link', { name: 'Films', exact: true }).click();
  await expect(owner).toHaveURL(new RegExp(`/costs/${assetId}/\\d{4}-\\d\\d$`));
  await expect(owner).toHaveTitle(/^Statement for \w+ \d{4}, Films · HourShare$/);
  await expect(owner.getByRole('heading', { level: 1 })).toHaveText('Films');
  await expect(owner.getByRole('row', { name: /^sheet-member 0 h of 20 h \$0\.00$/ })).toBeVisible();
  await expect(owner.getByRole('row', { name: /^Total .*\$12\.00$/ })).toBeVisible();
  expect(await violationsOn(owner)).toEqual([]);
  await owner.setViewportSize({ width: 320, height: 700 });
  expect(await owner.evaluate(() => document.documentElement.scrollWidth)).toBe(320);

  await member.goto(`/shared?share=${shareId}&tab=costs`);
  await member
    .getByRole('dialog')
    .getByRole('link', { name: /^Statement/ })
    .click();
  await expect(member.getByRole('row')).toHaveCount(4);
  await expect(member.getByRole('row', { name: /^Others \$12\.00$/ })).toBeVisible();
  expect(await violationsOn(member)).toEqual([]);

  await withoutUpdates(member);
  const mend = await interrupt(member, 'GET /api/assets/{id}/statements/{month}/', refusal(500, 'Broken.'));
  await member.reload();
  await expect(member.getByRole('alert')).toContainText("Couldn't load the statement. Please try again later.");
  expect(await violationsOn(member)).toEqual([]);
  mend();
  await member.getByRole('button', { name: 'Try again' }).click();
  await expect(member.getByRole('row')).toHaveCount(4);

  for (const address of [`/costs/${assetId}/2001-01`, '/costs/999999/2026-10', '/costs/x/y']) {
    await member.goto(address);
    await expect(member.getByRole('heading', { name: 'Statement not found' })).toBeVisible();
  }
  expect(await violationsOn(member)).toEqual([]);
});
