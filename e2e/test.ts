import { test as base, type TestInfo } from '@playwright/test';
import { type RunningServer, startServer } from './server.ts';

interface TestFixtures {
  /** Starts servers of the test's own, which end with it. */
  launch: typeof startServer;
  /** Works by itself: shows what the shared server printed during a test that failed. */
  serverLog: void;
  /** Works by itself: closes what a test opened with `browser.newContext`, whose pages would go on asking the server. */
  closedContexts: void;
}

interface WorkerFixtures {
  /** One server for all tests of a worker; a test that restarts it or counts takes one of its own from `launch`. */
  server: RunningServer;
}

async function showAfterFailure(log: string, testInfo: TestInfo) {
  if (testInfo.status === testInfo.expectedStatus) return;
  process.stderr.write(`The server of "${testInfo.title}" printed:\n${log}\n`);
  await testInfo.attach('server.log', { body: log, contentType: 'text/plain' });
}

// Playwright reads the first parameter's pattern to learn what a fixture needs, so it must be one even when empty.
/* oxlint-disable no-empty-pattern */

/** The test to write journeys with: servers end by themselves, and a failure shows what they printed. */
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
    await use(async (engine, settings) => {
      const server = await startServer(engine, settings);
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
