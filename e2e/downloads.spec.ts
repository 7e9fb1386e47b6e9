import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { interrupt, refusal, withoutUpdates } from './interruptions.ts';
import { expect, test } from './test.ts';
import { api, ownerAndMember } from './verbs.ts';

test.use({ locale: 'en-US' });

/** Clicks a download button. Returns the file's name and lines. */
const download = (page: Page, subject: string) =>
  save(page, () => page.getByRole('button', { name: `Download CSV of ${subject}` }).click());

async function save(page: Page, ask: () => Promise<void>): Promise<{ name: string; lines: string[] }> {
  const started = page.waitForEvent('download');
  await ask();
  const saved = await started;
  const text = await readFile(await saved.path(), 'utf8');
  return { name: saved.suggestedFilename(), lines: text.slice(1, -2).split('\r\n') };
}

test('tables and charts download as spreadsheet files', { tag: '@journey' }, async ({ browser, server }) => {
  const { owner, member, assetId, shareId } = await ownerAndMember(browser, server, 'csv');
  const complaints: string[] = [];
  for (const page of [owner, member])
    page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
  await api(owner, `PATCH /api/assets/${assetId}/`, { name: '=HYPERLINK("https://example.org")' });
  for (let count = 0; count < 3; count++)
    for (const action of ['start', 'end']) await api(member, `POST /api/shared-assets/${shareId}/${action}/`);
  const cell = `"'=HYPERLINK(""https://example.org"")"`;

  await member.goto(`/shared?share=${shareId}&tab=sessions`);
  const own = await download(member, 'all sessions');
  expect(own.name).toBe('sessions-hyperlink-https-example-org.csv');
  expect(own.lines[0]).toBe('asset_name,start_time,end_time,duration_minutes,added_late,source');
  expect(own.lines.slice(1).map((line) => line.startsWith(`${cell},20`))).toEqual([true, true, true]);
  await member.goto(`/shared?share=${shareId}&tab=costs`);
  expect((await download(member, 'all months')).lines).toHaveLength(2);

  await owner.goto(`/assets?asset=${assetId}&tab=sessions`);
  expect((await download(owner, 'all sessions')).lines.map((line) => line.includes(',csv-member,'))).toEqual([
    false,
    true,
    true,
    true,
  ]);
  await owner.goto(`/assets?asset=${assetId}&tab=costs&part=history`);
  expect((await download(owner, 'all months')).lines).toHaveLength(3);
  await owner.goto('/costs');
  const month = await save(owner, async () => {
    await owner.getByRole('button', { name: 'Download CSV' }).click();
    await owner.getByRole('menuitem', { name: /^Costs for/ }).click();
  });
  expect(month.name).toMatch(/^statements-\d{4}-\d\d\.csv$/);
  expect(month.lines).toHaveLength(3);
  expect(complaints).toEqual([]);
});

test('a download refreshes an expired token, and reports a failure', async ({ browser, server }) => {
  const { member, shareId } = await ownerAndMember(browser, server, 'csv-late');
  for (const action of ['start', 'end']) await api(member, `POST /api/shared-assets/${shareId}/${action}/`);
  await withoutUpdates(member);
  await member.goto(`/shared?share=${shareId}&tab=sessions`);
  await expect(member.getByRole('button', { name: /^Download CSV/ })).toBeVisible();

  await member.evaluate(() => localStorage.setItem('access_token', 'stale'));
  expect((await download(member, 'all sessions')).lines).toHaveLength(2);

  const stop = await interrupt(
    member,
    'GET /api/shared-assets/{id}/logs/',
    refusal(500, 'Something went wrong on the server.'),
  );
  await member.getByRole('button', { name: /^Download CSV/ }).click();
  await expect(member.getByRole('alert')).toHaveText("Couldn't download the file. Please try again.");
  stop();
  expect((await download(member, 'all sessions')).lines).toHaveLength(2);
  await expect(member.getByRole('alert')).toHaveCount(0);
});
