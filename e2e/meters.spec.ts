import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { violationsOn } from './axe.ts';
import { expect, test } from './test.ts';
import { expectToFit, ownerAndMember } from './verbs.ts';

const HOUR = 3_600_000;

async function expectAccessible(page: Page): Promise<void> {
  await expectToFit(page);
  expect(await violationsOn(page)).toEqual([]);
}

/** Runs a pasted command in a shell. Returns what became of the event. */
async function paste(line: string): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', ['-c', `${line} -sS`]);
  const { results } = JSON.parse(stdout) as { results: { result: string; reason: string | null }[] };
  return results.map(({ result, reason }) => (reason === null ? result : `${result}: ${reason}`)).join();
}

test('an owner adds a meter, it records a member who agrees, and no longer when they take it back', async ({
  browser,
  launch,
}) => {
  const server = await launch();
  const { owner, member, assetId, shareId } = await ownerAndMember(browser, server, 'meter');
  await owner.goto(`/assets?asset=${assetId}&tab=details`);
  const dialog = owner.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Show', description: 'Meters' }).click();
  await dialog.getByRole('button', { name: 'Add a meter' }).click();
  await dialog.getByLabel('Name', { exact: true }).fill('Sauna');
  await expectAccessible(owner);
  await dialog.getByRole('form', { name: 'Add a meter' }).getByRole('button', { name: 'Add a meter' }).click();
  const token = await dialog.getByLabel('Token of Sauna').inputValue();
  expect(token).toMatch(/^hm_[\w-]{43,}$/);
  await expectAccessible(owner);
  const start = (await dialog.getByLabel('To start, run').inputValue()).replace('NAME', 'Hall door');
  expect(start).toContain(token);

  // The name isn't matched yet. This use starts now, which becomes three hours ago when the server's clock moves.
  expect(await paste(start)).toBe('waiting: unknown_name');
  await server.advance(3 * HOUR);
  const now = Date.now() + 3 * HOUR;
  const send = (type: string, instant: number) => {
    const event = { id: `${type} ${instant}`, name: 'Hall door', type, at: new Date(instant).toISOString() };
    return paste(start.replace(/-d '.*'$/s, () => `-d '${JSON.stringify({ events: [event] })}'`));
  };
  expect(await send('stop', now - HOUR)).toBe('waiting: unknown_name');
  await expect(dialog.getByText('1 unknown name')).toBeVisible();
  await expect(dialog.getByText('2 events waiting, 2 h')).toBeVisible();
  await dialog.getByLabel('Hall door').selectOption('meter-member');
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expect(dialog.getByText('Waiting for their yes: 2 events, 2 h')).toBeVisible();
  await expectAccessible(owner);
  expect(await send('start', now)).toBe('waiting: not_agreed');

  // The member is asked where they see their use, and what has waited counts.
  await member.goto(`/shared?share=${shareId}&tab=usage`);
  const sheet = member.getByRole('dialog');
  const question = sheet.getByRole('group', { name: 'Question about Sauna' });
  await expect(question).toContainText('It calls you Hall door.');
  await expectAccessible(member);
  await question.getByRole('button', { name: 'Yes to Sauna recording my use' }).click();
  await expect(sheet.getByText('Sauna records your use', { exact: true })).toBeVisible();
  await expect(sheet.getByRole('button', { name: 'End Session' })).toBeVisible();
  await expectAccessible(member);
  await server.advance(HOUR);
  await sheet.getByRole('button', { name: 'Stop Sauna from recording my use' }).click();
  await expect(sheet.getByRole('button', { name: 'Start Session' })).toBeVisible();
  await sheet.getByRole('tab', { name: 'Sessions' }).click();
  await expect(sheet.getByRole('tabpanel', { name: 'Sessions' }).getByText('By Sauna')).toHaveCount(2);
  await expect(sheet.getByText('2 h', { exact: true }).first()).toBeVisible();
  await expectAccessible(member);
  expect(await send('beat', now + HOUR)).toBe('ignored: refused');
  await expect(dialog.getByText('Said no')).toBeVisible();

  // Its token does nothing once it is replaced, and neither once it is deleted.
  await dialog.getByRole('button', { name: 'Replace token' }).click();
  const question2 = owner.getByRole('alertdialog', { name: 'Replace the token of Sauna?' });
  await expectAccessible(owner);
  await question2.getByRole('button', { name: 'Replace' }).click();
  await expect(dialog.getByLabel('Token of Sauna')).not.toHaveValue(token);
  await expect(paste(start)).rejects.toThrow();
  await dialog.getByRole('button', { name: 'Delete meter' }).click();
  await owner.getByRole('alertdialog', { name: 'Delete Sauna?' }).getByRole('button', { name: 'Delete' }).click();
  await expect(owner.getByText('Meter deleted: Sauna')).toBeVisible();
  await expect(dialog.getByRole('list', { name: 'Meters' })).toHaveCount(0);
});

