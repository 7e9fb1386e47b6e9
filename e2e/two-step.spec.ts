import type { Page } from '@playwright/test';
import { codeAt, STEP } from './authenticator-app.ts';
import { expectAccessible, lastOf, mailSettings, test, translator } from './mail.ts';
import { expect } from './test.ts';
import { api, device, PASSWORD, reach, register } from './verbs.ts';

async function press(page: Page, name: string) {
  await reach(page, page.getByRole('button', { name, exact: true }));
  await page.keyboard.press('Enter');
}

/** On the sign-in page: signs in until the code is asked for. */
async function enterPassword(page: Page, say: (english: string) => string) {
  await page.goto('/login');
  await reach(page, page.getByLabel(say('Username')));
  await page.keyboard.type('mira');
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
}

const languages: [string, (english: string) => string][] = [
  ['en', (english) => english.replace(/ \[\[.*\]\]$/, '')],
  ['ar', translator('ar')],
];

for (const [language, say] of languages)
  test(
    `two-step sign-in is turned on, asked for, and turned off by keyboard, in ${language}`,
    { tag: language === 'en' ? '@journey' : [] },
    async ({ browser, launch, smtp }) => {
      const server = await launch(mailSettings(smtp));
      let clock = 0;
      const codeOf = (key: string) => codeAt(key, Date.now() + clock);
      const nextCode = async (key: string) => {
        await server.advance(STEP);
        clock += STEP;
        return codeOf(key);
      };
      const open = async () => {
        const page = await device(browser, server);
        await page.addInitScript((chosen) => localStorage.setItem('hourshare_language', chosen), language);
        return page;
      };
      const page = await device(browser, server);
      await register(page, 'mira');
      await api(page, 'PATCH /api/me/', { language });
      await page.addInitScript((chosen) => localStorage.setItem('hourshare_language', chosen), language);
      // So that turning it on asks the user to confirm who they are.
      await server.advance(11 * 60_000);
      clock += 11 * 60_000;

      await page.goto('/profile#two-step');
      const card = page.getByRole('region', { name: say('Two-step sign-in') });
      await press(page, say('Turn on'));
      const question = page.getByRole('alertdialog', { name: say("Confirm that it's you") });
      await expect(question.getByLabel(say('Current password'))).toBeFocused();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await expect(question).toBeHidden();
      await expect(card.getByRole('alert')).toBeVisible();
      await press(page, say('Turn on'));
      await expect(question.getByLabel(say('Current password'))).toBeFocused();
      await page.keyboard.type('not my password');
      await page.keyboard.press('Enter');
      await expect(question.getByText(say('Your current password is incorrect'))).toBeVisible();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(PASSWORD);
      await page.keyboard.press('Enter');

      const setup = page.getByRole('dialog', { name: say('Turn on two-step sign-in') });
      await expect(setup.getByRole('img', { name: say('QR code for your authenticator app') })).toBeVisible();
      await expect(setup.getByLabel(say('Code'), { exact: true })).toBeFocused();
      await expectAccessible(page);
      const key = (await setup.getByLabel(say("Key, if you can't scan it")).inputValue()).replaceAll(' ', '');
      await page.keyboard.type('000000');
      await page.keyboard.press('Enter');
      await expect(setup.getByText(say('That code is wrong or was already used'))).toBeVisible();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(codeOf(key));
      await page.keyboard.press('Enter');

      const saved = page.getByRole('dialog', { name: say('Save your recovery codes') });
      const codes = (await saved.getByLabel(say('Recovery codes')).inputValue()).split('\n');
      expect(codes).toHaveLength(10);
      await expectAccessible(page);
      const downloading = page.waitForEvent('download');
      await press(page, say('Download [[recovery codes]]'));
      expect((await downloading).suggestedFilename()).toBe('hourshare-recovery-codes.txt');
      await press(page, say("I've saved them"));
      await expect(saved).toBeHidden();
      await expect(card.getByRole('button', { name: say('Turn off') })).toBeVisible();
      await expectAccessible(page);
      expect((await lastOf(smtp, 1)).parsed.subject).toBe(say('Two-step sign-in is on'));

      const phone = await open();
      await enterPassword(phone, say);
      const code = phone.getByLabel(say('Code'), { exact: true });
      await expect(code).toBeFocused();
      await expectAccessible(phone);
      await phone.keyboard.type('000000');
      await phone.keyboard.press('Enter');
      await expect(phone.getByText(say('That code is wrong or was already used'))).toBeVisible();
      await expectAccessible(phone);
      await press(phone, say('Back'));
      await expect(phone.getByLabel(say('Username'))).toHaveValue('mira');
      await expect(phone.getByLabel(say('Password'), { exact: true })).toBeFocused();
      await phone.keyboard.press('Enter');
      await expect(code).toBeFocused();
      await phone.keyboard.type(await nextCode(key));
      await phone.keyboard.press('Enter');
      await expect(phone).toHaveURL(/\/dashboard$/);

      const tablet = await open();
      await enterPassword(tablet, say);
      await expect(tablet.getByLabel(say('Code'), { exact: true })).toBeFocused();
      await press(tablet, say('Use a recovery code'));
      await expect(tablet.getByLabel(say('Recovery code'), { exact: true })).toBeFocused();
      await expectAccessible(tablet);
      await tablet.keyboard.type(codes[0] ?? '');
      await tablet.keyboard.press('Enter');
      await expect(tablet).toHaveURL(/\/dashboard$/);
      expect((await lastOf(smtp, 2)).parsed.subject).toBe(say('A recovery code was used'));

      await tablet.goto('/profile#two-step');
      await press(tablet, say('New recovery codes'));
      await expect(tablet.getByRole('alertdialog', { name: say('Make new recovery codes?') })).toBeVisible();
      await expectAccessible(tablet);
      await press(tablet, say('Make new codes'));
      await expect(tablet.getByRole('dialog', { name: say('Save your recovery codes') })).toBeVisible();
      await press(tablet, say("I've saved them"));
      await press(tablet, say('Turn off'));
      const off = tablet.getByRole('alertdialog', { name: say('Turn off two-step sign-in?') });
      await expect(off).toBeVisible();
      await expectAccessible(tablet);
      // So that turning it off asks the user to confirm who they are, which takes a code, too.
      await server.advance(11 * 60_000);
      clock += 11 * 60_000;
      await reach(tablet, off.getByRole('button', { name: say('Turn off') }));
      await tablet.keyboard.press('Enter');
      const check = tablet.getByRole('alertdialog', { name: say("Confirm that it's you") });
      await expect(check.getByLabel(say('Current password'))).toBeFocused();
      await expect(check.getByLabel(say('Code'), { exact: true })).toBeHidden();
      await tablet.keyboard.type(PASSWORD);
      await tablet.keyboard.press('Enter');
      await expect(check.getByLabel(say('Code'), { exact: true })).toBeFocused();
      await expectAccessible(tablet);
      await press(tablet, say('Use a recovery code'));
      await expect(check.getByLabel(say('Recovery code'), { exact: true })).toBeFocused();
      await press(tablet, say('Use your authenticator app'));
      await expect(check.getByLabel(say('Code'), { exact: true })).toBeFocused();
      await tablet.keyboard.type('000000');
      await tablet.keyboard.press('Enter');
      await expect(check.getByText(say('That code is wrong or was already used'))).toBeVisible();
      await tablet.keyboard.press('ControlOrMeta+a');
      await tablet.keyboard.type(codeOf(key));
      await tablet.keyboard.press('Enter');
      await expect(tablet.getByRole('button', { name: say('Turn on') })).toBeVisible();
      expect((await lastOf(smtp, 4)).parsed.subject).toBe(say('Two-step sign-in is off'));

      const laptop = await open();
      await enterPassword(laptop, say);
      await expect(laptop).toHaveURL(/\/dashboard$/);
    },
  );
