import { connection } from '../../platform/http/connection.ts';

/** Resolves once the page has loaded and the browser has nothing else to do; at once without a connection. */
export const idle = (): Promise<void> =>
  new Promise((resolve) => {
    // Safari lacks it.
    const { requestIdleCallback } = window as Partial<Window>;
    if (connection() !== 'online') resolve();
    else if (requestIdleCallback) requestIdleCallback(() => resolve(), { timeout: 3_000 });
    else setTimeout(resolve, 1_000);
  });
