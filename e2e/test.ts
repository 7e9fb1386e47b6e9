import { test as base, type TestInfo } from '@playwright/test';
import { type RunningServer, startServer } from './server.ts';

interface TestFixtures {
  /** Starts servers of the test's own, which stop with it. */
  launch: typeof startServer;
  /** Runs automatically: shows what the shared server printed during a failed test. */
  serverLog: void;
  /**
   * Runs automatically: closes what a test opened with `browser.newContext`, whose pages would keep calling the server.
   */
  closedContexts: void;
}

interface WorkerFixtures {
  /** One server for all tests of a worker. A test that restarts it, or counts, starts its own with `launch`. */
  server: RunningServer;
}

async function showAfterFailure(log: string, testInfo: TestInfo) {
  if (testInfo.status === testInfo.expectedStatus) return;
  process.stderr.write(`The server of "${testInfo.title}" printed:\n${log}\n`);
  await testInfo.attach('server.log', { body: log, contentType: 'text/plain' });
}

// Playwright reads the first parameter's pattern to learn which fixtures are needed, so it must be one even when
// empty.
/* oxlint-disable no-empty-pattern */

/** The test function for journeys: servers stop automatically, and a failure shows what they printed. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  server: [
    async ({}, use) => {
      const server = await startServer();
      await use(server);
      await server.dispose();
    },
    { scope: 'worker', timeout: 360_000 },
  ],

  baseURL: ({ server }, use) => use(server.url),

  serverLog: [
    async ({ server }, use, testInfo) => {
      const before = server.log.length;
      await use();
      await showAfterFailure(server.log.slice(before), testInfo);
    },
    { auto: true },
  ],

  closedContexts: [
    async ({ browser }, use) => {
      await use();
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
    { auto: true },
  ],

  launch: async ({}, use, testInfo) => {
    const servers: RunningServer[] = [];
    await use(async (...args) => {
      const server = await startServer(...args);
      servers.push(server);
      return server;
    });
    for (const server of servers) {
      await showAfterFailure(server.log, testInfo);
      await server.dispose();
    }
  },
});

export { expect } from '@playwright/test';
