import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { findBrowser } from './browser.mjs';
import { build } from './build.mjs';
import { findPgbouncer, findPostgres } from './postgres.mjs';
import { onSignal, run, tool } from './processes.mjs';

// Every test there is: unit and server tests on the embedded engine, the server's again on PostgreSQL, then the browser
// tests. What could not be run is said at the end. `--counts <file>` also writes the counts there, for CI.

/** @typedef {{ passed: number, failed: number, skipped: number, failures: string[] }} Counts */
/** @typedef {Counts & { name: string, note: string }} Suite */

const isCi = process.env.CI === 'true';
const reports = mkdtempSync(join(tmpdir(), 'hourshare-test-'));
/** @type {Suite[]} */
const suites = [];
/** @type {string[]} */
const notRun = [];

/** @type {import('./postgres.mjs').Server | undefined} */
let postgres;
async function tidyUp() {
  await postgres?.stop();
  rmSync(reports, { recursive: true, force: true });
}
onSignal(tidyUp);

/** @param {string} name @param {string} note */
function failure(name, note) {
  suites.push({ name, passed: 0, failed: 1, skipped: 0, failures: [], note });
}

/** @param {string} file @returns {any} undefined when the runner ended before it could write a report */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * A runner's own exit code has the last word: it also fails on what is no test, such as a file that can't be loaded.
 *
 * @param {string} name
 * @param {number} code
 * @param {Counts | undefined} counts
 */
function record(name, code, counts) {
  if (!counts) return failure(name, `ended with code ${code} before it could report`);
  if (counts.passed + counts.failed === 0) return failure(name, 'executed no test');
  if (code !== 0 && counts.failed === 0) {
    suites.push({ name, ...counts, failed: 1, note: `every test passed, but the runner ended with code ${code}` });
  } else {
    suites.push({ name, ...counts, note: '' });
  }
}

/** @param {{ testResults: { name: string, assertionResults: { status: string, fullName: string }[] }[] }} report */
const failedTests = ({ testResults }) =>
  testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName }) => `${relative(process.cwd(), name)}: ${fullName}`),
  );

/** @typedef {{ suites?: Group[], specs?: { ok: boolean, file: string, title: string }[] }} Group */

/** @param {Group[]} groups @returns {string[]} */
const failedSpecs = (groups) =>
  groups.flatMap(({ suites: inner = [], specs = [] }) => [
    ...specs.filter(({ ok }) => !ok).map(({ file, title }) => `e2e/${file}: ${title}`),
    ...failedSpecs(inner),
  ]);

/** @param {string} name @param {string[]} args @param {NodeJS.ProcessEnv} env */
async function vitest(name, args, env) {
  console.log(`\n── ${name} ──`);
  const report = join(reports, `${suites.length}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const { code } = await run(tool('vitest'), ['run', ...args, ...reporters], { env });
  const result = readReport(report);
  record(
    name,
    code,
    result && {
      passed: result.numPassedTests,
      failed: result.numFailedTests,
      skipped: result.numPendingTests + result.numTodoTests,
      failures: failedTests(result),
    },
  );
}

/** @param {string} name @param {NodeJS.ProcessEnv} env */
async function playwright(name, env) {
  console.log(`\n── ${name} ──`);
  const report = join(reports, 'playwright.json');
  const { code } = await run(tool('playwright'), ['test'], {
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
  });
  const result = readReport(report);
  const stats = result?.stats;
  record(
    name,
    code,
    stats && {
      passed: stats.expected,
      failed: stats.unexpected + stats.flaky,
      skipped: stats.skipped,
      failures: failedSpecs(result.suites),
    },
  );
}

async function main() {
  const { TEST_DATABASE_URL: _, ...embedded } = process.env;

  const browser = await findBrowser();
  console.log('path' in browser ? `Browser: ${browser.path}` : `Browser: ${browser.missing}`);

  const database = await findPostgres();
  if ('missing' in database) {
    console.log(`PostgreSQL: ${database.missing}`);
    notRun.push(`on PostgreSQL; everything ran on the embedded engine alone: ${database.missing}`);
  } else {
    postgres = database;
    console.log(`PostgreSQL: ${database.description}`);
  }
  if (!(await findPgbouncer())) {
    const missing = 'no PgBouncer here: install the package pgbouncer';
    notRun.push(`tests behind a connection pooler: ${missing}`);
    if (isCi) failure('Tests behind a connection pooler', missing);
  }
  const everywhere = postgres ? { ...embedded, TEST_DATABASE_URL: postgres.url } : embedded;

  if (!(await build())) {
    failure('build', 'the browser tests need a build');
    notRun.push('browser tests: the build failed');
  }
  await vitest('Unit and server tests, embedded engine', [], embedded);
  if (postgres) await vitest('Server tests, PostgreSQL', ['--project', '*server'], everywhere);

  if (suites.some(({ name }) => name === 'build')) return;
  if ('path' in browser) {
    await playwright('Browser tests', { ...everywhere, CHROMIUM_PATH: browser.path });
  } else {
    notRun.push(`browser tests: ${browser.missing}`);
    // A person may go on without a browser and is told so; CI must not.
    if (isCi) failure('Browser tests', browser.missing);
  }
}

/** @param {'passed' | 'failed' | 'skipped'} outcome */
const total = (outcome) => suites.reduce((sum, suite) => sum + suite[outcome], 0);

function summarise() {
  console.log('\n── Summary ──');
  for (const { name, passed, failed, skipped, failures, note } of suites) {
    console.log(`${name}: ${passed} passed, ${failed} failed, ${skipped} skipped${note && ` (${note})`}`);
    // Said again here, for who sees no more than the end of a long output.
    for (const test of failures) console.log(`  failed: ${test}`);
  }
  for (const what of notRun) console.log(`Not run ${what.startsWith('on ') ? '' : '– '}${what}`);
  console.log(`\n${total('passed')} passed, ${total('failed')} failed, ${total('skipped')} skipped`);
}

try {
  await main();
} catch (error) {
  failure('test run', error instanceof Error ? error.message : String(error));
} finally {
  await tidyUp();
}
summarise();
const counts = process.argv[process.argv.indexOf('--counts') + 1];
if (process.argv.includes('--counts') && counts) {
  const outcome = { passed: total('passed'), failed: total('failed'), skipped: total('skipped'), notRun };
  writeFileSync(counts, JSON.stringify(outcome));
}
process.exitCode = total('failed') === 0 && total('passed') > 0 ? 0 : 1;
