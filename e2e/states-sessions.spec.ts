import type { Page } from '@playwright/test';
import { interrupt, refusal, withoutUpdates } from './interruptions.ts';
import { expect, test } from './test.ts';
import { api, openUsage, ownerAndMember, startSession } from './verbs.ts';

const HOUR = 3_600_000;

const start = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Start Session' }).click();

test(
  "a session that fails to start shows why and doesn't appear active",
  { tag: '@journey' },
  async ({ browser, server }) => {
    const { member } = await ownerAndMember(browser, server, 'start');
    await openUsage(member);
    const dialog = member.getByRole('dialog');
    // Consecutive replies have different alerts, because a stale one could pass for the next.
    for (const [reply, sentence] of [
      [{ status: 502 }, 'Failed to start session: Unknown error'],
      [refusal(503, 'Back in a minute.'), 'Failed to start session: Back in a minute.'],
    ] as const) {
      const mend = await interrupt(member, 'POST /api/shared-assets/{id}/start/', reply);
      await start(member);
      await expect(dialog.getByRole('alert')).toHaveText(sentence);
      await expect(dialog.getByText('Inactive', { exact: true })).toBeVisible();
      await expect(member.getByRole('timer')).toHaveCount(0);
      mend();
    }
    await startSession(member);
    await expect(dialog.getByRole('alert')).toHaveCount(0);
  },
);

test('starting a session that another device has started shows that session and a message', async ({
  browser,
  launch,
}) => {
  const server = await launch();
  const { member, shareId } = await ownerAndMember(browser, server, 'elsewhere');
  await withoutUpdates(member);
  await openUsage(member);
  const dialog = member.getByRole('dialog');
  await expect(dialog.getByText('Inactive', { exact: true })).toBeVisible();
  await api(member, `POST /api/shared-assets/${shareId}/start/`);
  await server.advance(HOUR / 2);
  await start(member);
  await expect(dialog.getByRole('alert')).toHaveText('A session is already running for this asset. Refreshing...');
  await expect(dialog.getByText('Active', { exact: true })).toBeVisible();
  await expect(dialog.getByRole('timer')).toHaveText(/^0:3\d:\d\d$/);
});

test('a session that fails to end stays active in the dialog and on the card', async ({ browser, server }) => {
  const { member } = await ownerAndMember(browser, server, 'end');
  await openUsage(member);
  await startSession(member);
  const mend = await interrupt(member, 'POST /api/shared-assets/{id}/end/', refusal(500, 'Broken.'));
  const dialog = member.getByRole('dialog');
  await dialog.getByRole('button', { name: 'End Session' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Failed to end session');
  await expect(dialog.getByText('Active', { exact: true })).toBeVisible();

  await member.keyboard.press('Escape');
  const card = member.getByRole('main').getByRole('listitem', { name: 'Films' });
  await card.getByRole('button', { name: 'End Session' }).click();
  await expect(card.getByRole('alert')).toHaveText('Failed to end session');
  await expect(card.getByRole('timer')).toBeVisible();
  mend();
  await card.getByRole('button', { name: 'End Session' }).click();
  await expect(card.getByRole('timer')).toHaveCount(0);
});

test("a session of a share with an invalid id isn't ended, and nothing is sent to the server", async ({
  browser,
  server,
}) => {
  const { member, shareId } = await ownerAndMember(browser, server, 'invalid');
  await api(member, `POST /api/shared-assets/${shareId}/start/`);
  const list = await api(member, 'GET /api/shared-assets/');
  const spoiled = JSON.parse(JSON.stringify(list).replace(`"id":${shareId}`, '"id":"none"'));
  await interrupt(member, 'GET /api/shared-assets/', { status: 200, json: spoiled });
  const requests: string[] = [];
  member.on('request', (request) => void (request.method() === 'POST' && requests.push(request.url())));
  await member.reload();
  await member.getByRole('main').getByRole('button', { name: 'End Session', exact: true }).click();
  await expect(member.getByRole('main').getByRole('listitem', { name: 'Films' }).getByRole('alert')).toHaveText(
    'Cannot end session: Invalid asset ID.',
  );
  expect(requests).toEqual([]);
});

test('access that ends while the dialog is open leaves its sessions to edit, and an empty page', async ({
  browser,
  server,
}) => {
  const { owner, member, assetId, shareId } = await ownerAndMember(browser, server, 'vanish');
  await withoutUpdates(member);
  await member.goto('/shared');
  await openUsage(member);
  await api(owner, `DELETE /api/assets/${assetId}/share/${shareId}/`);
  await start(member);
  await expect(member.getByRole('dialog')).toContainText(/Access ended on/);
  await member.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click();
  await expect(member.getByRole('heading', { name: 'No Shared Assets' })).toBeVisible();
});

test('more sessions load on demand, each once, and a failure shows a message', async ({ browser, server }) => {
  const { owner, member, assetId, shareId } = await ownerAndMember(browser, server, 'log');
  for (let session = 1; session <= 52; session += 1) {
    await api(member, `POST /api/shared-assets/${shareId}/start/`);
    await api(member, `POST /api/shared-assets/${shareId}/end/`);
  }
  for (const [page, address, call] of [
    [member, `/shared?share=${shareId}&tab=sessions`, 'GET /api/shared-assets/{id}/logs/'],
    [owner, `/assets?asset=${assetId}&tab=sessions`, 'GET /api/assets/{id}/sessions/'],
  ] as const) {
    await withoutUpdates(page);
    await page.goto(address);
    const rows = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
    await expect(rows).toHaveCount(50);
    const mend = await interrupt(page, call, { status: 400 });
    await page.getByRole('button', { name: 'Load more' }).click();
    await expect(page.getByRole('dialog').getByRole('alert')).toHaveText("Couldn't load sessions");
    await expect(rows).toHaveCount(50);
    mend();
    await page.getByRole('button', { name: 'Load more' }).click();
    await expect(rows).toHaveCount(52);
    await expect(page.getByRole('button', { name: 'Load more' })).toHaveCount(0);
    const starts = await rows.locator('time').evaluateAll((all) => all.map((time) => time.getAttribute('datetime')));
    expect(starts).toEqual(starts.toSorted((left, right) => String(right).localeCompare(String(left))));
    expect(starts.length).toBeGreaterThanOrEqual(52);
  }
});
