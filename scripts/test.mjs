import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser } from './browser.mjs';
import { build } from './build.mjs';
import { findPostgres } from './postgres.mjs';
import { isMain, onSignal, root, run, tool } from './processes.mjs';
import { judgeRun, playwrightCounts, summarize } from './test-counts.mjs';

// Runs all tests: unit and server tests on the embedded engine, the server's again on PostgreSQL, then browser
// tests. What couldn't run is named at the end and fails in CI. Hand-written because each runner only knows its own
// tests, and none provides the database and the browser.

const isCi = process.env.CI === 'true';
const reports = mkdtempSync(join(tmpdir(), 'hourshare-test-'));
/** @type {import('./test-counts.mjs').Suite[]} */
const suites = [];
/** Parts that couldn't run, with the reason. @type {string[]} */
const missing = [];

/** @type {import('./postgres.mjs').Server | undefined} */
let postgres;

async function cleanUp() {
  await postgres?.stop();
  rmSync(reports, { recursive: true, force: true });
}
onSignal(cleanUp);

/** @param {string} name @param {number} code @param {import('./test-counts.mjs').Counts | undefined} counts */
const record = (name, code, counts) => suites.push({ name, ...judgeRun(code, counts) });

/** @param {string} name @param {string} reason */
const failure = (name, reason) =>
  suites.push({ name, passed: 0, failed: 1, skipped: 0, failures: [reason], skips: [] });

/** @param {string} file @returns {any} undefined when the runner ended without writing a report */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** @param {string} name @param {string[]} args @param {NodeJS.ProcessEnv} env */
async function vitest(name, args, env) {
  console.log(`\n── ${name} ──`);
  const report = join(reports, `${suites.length}.json`);
  const reporters = ['--reporter=default', `--reporter=${join(root, 'scripts', 'test-counts.mjs')}`];
  const { code } = await run(tool('vitest'), ['run', ...args, ...reporters], { env: { ...env, TEST_COUNTS: report } });
  record(name, code, readReport(report));
}

/** @param {string} name @param {NodeJS.ProcessEnv} env */
async function playwright(name, env) {
  console.log(`\n── ${name} ──`);
  const report = join(reports, 'playwright.json');
  const { code } = await run(tool('playwright'), ['test'], {
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
  });
  const result = readReport(report);
  record(name, code, result && playwrightCounts(result));
}

async function runSuites() {
  const browser = await findBrowser();
  console.log('path' in browser ? `Browser: ${browser.path}` : `Browser: ${browser.missing}`);

  const { TEST_DATABASE_URL: _, ...inherited } = process.env;
  const database = await findPostgres();
  if ('missing' in database) {
    console.log(`PostgreSQL: ${database.missing}`);
    missing.push(`server tests on PostgreSQL: ${database.missing}`);
  } else {
    postgres = database;
    console.log(`PostgreSQL: ${database.description}`);
  }
  // Used by tests that start their own servers.
  const embedded = { ...inherited, ...postgres?.env };
  const everywhere = postgres ? { ...embedded, TEST_DATABASE_URL: postgres.url } : embedded;

  const isBuilt = await build();
  await vitest('Unit and server tests, embedded engine', [], embedded);
  if (postgres) await vitest('Server tests, PostgreSQL', ['--project', '*server'], everywhere);

  if (!isBuilt) failure('Browser tests', 'the build failed');
  else if ('path' in browser) await playwright('Browser tests', { ...everywhere, CHROMIUM_PATH: browser.path });
  else missing.push(`browser tests: ${browser.missing}`);
}

export async function runTests() {
  try {
    await runSuites();
  } catch (error) {
    failure('test run', error instanceof Error ? error.message : String(error));
  } finally {
    await cleanUp();
  }
  const { counts, lines, isGreen } = summarize(suites, missing, isCi);
  console.log(['\n── Summary ──', ...lines].join('\n'));
  return { counts, isGreen };
}

if (isMain(import.meta.filename)) {
  const { isGreen } = await runTests();
  process.exitCode = isGreen ? 0 : 1;
}
