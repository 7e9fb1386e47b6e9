import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import decodeQR from 'qr/decode.js';
import { violationsOn } from './axe.ts';
import { expect, test } from './test.ts';
import { api, expectToFit, ownerAndMember, PASSWORD, reach } from './verbs.ts';

async function expectAccessible(page: Page): Promise<void> {
  await expectToFit(page);
  expect(await violationsOn(page)).toEqual([]);
}

const isRunning = async (page: Page, shareId: number): Promise<boolean> =>
  (await api(page, `GET /api/shared-assets/${shareId}/active-session/`)) !== null;

/** Runs a pasted command in a shell. Returns the response. */
async function paste(line: string): Promise<{ status: number; body: { code?: string; end_time?: string | null } }> {
  const { stdout } = await promisify(execFile)('sh', ['-c', `${line} -sS -w '\\n%{http_code}'`]);
  const [body = '', status = ''] = stdout.split('\n');
  return { status: Number(status), body: JSON.parse(body) as { code?: string } };
}

test(
  'a member creates an access token by keyboard, pastes its commands into a shell, and revokes it',
  { tag: '@journey' },
  async ({ browser, server }) => {
    const { member: page, shareId } = await ownerAndMember(browser, server, `script-${Date.now().toString(36)}`);
    await page.goto(`/shared?share=${shareId}&tab=details`);
    const dialog = page.getByRole('dialog', { name: 'Films' });
    await reach(page, dialog.getByRole('button', { name: 'Show', description: 'Start from elsewhere' }));
    await page.keyboard.press('Enter');
    await expect(dialog.getByLabel('To start, run')).toHaveValue(/hs_YOUR_TOKEN/);
    await expectAccessible(page);

    await reach(page, dialog.getByRole('button', { name: 'Create access token' }));
    await page.keyboard.press('Enter');
    await expect(dialog.getByLabel('Name')).toBeFocused();
    await page.keyboard.type('Doorbell');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    const token = dialog.getByLabel('Access token: Doorbell');
    await expect(token).toHaveValue(/^hs_[\w-]{43,}$/);
    await expectAccessible(page);
    const secret = await token.inputValue();
    const start = await dialog.getByLabel('To start, run').inputValue();
    const end = await dialog.getByLabel('To end, run').inputValue();
    await reach(page, dialog.getByRole('button', { name: 'Done' }));
    await page.keyboard.press('Enter');
    await expect(dialog.getByLabel('To start, run')).toHaveValue(/hs_YOUR_TOKEN/);
    await expect(dialog.getByRole('button', { name: 'Create access token' })).toBeFocused();
    await expect(page.locator('body')).not.toContainText(secret);

    expect(await paste(start)).toMatchObject({ status: 201, body: { end_time: null } });
    expect(await isRunning(page, shareId)).toBe(true);
    expect(await paste(start)).toMatchObject({ status: 400, body: { code: 'session_already_running' } });
    const ended = await paste(end);
    expect([ended.status, typeof ended.body.end_time]).toEqual([200, 'string']);
    expect(await isRunning(page, shareId)).toBe(false);
    expect(await paste(start.replace(`/${shareId}/`, `/${shareId + 1}/`))).toMatchObject({ status: 404 });

    await page.goto('/settings#access-tokens');
    const item = page.getByRole('list', { name: 'Access tokens' }).getByRole('listitem');
    await expect(item).toContainText('Starts, ends, and adds sessions of Films');
    await expect(item).toContainText(/Last used: today/);
    await reach(page, page.getByRole('button', { name: 'Revoke the access token: Doorbell' }));
    await page.keyboard.press('Enter');
    const question = page.getByRole('alertdialog', { name: 'Revoke this access token?' });
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await expectAccessible(page);
    await reach(page, question.getByRole('button', { name: 'Revoke' }));
    await page.keyboard.press('Enter');
    await expect(page.getByText('No access tokens.')).toBeVisible();
    expect(await paste(start)).toMatchObject({ status: 401, body: { code: 'not_signed_in' } });
  },
);

