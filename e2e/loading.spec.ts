import { expect, test } from './test.ts';
import { api, ownerAndMember } from './verbs.ts';

// `node bench/page-loads.mjs` also measures bytes and times.

test(
  'a cold dashboard takes at most 20 requests, and reads each list once',
  { tag: '@journey' },
  async ({ browser, server }) => {
    const { owner, member, assetId } = await ownerAndMember(browser, server, 'cold');
    const context = await browser.newContext({
      baseURL: server.url,
      storageState: await member.context().storageState(),
    });
    await member.close();
    const page = await context.newPage();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(`${request.method()} ${request.url()}`));
    const stream = page.waitForResponse((response) => response.url().endsWith('/api/events/'));
    await page.goto('/dashboard');
    await expect(page.getByRole('button', { name: 'Start Session' })).toBeVisible();
    await stream;
    expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(20);
    const reads = () => requests.filter((request) => request.includes('/api/'));
    expect(reads()).toEqual([...new Set(reads())]);
    // What the stream repeats comes before what happens now, which changes only these lists.
    await api(owner, `PATCH /api/assets/${assetId}/`, { name: 'Movies' });
    await expect(page.getByRole('main').getByRole('listitem', { name: 'Movies' })).toBeVisible();
    const others = reads().filter(
      (request) => !/\/api\/(?:assets|shared-assets|statements|notifications)\//.test(request),
    );
    expect(others).toEqual([...new Set(others)]);
  },
);

test('a start shows before the server has answered, and goes back with the reason', async ({ browser, server }) => {
  const { member, shareId } = await ownerAndMember(browser, server, 'slow');
  await member.goto('/dashboard');
  const card = member.getByRole('main').getByRole('listitem', { name: 'Films' });
  const start = card.getByRole('button', { name: 'Start Session' });
  await expect(start).toBeEnabled();
  let answer = () => {};
  const isDue = new Promise<void>((resolve) => (answer = resolve));
  await member.route(`**/api/shared-assets/${shareId}/start/`, async (route) => {
    await isDue;
    await route.fulfill({ status: 503, json: { error: 'Back in a minute.', code: 'unavailable' } });
  });
  await start.click();
  await expect(card.getByRole('timer')).toBeVisible();
  answer();
  await expect(card.getByRole('alert')).toHaveText('Failed to start session: Back in a minute.');
  await expect(card.getByRole('timer')).toHaveCount(0);
  await expect(start).toBeVisible();
  expect(await api(member, 'GET /api/shared-assets/')).toMatchObject({ results: [{ active_session: false }] });
});
