import type { Page, Route } from '@playwright/test';

// Interrupts API calls, for states that a healthy server never shows. A call is written as in the contract, such as
// "PATCH /api/assets/{id}/".

type Reply = { status: number; json?: unknown } | 'no connection';

function intercept(page: Page, call: string, handle: (route: Route) => Promise<void>): Promise<unknown> {
  const [method = '', path = ''] = call.split(' ');
  const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
  return page.route(
    (url) => pattern.test(url.pathname),
    (route) => (route.request().method() === method ? handle(route) : route.fallback()),
  );
}

/** Answers a call with this reply until the returned function is called. */
export async function interrupt(page: Page, call: string, reply: Reply): Promise<() => void> {
  let isOver = false;
  await intercept(page, call, async (route) => {
    if (isOver) await route.fallback();
    else if (reply === 'no connection') await route.abort();
    else await route.fulfill({ status: reply.status, json: reply.json ?? null });
  });
  return () => void (isOver = true);
}

/** Delays a call until the returned function is called. */
export async function slowDown(page: Page, call: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await intercept(page, call, async (route) => {
    await released;
    await route.fallback();
  });
  return () => release();
}

/** Keeps live updates from a page, which then shows what it knew until it asks again. */
export async function withoutLiveUpdates(page: Page): Promise<void> {
  await interrupt(page, 'GET /api/events/', 'no connection');
  await page.reload();
}

export const refusal = (status: number, error: string, code = 'internal') => ({ status, json: { error, code } });
