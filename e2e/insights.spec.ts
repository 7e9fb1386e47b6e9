import { violationsOn } from './axe.ts';
import { expect, test } from './test.ts';
import { endSession, expectToFit, openUsage, ownerAndMember, startSession } from './verbs.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

test.use({ timezoneId: 'UTC', locale: 'en-US' });

test(
  'members see the pace of a month, and the owner sees insights after it ends',
  { tag: '@journey' },
  async ({ browser, launch }) => {
    // The clock only moves when advanced, so an hour of use is exactly an hour.
    const server = await launch({ CLOCK_STANDS_AT: '2027-01-01T12:00:00Z' });
    const { owner, member, assetId, shareId } = await ownerAndMember(browser, server, 'year');

    await openUsage(member);
    await startSession(member);
    await server.advance(HOUR);
    await endSession(member);
    await member.goto(`/analytics?share=${shareId}`);
    await expect(member.getByText('Usage Statistics')).toBeVisible();
    await expect(member.getByText(/^At this pace/)).toHaveCount(0);

    // January 7, 13:00: 1 h in just over 6.5 days projects to 4–5 h for the month.
    await server.advance(6 * DAY);
    await member.reload();
    await expect(member.getByText(/^At this pace you'll use 4\.\d+ h by /)).toBeVisible();
    await owner.goto(`/analytics`);
    await expect(owner.getByText('Trends appear after the first full month.')).toBeVisible();

    // After the month's end, within the 30 days of a sign-in: 1 h of 20 h was used, and 95% of $12.00 a month went
    // unused.
    await server.advance(26 * DAY);
    await owner.reload();
    const found = owner.getByRole('region', {
      name: '95% of Films hours went unused over 1 month, about $136.80 per year.',
    });
    await found.getByRole('heading', { name: 'Usage and price by month' }).click();
    const ended = owner.getByRole('table', { name: 'Usage and price by month' }).getByRole('row').last();
    await expect(ended.getByRole('cell')).toHaveText(['1 h', '95%', '$12.00']);
    await expect(owner.getByRole('figure', { name: 'Hours by member' })).toBeVisible();
    await expectToFit(owner);
    expect(await violationsOn(owner)).toEqual([]);

    await found.getByRole('link', { name: 'Manage Films' }).click();
    await expect(owner).toHaveURL(`${server.url}/assets?asset=${assetId}&tab=analytics`);
    await owner.getByRole('dialog').getByRole('heading', { name: 'Last 12 months' }).click();
    await expect(owner.getByRole('dialog').getByRole('list', { name: 'Insights' })).toBeVisible();
    await expectToFit(owner);
    expect(await violationsOn(owner)).toEqual([]);
  },
);
