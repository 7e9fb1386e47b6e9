import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect } from './test.ts';
import { reach } from './verbs.ts';

export type JourneyLanguage = 'en' | 'de';

/** Returns what a message of the app is in a language, as elements are named by it. */
export function namesIn(language: JourneyLanguage): (message: string, values?: Record<string, string>) => string {
  const file = join(import.meta.dirname, '..', 'web', 'src', 'messages', 'de.json');
  const german = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  return (message, values = {}) => {
    const text = (language === 'de' ? german[message] : undefined) ?? message.replace(/ \[\[.*\]\]$/, '');
    const filled = Object.entries(values).reduce((all, [name, value]) => all.replaceAll(`{${name}}`, value), text);
    return filled.replace(/\s*<\/?hidden>\s*/g, ' ').trim();
  };
}

/** Shows the app in a language on a device that has opened it. */
export const speak = (page: Page, language: JourneyLanguage): Promise<void> =>
  page.evaluate((chosen) => localStorage.setItem('hourshare_language', chosen), language);

/** Returns how someone presses buttons, and switches to a tab of the open dialog: only with the keyboard, or not. */
export function hands(keyboard: boolean) {
  const press = async (page: Page, target: Locator) => {
    if (!keyboard) return target.click();
    await reach(page, target);
    await page.keyboard.press('Enter');
  };
  const openTab = async (page: Page, name: string) => {
    const tab = page.getByRole('dialog').getByRole('tab', { name });
    if (!keyboard) return tab.click();
    const tabs = page
      .getByRole('dialog')
      .getByRole('tablist')
      .filter({ has: page.getByRole('tab', { name }) });
    await reach(page, tabs.getByRole('tab', { selected: true }));
    const count = await tabs.getByRole('tab').count();
    for (let moves = 0; moves < count; moves += 1) {
      if (await tab.evaluate((element) => element === document.activeElement)) break;
      await page.keyboard.press('ArrowRight');
    }
    await expect(tab).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(tab).toHaveAttribute('aria-selected', 'true');
  };
  return { press, openTab };
}
