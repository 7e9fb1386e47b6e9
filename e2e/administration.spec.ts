import { readdir } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { runProgram } from '../harness/server.mjs';
import { codeAt } from './authenticator-app.ts';
import { expectAccessible, mailSettings, test, translator } from './mail.ts';
import { expect } from './test.ts';
import { api, device, PASSWORD, reach, register } from './verbs.ts';

const say = translator('de');

async function press(page: Page, button: Locator) {
  await reach(page, button);
  await page.keyboard.press('Enter');
}

test(
  'an administrator helps someone, invites someone, and makes a backup, by keyboard, in German',
  { tag: '@journey' },
  async ({ browser, launch, smtp }, testInfo) => {
    const backups = testInfo.outputPath('backups');
    const server = await launch({ ...mailSettings(smtp), BACKUP_DIR: backups }, { engine: 'embedded' });
    const page = await device(browser, server);
    const button = (name: string) => page.getByRole('button', { name: say(name), exact: true });
    await register(page, 'ada');
    await register(await device(browser, server), 'ben');
    await api(page, 'PATCH /api/me/', { language: 'de' });
    await page.addInitScript(() => localStorage.setItem('hourshare_language', 'de'));

    await page.goto('/administration');
    await expect(page.getByRole('heading', { name: say('Page not found') })).toBeVisible();
    const named = await runProgram(['admin.js', 'administrator', 'ada'], { DATA_DIR: server.dataDir });
    expect(named.output).toContain('ada may use the page for administrators.');

    // Reads the account again.
    await page.goto('/settings');
    await expect.poll(() => page.evaluate(() => localStorage.getItem('user'))).toContain('"administrator":true');
    await press(page, page.getByRole('button', { name: say('User menu') }));
    await page.getByRole('menuitem', { name: say('Administration') }).press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: say('Administration') })).toBeVisible();
    await expect(button('Back up now')).toBeDisabled();
    await expectAccessible(page);

    const { key } = (await api(page, 'POST /api/me/two-step/')) as { key: string };
    await api(page, 'POST /api/me/two-step/confirm/', { code: codeAt(key, Date.now()) });
    // So that the first change asks the administrator to confirm who they are.
    const late = 11 * 60_000;
    await server.advance(late);
    await page.reload();
    await expect(button('Back up now')).toBeEnabled();
    await press(page, button('Back up now'));
    const question = page.getByRole('alertdialog', { name: say("Confirm that it's you") });
    await expect(question.getByLabel(say('Current password'))).toBeFocused();
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await expect(question.getByLabel(say('Code'), { exact: true })).toBeFocused();
    await page.keyboard.type(codeAt(key, Date.now() + late));
    await page.keyboard.press('Enter');
    await expect(page.getByText(say('The backup is made.'))).toBeVisible();

    await press(page, button('Send test message'));
    // The one about two-step sign-in may come later.
    await expect.poll(() => smtp.received.map(({ parsed }) => parsed.subject)).toContain('Test message from HourShare');

    await press(page, button('Create link'));
    const invitation = await page.getByLabel(say('Invitation link')).inputValue();
    await expectAccessible(page);

    await page.keyboard.press('Control+Home');
    await reach(page, page.getByLabel(say('Search usernames')));
    await page.keyboard.type('BEN');
    const ben = page.getByRole('button', { name: /^Verwalten\b.*\bben$/ });
    await expect(page.getByRole('listitem').filter({ hasText: 'ada' })).toHaveCount(0);
    await press(page, ben);
    const dialog = page.getByRole('dialog', { name: 'ben' });
    await press(page, dialog.getByRole('button', { name: say('Create reset link') }));
    const reset = await dialog.getByLabel(say('Reset link')).inputValue();
    await expectAccessible(page);
    await press(page, dialog.getByRole('button', { name: say('Disable') }));
    await expect(dialog.getByRole('button', { name: say('Enable') })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('listitem').filter({ hasText: say('Disabled') })).toBeVisible();
    await expectAccessible(page);

    const newcomer = await device(browser, server);
    await newcomer.goto(invitation);
    await expect(newcomer.getByLabel('Username')).toBeVisible();
    await newcomer.goto(reset);
    await expect(newcomer.getByRole('heading', { level: 1 })).toBeVisible();

    await page.goto('/settings#security-activity');
    await expect(page.getByText(say('Administration: disabled an account'))).toBeVisible();
    expect((await readdir(backups)).filter((name) => name.startsWith('hourshare-by-hand-'))).toHaveLength(1);
  },
);
