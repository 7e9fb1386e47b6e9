import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** Returns axe's violations on the current page, in light and dark mode. */
export async function violationsOn(page: Page, { ignoredRule }: { ignoredRule?: string } = {}): Promise<string[]> {
  const found: string[] = [];
  // Wherever a page happens to be scrolled, a button may lie half under the header, which axe takes for a small one.
  await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // Otherwise it opens and closes a page of its own each time, to combine the results of frames, which no page here has.
    const axe = new AxeBuilder({ page }).setLegacyMode();
    // Only these rules depend on colors; the others have run in light mode.
    const { violations } = await (
      colorScheme === 'light' ? axe.withTags(WCAG).disableRules(ignoredRule ?? []) : axe.withRules(COLOR_RULES)
    ).analyze();
    for (const { id, nodes } of violations)
      found.push(...nodes.map(({ html }) => `${page.url()} ${colorScheme}: ${id} ${html.slice(0, 120)}`));
  }
  return found;
}
