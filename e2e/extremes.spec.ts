import type { Page } from '@playwright/test';
import { liveAtTheLimits } from '../demo/extremes.mjs';
import { storeSignIn } from '../harness/browser.mjs';
import { expect, test } from './test.ts';
import { PASSWORD } from './verbs.ts';

// Names of maximum length, with and without spaces and right to left, on small and large screens.

interface SignIn {
  access: string;
  refresh: string;
  user: { id: number };
}

let people: Record<string, SignIn>;

test.beforeAll(async ({ server, playwright }) => {
  const request = await playwright.request.newContext({ baseURL: server.url });
  const tokens = new Map<number, string>();
  people = await liveAtTheLimits(
    async (method, url, { body, as } = {}) => {
      const answer = await request.fetch(url, {
        method,
        headers: as === undefined ? {} : { authorization: `Bearer ${tokens.get(as)}` },
        ...(body && { data: body }),
      });
      expect(answer.ok(), `${method} ${url} answered ${answer.status()}`).toBe(true);
      const tokenPair = await answer.json();
      if (url === '/api/register/') tokens.set(tokenPair.user.id, tokenPair.access);
      return tokenPair;
    },
    { members: 6, assets: 8, password: PASSWORD },
  );
  await request.dispose();
});

const signInAs = (page: Page, person: string) => page.addInitScript(storeSignIn, people[person]);

/** Returns elements that overflow horizontally: the page its window, a part its box, or a button or link its card. */
const overflows = (page: Page) =>
  page.evaluate(() => {
    const wide = [...document.querySelectorAll('html, main, [role=dialog], [role=alertdialog], [role=tabpanel]')]
      // What shows its overflow, such as a row up to the edges of the window, doesn't scroll; the page would.
      .filter((each) => each.localName === 'html' || getComputedStyle(each).overflowX !== 'visible')
      .filter((each) => each.scrollWidth > each.clientWidth)
      .map((each) => `${each.getAttribute('role') ?? each.localName} scrolls sideways`);
    const inside = (element: Element) => {
      const { left, right } = element.getBoundingClientRect();
      const { paddingLeft, paddingRight } = getComputedStyle(element);
      return { left: left + Number.parseFloat(paddingLeft), right: right - Number.parseFloat(paddingRight) };
    };
    const lost = [...document.querySelectorAll('main :is(a, button), [role=tabpanel] :is(a, button)')].filter(
      (each) => {
        const card = each.closest('li, section, form, [role=tabpanel], main');
        if (card === null) return false;
        // Ignores their padding, and what is around an icon: borderless buttons extend by it so that labels and icons align.
        const icon = each.textContent === '' ? each.querySelector('svg') : null;
        const [part, whole] = [inside(icon ?? each), inside(card)];
        // Icons leave a little room around what they show.
        const slack = icon ? 4 : 0.5;
        return part.right > part.left && (part.left < whole.left - slack || part.right > whole.right + slack);
      },
    );
    return [...wide, ...lost.map((each) => `"${each.textContent}" leaves its card`)];
  });

/** Visits every screen and dialog. The first entry of each list has the widest name. */
async function walk(page: Page, visited: (screen: string) => Promise<void>) {
  for (const path of ['/dashboard', '/assets', '/shared', '/analytics', '/settings', '/profile']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('main .animate-spin, main .animate-pulse')).toHaveCount(0);
    await visited(path);
  }
  for (const [path, button, tabs] of [
    ['/shared', 'Manage Usage', ['Sessions', 'Details', 'Usage']],
    ['/assets', 'Manage', ['Share', 'Sessions', 'Analytics', 'Details']],
  ] as const) {
    await page.goto(path);
    await page.getByRole('button', { name: button, exact: true }).first().click();
    for (const tab of tabs) {
      await page.getByRole('tab', { name: tab }).click();
      await expect(page.getByRole('tabpanel').locator('.animate-spin')).toHaveCount(0);
      await visited(`${path}, ${tab}`);
    }
  }
  await page.getByRole('button', { name: 'Delete' }).click();
  await visited('the question what to bill');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText("This can't be undone, but")).toBeVisible();
  await visited('the question before a deletion');
}