test('an owner imports a file, of which only names and times leave the browser', async ({ browser, launch }) => {
  const server = await launch();
  const { owner, member, assetId, shareId } = await ownerAndMember(browser, server, 'import');
  await owner.goto(`/assets?asset=${assetId}&tab=details`);
  const dialog = owner.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Show', description: 'Meters' }).click();
  await dialog.getByRole('button', { name: 'Add a meter' }).click();
  await dialog.getByLabel('Name', { exact: true }).fill('Netflix');
  await dialog.getByRole('form', { name: 'Add a meter' }).getByRole('button', { name: 'Add a meter' }).click();
  // The use was before the server's time from here on, and after the member came.
  const start = new Date();
  await server.advance(5 * HOUR);

  const sent: string[] = [];
  owner.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
  const imports = dialog.getByRole('region', { name: 'Import a file' });
  const minutes = (count: number) =>
    new Date(start.getTime() + count * 60_000).toISOString().slice(0, 19).replace('T', ' ');
  const row = (from: number, length: string, kind = '') =>
    `Kids,${minutes(from)},${length},,"Secret, part 1",${kind},Telly,,,Peru`;
  const columns =
    'Profile Name,Start Time,Duration,Attributes,Title,Supplemental Video Type,Device Type,Bookmark,Latest Bookmark,Country';
  const file = {
    name: 'ViewingActivity.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from([columns, row(10, '01:00:00'), row(90, '00:30:00'), row(130, '00:00:30', 'HOOK')].join('\r\n')),
  };
  await dialog.getByText('Import a file', { exact: true }).click();
  const choose = async () => {
    const chooser = owner.waitForEvent('filechooser');
    await imports.getByRole('button', { name: 'Choose a file' }).click();
    await (await chooser).setFiles(file);
  };
  await choose();
  await expect(imports.getByText('ViewingActivity.csv: 2 rows')).toBeVisible();
  await imports.getByLabel('Kids').selectOption('import-member');
  await expect(imports.getByRole('row', { name: 'import-member 0 h 0 h 1.5 h' })).toBeVisible();
  await expectAccessible(owner);
  await imports.getByRole('button', { name: 'Import' }).click();
  await expect(imports.getByText('Imported: 0 h. Waiting: 1.5 h.')).toBeVisible();
  await imports.getByRole('button', { name: 'Done' }).click();
  expect(sent.join('\n')).toContain('"name":"Kids"');
  expect(sent.join('\n')).not.toMatch(/Secret|Telly|Peru|HOOK/);

  // What waited counts once the member agrees, and the same file again changes nothing.
  await member.goto(`/shared?share=${shareId}&tab=usage`);
  const sheet = member.getByRole('dialog');
  await sheet.getByRole('button', { name: 'Yes to Netflix recording my use' }).click();
  await sheet.getByRole('tab', { name: 'Sessions' }).click();
  await expect(sheet.getByRole('tabpanel', { name: 'Sessions' }).getByText('By Netflix')).toHaveCount(2);
  await choose();
  await expect(imports.getByText('Nothing in it is new.')).toBeVisible();
  await expect(imports.getByRole('row', { name: 'import-member 0 h 1.5 h 0 h' })).toBeVisible();
});

test('a meter counts days, so there is nothing to start, and its member removes one', async ({ browser, launch }) => {
  const server = await launch();
  const { owner, member, assetId, shareId } = await ownerAndMember(browser, server, 'totals');
  await owner.goto(`/assets?asset=${assetId}&tab=details`);
  const dialog = owner.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Show', description: 'Meters' }).click();
  await dialog.getByRole('button', { name: 'Add a meter' }).click();
  await dialog.getByLabel('Name', { exact: true }).fill('Claude Code');
  await dialog.getByLabel('What it reports').selectOption('How long each day');
  await dialog.getByRole('form', { name: 'Add a meter' }).getByText('Advanced').click();
  await expect(dialog.getByLabel('Identify people by')).toHaveValue('user.email');
  await expectAccessible(owner);
  await dialog.getByRole('form', { name: 'Add a meter' }).getByRole('button', { name: 'Add a meter' }).click();
  const token = await dialog.getByLabel('Token of Claude Code').inputValue();
  await expect(dialog.getByLabel('~/.profile')).toHaveValue(new RegExp(`${server.url}/v1/metrics\n.*Bearer ${token}`));
  await expectAccessible(owner);

  const event = { id: '1', name: 'ben@work', seconds: 5400, at: new Date().toISOString() };
  const sent = await fetch(`${server.url}/api/meters/events/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ events: [event] }),
  });
  expect(await sent.json()).toMatchObject({ results: [{ result: 'waiting', reason: 'unknown_name' }] });
  await dialog.getByLabel('ben@work').selectOption('totals-member');
  await dialog.getByRole('button', { name: 'Save Changes' }).click();

  await member.goto(`/shared?share=${shareId}&tab=usage`);
  const sheet = member.getByRole('dialog');
  const question = sheet.getByRole('group', { name: 'Question about Claude Code' });
  await expect(question).toContainText("It counts your hours each day, so there's nothing to start.");
  await expectAccessible(member);
  await question.getByRole('button', { name: 'Yes to Claude Code recording my use' }).click();
  await expect(sheet.getByText('Recorded by Claude Code')).toBeVisible();
  await expect(sheet.getByRole('button', { name: 'Start Session' })).toHaveCount(0);
  await expectAccessible(member);
  await sheet.getByRole('tab', { name: 'Sessions' }).click();
  const log = sheet.getByRole('tabpanel', { name: 'Sessions' });
  await expect(log.getByRole('listitem')).toHaveText(/^Total for the dayBy Claude Code1 h 30 min/);
  await expectAccessible(member);
  await log.getByRole('button', { name: /^Remove what was counted/ }).click();
  await member.getByRole('alertdialog').getByRole('button', { name: 'Remove session' }).click();
  await expect(log.getByText('Total for the day')).toHaveCount(0);
  await member.goto('/shared');
  await expect(member.getByText('Recorded by Claude Code')).toBeVisible();
  await expect(member.getByRole('button', { name: 'Start Session' })).toHaveCount(0);
});
