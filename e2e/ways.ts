import type { Browser, Locator, Page } from '@playwright/test';
import type { RunningServer } from './server.ts';
import { expect } from './test.ts';
import { dollarsIn, type JourneyLanguage, namesIn, speak } from './texts.ts';
import { device, reach, register } from './verbs.ts';

/** How people make a journey. */
export interface Way {
  /** For the title of the test. */
  name: string;
  language: JourneyLanguage;
  scheme: 'light' | 'dark';
  keyboard: boolean;
  /** The first way runs for every change, the other nightly. */
  tag: string | [];
}

/** Between them, these ways show both themes and two languages, and use a mouse and the keyboard alone. */
export const WAYS: Way[] = [
  { name: 'en, light', language: 'en', scheme: 'light', keyboard: false, tag: '@journey' },
  { name: 'de, dark, by keyboard', language: 'de', scheme: 'dark', keyboard: true, tag: [] },
];

/** Returns what a way says, and how its people press, write, and choose. */
export function going({ language, scheme, keyboard }: Way) {
  const t = namesIn(language);
  const press = async (page: Page, target: Locator) => {
    if (!keyboard) return target.click();
    await reach(page, target);
    await page.keyboard.press('Enter');
  };
  const write = async (page: Page, field: Locator, text: string) => {
    if (!keyboard) return field.fill(text);
    await reach(page, field);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(text);
  };
  /** Moves on with an arrow key, from what is chosen to one of its neighbors. */
  const moveTo = async (page: Page, from: Locator, to: Locator, isThere: () => Promise<boolean>) => {
    await reach(page, from);
    const most = 10;
    for (let moves = 0; moves < most && !(await isThere()); moves += 1) await page.keyboard.press('ArrowRight');
    await expect(to).toBeFocused();
  };
  /** Switches to a tab of the open dialog. */
  const openTab = async (page: Page, name: string) => {
    const dialog = page.getByRole('dialog');
    const tab = dialog.getByRole('tab', { name });
    if (keyboard) {
      const tabs = dialog.getByRole('tablist').filter({ has: page.getByRole('tab', { name }) });
      await moveTo(page, tabs.getByRole('tab', { selected: true }), tab, () =>
        tab.evaluate((element) => element === document.activeElement),
      );
      await page.keyboard.press('Enter');
    } else await tab.click();
    await expect(tab).toHaveAttribute('aria-selected', 'true');
    // The tab that was shown leaves a moment after the new one came, and may hold the same buttons.
    const count = (role: 'tablist' | 'tabpanel') => dialog.getByRole(role).count();
    await expect.poll(async () => (await count('tabpanel')) - (await count('tablist'))).toBe(0);
  };
  /** Chooses the tile with this text. */
  const choose = async (page: Page, text: string) => {
    const tile = page.getByRole('radio', { name: text });
    if (keyboard) await moveTo(page, page.getByRole('radio', { checked: true }).first(), tile, () => tile.isChecked());
    else await page.getByText(text).click();
    await expect(tile).toBeChecked();
    return tile;
  };
  return {
    t,
    money: dollarsIn(language),
    hours: (count: number) => t('{hours} h', { hours: String(count) }),
    press,
    write,
    openTab,
    choose,
    /** Registers someone on a device of their own, on which every page is in this language and theme from now on. */
    arrive: async (browser: Browser, server: RunningServer, username: string): Promise<Page> => {
      const page = await device(browser, server, { colorScheme: scheme });
      await register(page, username);
      await speak(page, language);
      return page;
    },
    /** Checks that a page is in this language and theme. */
    expectShown: async (page: Page) => {
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toContain(scheme);
    },
  };
}
