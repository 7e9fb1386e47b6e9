import { expect, test } from './test.ts';
import { api, ownerAndMember } from './verbs.ts';

// `node bench/page-loads.mjs` also measures bytes and times.

const SLOW_3G = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };

test(
  'a cold dashboard takes at most 20 requests, and reads each list once',
  { tag: '@journey' },
  async ({ browser, server }) => {
    const { member } = await ownerAndMember(browser, server, 'cold');
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
    // As long as it would take to read again what the stream repeats.
    await page.waitForTimeout(1_000);
    expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(20);
    const reads = requests.filter((request) => request.includes('/api/'));
    expect(reads).toEqual([...new Set(reads)]);
  },
);

test('on a slow network, a start shows before the server has answered, and goes back with the reason', async ({
  browser,
  server,
}) => {
  const { member, shareId } = await ownerAndMember(browser, server, 'slow');
  await member.goto('/dashboard');
  const card = member.getByRole('main').getByRole('listitem', { name: 'Films' });
  const start = card.getByRole('button', { name: 'Start Session' });
  await expect(start).toBeEnabled();
  const answered: string[] = [];
  let answer = () => {};
  const isDue = new Promise<void>((resolve) => (answer = resolve));
  await member.route(`**/api/shared-assets/${shareId}/start/`, async (route) => {
    await isDue;
    answered.push(route.request().url());
    await route.fulfill({ status: 503, json: { error: 'Back in a minute.', code: 'unavailable' } });
  });
  const cdp = await member.context().newCDPSession(member);
  await cdp.send('Network.enable');
  await cdp.send('Network.emulateNetworkConditions', SLOW_3G);
  await start.click();
  await expect(card.getByRole('timer')).toBeVisible();
  expect(answered).toEqual([]);
  answer();
  await expect(card.getByRole('alert')).toHaveText('Failed to start session: Back in a minute.');
  await expect(card.getByRole('timer')).toHaveCount(0);
  await expect(start).toBeVisible();
  await cdp.send('Network.emulateNetworkConditions', {
    ...SLOW_3G,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
  expect(await api(member, 'GET /api/shared-assets/')).toMatchObject({ results: [{ active_session: false }] });
});
