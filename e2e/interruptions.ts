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

/**
 * Keeps a page from reading anything again by itself, so that what it shows stays until it is pressed. Live updates and the readings
 * of every minute could remove a message or a button first.
 */
export async function withoutUpdates(page: Page): Promise<void> {
  await page.addInitScript((longest) => {
    const setInterval = window.setInterval.bind(window);
    const ignoreLong = (handler: TimerHandler, milliseconds = 0, ...rest: unknown[]) =>
      milliseconds < longest ? setInterval(handler, milliseconds, ...rest) : 0;
    Object.assign(window, { setInterval: ignoreLong });
  }, 60_000);
  await withoutLiveUpdates(page);
}

/** Keeps the toasts of a page from leaving after six seconds, as pointing at them does, so that one can be pressed. */
export const keepToasts = (page: Page): Promise<void> =>
  page.locator('[role="status"][aria-atomic="false"]').dispatchEvent('pointerover');

export const refusal = (status: number, error: string, code = 'internal') => ({ status, json: { error, code } });
