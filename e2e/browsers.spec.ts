import type { Page } from '@playwright/test';
import { expect, test } from './test.ts';
import { ownerAndMember, PASSWORD, register } from './verbs.ts';

test.use({ serviceWorkers: 'allow' });

/** Makes using a property of an object fail, as browsers do; or lets it be absent. */
const refusals: Record<string, () => void> = {
  'all site data': () => {
    const refuse = () => {
      throw new DOMException('Access is denied for this document.', 'SecurityError');
    };
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
      Object.defineProperty(window, name, { get: refuse });
    Object.defineProperty(navigator, 'serviceWorker', { get: refuse });
    Object.defineProperty(navigator, 'locks', { value: { request: async () => refuse() } });
    Object.defineProperty(window, 'BroadcastChannel', { value: refuse });
  },
  'writing to storage': () => {
    Storage.prototype.setItem = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
    };
    IDBFactory.prototype.open = () => {
      throw new DOMException(
        'A mutation operation was attempted on a database that did not allow it.',
        'InvalidStateError',
      );
    };
  },
  'what is not in all browsers': () => {
    const missing = ['Notification', 'PushManager', 'BroadcastChannel', 'PerformanceObserver', 'IntersectionObserver'];
    for (const name of [...missing, 'matchMedia', 'requestIdleCallback', 'PublicKeyCredential', 'trustedTypes'])
      Object.defineProperty(window, name, { value: undefined });
    Reflect.deleteProperty(window, 'indexedDB');
    Object.defineProperty(window, 'localStorage', { value: null });
    Object.defineProperty(navigator, 'locks', { value: undefined });
    Object.defineProperty(navigator, 'clipboard', { value: undefined });
    Object.defineProperty(Crypto.prototype, 'randomUUID', { value: undefined });
    ServiceWorkerContainer.prototype.register = () => Promise.reject(new DOMException('Rejected', 'SecurityError'));
  },
};

/** Collects what breaks a page. */
function watchErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on('console', (entry) => {
    if (entry.type() === 'error' && /removeChild|insertBefore|TypeError|SecurityError/.test(entry.text()))
      errors.push(entry.text());
  });
  return errors;
}

const PAGES = ['/dashboard', '/assets', '/shared', '/analytics', '/costs', '/settings'];

async function visitAll(page: Page): Promise<void> {
  for (const path of PAGES) {
    await page
      .locator(`a[href="${path}"]`)
      .first()
      .evaluate((link: HTMLAnchorElement) => link.click());
    await expect(page).toHaveURL(new RegExp(`${path}$`));
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText('Something went wrong')).toHaveCount(0);
  }
}

for (const [name, refuse] of Object.entries(refusals))
  test(`the app works in a browser that refuses ${name}`, async ({ browser, launch }) => {
    const server = await launch();
    const context = await browser.newContext({ baseURL: server.url });
    await register(await context.newPage(), 'ben');
    const page = await (await browser.newContext({ baseURL: server.url })).newPage();
    await page.addInitScript(refuse);
    const errors = watchErrors(page);
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.goto('/login');
    await page.getByLabel('Username').fill('ben');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome back, ben!');
    await visitAll(page);
    await page.getByRole('button', { name: 'Sign Out' }).click();
    await expect(page).toHaveURL(/\/login$/);
    expect(errors).toEqual([]);
  });

/** Translates a page as browsers do: what is shown, and whatever is added later. */
const translate = (page: Page) =>
  page.addInitScript(() => {
    const wrap = () => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const texts: Text[] = [];
      while (walker.nextNode()) {
        const text = walker.currentNode as Text;
        const parent = text.parentElement;
        if (text.data.trim() && parent && !['SCRIPT', 'STYLE', 'TEXTAREA', 'FONT', 'TITLE'].includes(parent.tagName))
          texts.push(text);
      }
      for (const text of texts) {
        const font = document.createElement('font');
        font.append(Object.assign(document.createElement('font'), { textContent: text.data.toUpperCase() }));
        text.replaceWith(font);
      }
    };
    let isDue = false;
    const observer = new MutationObserver(() => {
      if (isDue) return;
      isDue = true;
      setTimeout(() => {
        isDue = false;
        wrap();
      }, 50);
    });
    window.addEventListener('DOMContentLoaded', () => {
      observer.observe(document.body, { childList: true, subtree: true, characterData: true });
      wrap();
    });
  });

test('the app works while a browser translates it', async ({ browser, launch }) => {
  const { member } = await ownerAndMember(browser, await launch(), 'translated');
  const errors = watchErrors(member);
  await translate(member);
  await member.goto('/');
  await member.goto('/dashboard');
  await expect(member.getByText('WELCOME BACK', { exact: false })).toBeVisible();
  for (let round = 0; round < 2; round += 1) {
    // The card's comes after those of the top bar and of the running session.
    await member
      .getByRole('button', { name: /start session/i })
      .last()
      .click();
    await member
      .getByRole('button', { name: /end session/i })
      .last()
      .click();
    await expect(member.getByRole('button', { name: /start session/i }).last()).toBeEnabled();
  }
  await visitAll(member);
  await member
    .locator('a[href="/shared"]')
    .first()
    .evaluate((link: HTMLAnchorElement) => link.click());
  await member.getByRole('button', { name: /manage/i }).click();
  await expect(member.getByRole('dialog')).toBeVisible();
  for (const tab of await member.getByRole('tab').all()) await tab.click();
  await member.keyboard.press('Escape');
  await expect(member.getByRole('dialog')).toBeHidden();
  expect(errors).toEqual([]);
});
