import { defineConfig } from '@playwright/test';
import { locateBrowser } from './scripts/browser.mjs';

const executablePath = locateBrowser();

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/prepare-data.ts',
  forbidOnly: true,
  // A test that passes at the second try is a bug in the test or in the product.
  retries: 0,
  workers: 2,
  // A whole journey, on a machine that may be busy with something else: only there to end what hangs.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  // Where the JSON goes is said by PLAYWRIGHT_JSON_OUTPUT_NAME; without it it would land between the lines of the list.
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [['list'], ['json']] : [['list']],
  use: {
    // An element that never appears fails its test soon enough for the others to finish.
    actionTimeout: 120_000,
    // Keeping the whole app in each new browser takes time; offline.spec.ts has its own worker.
    serviceWorkers: 'block',
    // Recording a trace takes a tenth of a test's time, and most pass: --trace on records them.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath && { executablePath }),
      args: [
        // Chromium refuses to run as root inside its sandbox.
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        '--disable-gpu',
        // Without a GPU, its process only copies frames back and forth.
        '--in-process-gpu',
        // The tests talk to this machine alone; the browser must not try to reach anything else.
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