for (const [width, height] of [
  [320, 640],
  [768, 1024],
] as const) {
  test(`nothing overflows a window ${width} px wide, whatever the names`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await signInAs(page, 'most');
    await walk(page, async (screen) => {
      expect(await overflows(page), screen).toEqual([]);
    });
  });
}

test("a long name leaves most of a small window to a dialog's content", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 480 });
  await signInAs(page, 'most');
  await page.goto('/assets');
  await page.getByRole('button', { name: 'Manage', exact: true }).first().click();
  const content = await page.getByRole('tabpanel').boundingBox();
  expect(content?.height).toBeGreaterThan(240);
});

test('a right-to-left name starts at the left edge of its card and is typed from the right', async ({ page }) => {
  await signInAs(page, 'most');
  await page.goto('/assets');
  const card = page.getByRole('listitem').filter({ hasText: 'اشتراك' });
  const name = card.getByRole('heading');
  await expect(name).toHaveCSS('direction', 'rtl');
  await expect(name).toHaveCSS('text-align', 'left');
  await card.getByRole('button', { name: 'Manage' }).click();
  await expect(page.getByLabel('Asset Name')).toHaveCSS('direction', 'rtl');
});

test('on a very wide screen, the page stays next to its side panel', async ({ page }) => {
  await page.setViewportSize({ width: 2560, height: 1440 });
  await signInAs(page, 'one');
  await page.goto('/dashboard');
  const panel = await page.getByRole('complementary', { name: 'Side panel' }).boundingBox();
  const heading = await page.getByRole('heading', { level: 1 }).boundingBox();
  expect(panel?.x).toBeGreaterThan(400);
  expect((heading?.x ?? 0) - (panel?.x ?? 0) - (panel?.width ?? 0)).toBeLessThan(48);
});

test('between a phone and a desktop, the side panel is a rail, and cards are in two columns', async ({ page }) => {
  await page.setViewportSize({ width: 844, height: 390 });
  await signInAs(page, 'most');
  await page.goto('/dashboard');
  const panel = page.locator('aside');
  await expect(panel).toHaveCSS('width', '84px');
  await expect(panel.getByRole('link', { name: 'Settings' })).toBeInViewport({ ratio: 1 });
  for (const language of ['ar', 'de', 'es', 'fr', 'pt-BR', 'en']) {
    await page.evaluate((choice) => localStorage.setItem('hourshare_language', choice), language);
    await page.reload();
    const links = panel.getByRole('link');
    await expect(links).toHaveCount(6);
    // A name that is cut, or that makes the rail scroll, is wider than its link.
    expect(await links.evaluateAll((all) => all.filter((link) => link.scrollWidth > link.clientWidth))).toEqual([]);
    // One word that is too long is broken, or cut.
    const broken = await links.evaluateAll((all) =>
      all.flatMap((link) => {
        const names = document.createTreeWalker(link, NodeFilter.SHOW_TEXT);
        const found: string[] = [];
        for (let name = names.nextNode(); name; name = names.nextNode()) {
          const range = document.createRange();
          range.selectNodeContents(name);
          // Arabic has several boxes in one line.
          const boxes = [...range.getClientRects()];
          const isBroken = boxes.some((box) => box.top > (boxes[0]?.bottom ?? 0) - 1);
          const isCut = range.getBoundingClientRect().width > link.clientWidth;
          if (!/\s/.test(name.textContent ?? '') && (isBroken || isCut)) found.push(name.textContent ?? '');
        }
        return found;
      }),
    );
    expect(broken, language).toEqual([]);
    expect(await panel.locator('ul').evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0);
  }
  const cards = page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 3 }) });
  const [first, second] = await Promise.all([cards.nth(0), cards.nth(1)].map((card) => card.boundingBox()));
  expect(second?.y).toBe(first?.y);
  await page.getByRole('button', { name: 'User menu' }).click();
  const menu = page.getByRole('menu');
  await expect(menu.getByText('Quick Stats')).toBeVisible();
  await expect(menu.getByRole('menuitem', { name: 'Sign out' })).toBeInViewport({ ratio: 1 });
});
