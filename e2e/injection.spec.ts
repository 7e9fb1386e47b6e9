import type { Page } from '@playwright/test';
import { expect, test } from './test.ts';
import { api, device, register } from './verbs.ts';

// Text that would run as script in a page that doesn't escape it. Each sets window.injected or opens a dialog.

const PAYLOADS = [
  '<script>window.injected=1</script>',
  '</script><script>window.injected=1</script>',
  '<img src=x onerror="window.injected=1">',
  '<IMG SRC=x OnErRoR=alert(1)>',
  '<svg onload=window.injected=1>',
  '<svg/onload=window.injected=1//',
  '<svg><script>window.injected=1</script></svg>',
  '<svg><animate onbegin=window.injected=1 attributeName=x dur=1s>',
  '<body onload=window.injected=1>',
  '<iframe src="javascript:parent.injected=1"></iframe>',
  '<iframe srcdoc="<script>parent.injected=1</script>">',
  '<object data="javascript:window.injected=1">',
  '<embed src="javascript:window.injected=1">',
  '<a href="javascript:window.injected=1">x</a>',
  '<details open ontoggle=window.injected=1>',
  '<input autofocus onfocus=window.injected=1>',
  '<video><source onerror=window.injected=1></video>',
  '<marquee onstart=window.injected=1>',
  '<math href="javascript:window.injected=1">x</math>',
  '<base href="javascript:/window.injected=1//">',
  '<link rel=stylesheet href="data:text/css,*{color:red}">',
  '<meta http-equiv=refresh content="0;javascript:window.injected=1">',
  '<style>@import "javascript:window.injected=1";</style>',
  '<form action="javascript:window.injected=1"><button>x</form>',
  '"><script>window.injected=1</script>',
  "' onmouseover='window.injected=1",
  '" onfocus="window.injected=1" autofocus="',
  '`${window.injected=1}`',
  '{{constructor.constructor("window.injected=1")()}}',
  'javascript:window.injected=1',
];

interface Watched {
  injected?: unknown;
  violated?: string[];
}

const wasInjected = (page: Page) => page.evaluate(() => (window as Watched).injected);

/** Collects dialogs and the browser's reports of blocked content. */
function watch(page: Page): string[] {
  const reports: string[] = [];
  page.on('dialog', (dialog) => {
    reports.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (/content security policy|trusted/i.test(message.text())) reports.push(message.text());
  });
  return reports;
}

test(
  'markup in names and descriptions stays text on every screen',
  { tag: '@journey' },
  async ({ browser, server }) => {
    const [owner, member] = await Promise.all([device(browser, server), device(browser, server)]);
    const reports = [owner, member].map(watch);
    await Promise.all([register(owner, 'markup-owner'), register(member, 'markup-member')]);
    for (const [index, text] of PAYLOADS.entries()) {
      // The first ones stay offers.
      if (index === 8)
        await api(member, 'POST /api/trusted-owners/', {
          username: 'markup-owner',
          monthly_amount: 1000,
          currency: 'USD',
        });
      const body = { name: text, description: text, subscription_cost: 12 };
      const { id } = (await api(owner, 'POST /api/assets/', body)) as { id: number };
      await api(owner, `POST /api/assets/${id}/share/`, { username: 'markup-member', monthly_hours_allocated: 20 });
    }
    const { results } = (await api(member, 'GET /api/shared-assets/')) as { results: { id: number }[] };
    for (const { id } of results.slice(0, 3)) await api(member, `POST /api/shared-assets/${id}/start/`);
    const first = results[0]?.id;

    for (const [page, paths] of [
      [owner, ['/dashboard', '/assets', '/analytics', '/costs', '/settings', '/profile']],
      [member, ['/dashboard', '/shared', '/analytics', '/costs', `/shared?share=${first}&tab=usage`]],
    ] as const)
      for (const path of paths) {
        await page.goto(path);
        // Found by its tag, because it has no role behind an open dialog.
        await expect(page.locator('h1')).toBeVisible();
        await page.waitForLoadState('networkidle');
        expect([path, await wasInjected(page)]).toEqual([path, undefined]);
        // All images are the app's own files, and none of the texts became an element.
        expect([
          path,
          await page.locator('script:not([src]), iframe, object, embed, [onerror], [onload], [onfocus]').count(),
        ]).toEqual([path, 0]);
      }

    await owner.goto('/assets');
    await member.goto('/shared');
    // Read at once: finding a heading by its name reads all others, too.
    for (const page of [owner, member])
      await expect.poll(() => page.getByRole('heading').allTextContents()).toEqual(expect.arrayContaining(PAYLOADS));
    expect(reports).toEqual([[], []]);
  },
);

test("the browser only runs scripts from this server's files", { tag: '@journey' }, async ({ page }) => {
  await page.goto('/login');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const refusals = await page.evaluate(() => {
    const violated: string[] = ((window as Watched).violated = []);
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => violated.push(effectiveDirective));
    const isRefused = (write: () => void) => {
      try {
        write();
        return false;
      } catch {
        return true;
      }
    };
    const element = document.createElement('div');
    const script = document.createElement('script');
    const results = [
      isRefused(() => (element.innerHTML = '<img src=x onerror="window.injected=1">')),
      isRefused(() => element.insertAdjacentHTML('beforeend', '<svg onload=window.injected=1>')),
      isRefused(() => (script.src = 'data:text/javascript,window.injected=1')),
      isRefused(() => (script.text = 'window.injected=1')),
      isRefused(() => element.setAttribute('onclick', 'window.injected=1')),
    ];
    const inline = document.createElement('script');
    inline.appendChild(document.createTextNode('window.injected=1'));
    const frame = document.createElement('iframe');
    frame.src = 'https://elsewhere.example/';
    const image = new Image();
    image.src = 'https://elsewhere.example/pixel.png';
    const link = document.createElement('a');
    link.href = ['javascript', 'window.injected=1'].join(':');
    document.body.append(inline, frame, link);
    link.click();
    void fetch('https://elsewhere.example/').catch(() => undefined);
    return results;
  });
  expect(refusals).toEqual([true, true, true, true, true]);
  await expect
    .poll(() => page.evaluate(() => (window as Watched).violated))
    .toEqual(
      expect.arrayContaining(['require-trusted-types-for', 'script-src-elem', 'frame-src', 'img-src', 'connect-src']),
    );
  expect(await wasInjected(page)).toBeUndefined();
});
