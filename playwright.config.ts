import { defineConfig } from '@playwright/test';
import { locateBrowser } from './harness/browser.mjs';

const executablePath = locateBrowser();

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/prepare-data.ts',
  forbidOnly: true,
  // A test that passes on the second try has a bug, or has found one.
  retries: 0,
  workers: 2,
  // Long enough for a journey on a busy machine; it only ends tests that hang.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  // PLAYWRIGHT_JSON_OUTPUT_NAME names the file for the JSON; without it, the JSON would be mixed into the list.
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [['list'], ['json']] : [['list']],
  use: {
    // An element that never appears fails its test soon enough for the others to finish.
    actionTimeout: 120_000,
    // Caching the whole app in each new browser takes time; offline.spec.ts has its own worker.
    serviceWorkers: 'block',
    // Recording a trace takes a tenth of a test's time, and most pass: --trace on records them.
    trace: 'off',
    screenshot: 'only-on-failure',
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      ...(executablePath && { executablePath }),
      args: [
        // Chromium refuses to run as root inside its sandbox.
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        '--disable-gpu',
        // Pages live for seconds: what optimizing code costs isn't won back.
        '--js-flags=--no-opt',
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
