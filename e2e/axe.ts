import type { Page } from '@playwright/test';
import axe from 'axe-core';

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** Returns axe's violations on the current page, in light and dark mode. */
export async function violationsOn(page: Page, { ignoredRule }: { ignoredRule?: string } = {}): Promise<string[]> {
  const found: string[] = [];
  // Wherever a page happens to be scrolled, a button may lie half under the header, which axe takes for a small one.
  await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
  // @axe-core/playwright loads axe before each run and returns what passed, too, which takes several times as long.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // Only these rules depend on colors; the others have run in light mode.
    const options: axe.RunOptions =
      colorScheme === 'light'
        ? { runOnly: WCAG, ...(ignoredRule && { rules: { [ignoredRule]: { enabled: false } } }) }
        : { runOnly: COLOR_RULES };
    const violations = await page.evaluate(async (options) => {
      const { axe: injected } = window as unknown as { axe: typeof axe };
      const results = await injected.run(document, { ...options, resultTypes: ['violations'] });
      return results.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => ({ id, html: html.slice(0, 120) })));
    }, options);
    found.push(...violations.map(({ id, html }) => `${page.url()} ${colorScheme}: ${id} ${html}`));
  }
  return found;
}