test('an access token is created in the settings, in German', async ({ browser, server }) => {
  const { member: page } = await ownerAndMember(browser, server, `skript-${Date.now().toString(36)}`);
  await page.goto('/settings#access-tokens');
  await page.getByLabel('Language').selectOption('de');
  await page.getByRole('button', { name: 'Zugriffstoken erstellen' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Zugriffstoken erstellen' });
  await dialog.getByLabel('Name').fill('Bericht');
  await dialog.getByRole('radio', { name: 'Alles lesen' }).check();
  await dialog.getByLabel('Läuft ab nach').selectOption('365 Tagen');
  await expectAccessible(page);
  await dialog.getByLabel('Name').press('Enter');
  const made = page.getByRole('dialog', { name: 'Neues Zugriffstoken' });
  const secret = await made.getByLabel('Zugriffstoken: Bericht').inputValue();
  await expectAccessible(page);
  const ask = (method: string, path: string) =>
    fetch(`${server.url}${path}`, { method, headers: { authorization: `Bearer ${secret}` } });
  expect((await ask('GET', '/api/shared-assets/')).status).toBe(200);
  expect((await ask('POST', '/api/settlements/')).status).toBe(403);
  expect((await ask('GET', '/api/me/access-tokens/')).status).toBe(403);
  await made.getByRole('button', { name: 'Fertig' }).press('Enter');
  await expect(page.getByRole('list', { name: 'Zugriffstoken' })).toContainText('Liest alles');
  await expectAccessible(page);
});

test('a printed code opens a page with one button, and opening it starts no session', async ({ browser, server }) => {
  const name = `code-${Date.now().toString(36)}`;
  const { member: page, assetId, shareId } = await ownerAndMember(browser, server, name);
  await page.goto(`/shared?share=${shareId}&tab=details`);
  await page.getByRole('button', { name: 'Show', description: 'Start from elsewhere' }).click();
  const link = await page.getByLabel('Link to the button').inputValue();
  expect(link).toBe(`${server.url}/start/${assetId}`);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download QR code' }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toBe(`hourshare-${assetId}.svg`);
  expect(await readCode(page, await readFile(await file.path(), 'utf8'))).toBe(link);

  // On a phone that isn't signed in.
  const phone = await (
    await browser.newContext({ baseURL: server.url, viewport: { width: 320, height: 640 } })
  ).newPage();
  const written: string[] = [];
  phone.on('request', (request) => {
    if (request.method() !== 'GET' && request.url().includes('/shared-assets/')) written.push(request.url());
  });
  await phone.goto(link);
  await expect(phone).toHaveURL(/\/login$/);
  await phone.getByLabel('Username').fill(`${name}-member`);
  await phone.getByLabel('Password').fill(PASSWORD);
  await phone.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(phone).toHaveURL(link);
  await expect(phone.getByRole('heading', { level: 1, name: 'Films' })).toBeVisible();
  const main = phone.getByRole('main');
  await expect(main).toContainText('20 h left');
  await expect(main.getByRole('button', { name: 'Start Session' })).toBeInViewport();
  await expectAccessible(phone);
  await phone.reload();
  await expect(main.getByRole('button', { name: 'Start Session' })).toBeVisible();
  expect(written).toEqual([]);
  expect(await isRunning(phone, shareId)).toBe(false);

  await reach(phone, main.getByRole('button', { name: 'Start Session' }));
  await phone.keyboard.press('Enter');
  await expect(main.getByRole('timer')).toBeVisible();
  await expect(main.getByRole('button', { name: 'End Session' })).toBeEnabled();
  expect(await isRunning(phone, shareId)).toBe(true);
  await expectAccessible(phone);
  await main.getByRole('button', { name: 'End Session' }).press('Enter');
  await expect(main.getByRole('button', { name: 'Start Session' })).toBeEnabled();
  expect(await isRunning(phone, shareId)).toBe(false);
  expect(written).toHaveLength(2);

  await phone.goto(`/start/${assetId + 1000}`);
  await expect(phone.getByText("This asset isn't available, or you no longer have access.")).toBeVisible();
  await expectAccessible(phone);
});

/** Reads a rendered QR code as a phone would. */
async function readCode(page: Page, svg: string): Promise<string> {
  // The app's policy forbids this image's URL, but doesn't apply to an empty page.
  const empty = await page.context().newPage();
  const { width, height, data } = await empty.evaluate(async (drawing) => {
    const image = new Image();
    image.src = `data:image/svg+xml,${encodeURIComponent(drawing)}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [400, 440];
    const context = canvas.getContext('2d');
    context?.drawImage(image, 0, 0, 400, 440);
    return { width: 400, height: 440, data: [...(context?.getImageData(0, 0, 400, 440).data ?? [])] };
  }, svg);
  return decodeQR({ width, height, data: Uint8Array.from(data) });
}
