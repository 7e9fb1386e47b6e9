import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './processes.mjs';

// Counts the tests of a run. As a Vitest reporter, because Vitest's own reports appear only after the last test, and
// count tests as skipped when their hooks fail or their file doesn't load.

/** @typedef {{ passed: number, failed: number, skipped: number, failures: string[], skips: string[] }} Counts */

/** @returns {Counts} */
export const noCounts = () => ({ passed: 0, failed: 0, skipped: 0, failures: [], skips: [] });

/** @param {Counts} counts @param {string} name @param {{ message?: string | undefined }} [error] */
function addFailure(counts, name, error) {
  const [first] = stripVTControlCharacters(error?.message ?? '')
    .trim()
    .split('\n', 1);
  counts.failures.push(first ? `${name}: ${first}` : name);
}

/** Returns whether a failed hook blocked a test. @param {import('vitest/node').TestCase} test */
const wasBlocked = (test) => test.result().state === 'skipped' && test.options.mode === 'run';

/** @param {import('vitest/node').TestModule} module @param {Counts} counts */
function countModule(module, counts) {
  const file = relative(root, module.moduleId);
  for (const suite of [module, ...module.children.allSuites()]) {
    const [error] = suite.errors();
    if (!error) continue;
    addFailure(counts, suite.type === 'module' ? file : `${file}: ${suite.fullName}`, error);
    // The tests that it blocked are counted below.
    if (![...suite.children.allTests()].some(wasBlocked)) counts.failed += 1;
  }
  for (const test of module.children.allTests()) {
    const { state, errors } = test.result();
    const name = `${file}: ${test.fullName}`;
    const outcome = state === 'pending' || wasBlocked(test) ? 'failed' : state;
    counts[outcome] += 1;
    if (outcome === 'skipped') counts.skips.push(name);
    if (state === 'failed') addFailure(counts, name, errors[0]);
    if (state === 'pending') addFailure(counts, `${name}: did not finish`);
  }
}

/** Writes the counts to the file named in TEST_COUNTS after each file of tests, so that an interrupted run has them, too. */
// oxlint-disable-next-line import/no-default-export -- Vitest loads a reporter by it
export default class CountsReporter {
  counts = noCounts();

  /** @param {import('vitest/node').TestModule} module */
  onTestModuleEnd(module) {
    countModule(module, this.counts);
    writeFileSync(String(process.env.TEST_COUNTS), JSON.stringify(this.counts));
  }

  /** @param {readonly import('vitest/node').TestModule[]} modules @param {readonly { message?: string }[]} unhandled */
  onTestRunEnd(modules, unhandled) {
    // Anew, because files that don't load have no error before.
    const counts = noCounts();
    for (const module of modules) countModule(module, counts);
    counts.failed += unhandled.length;
    for (const error of unhandled) addFailure(counts, 'outside of a test', error);
    writeFileSync(String(process.env.TEST_COUNTS), JSON.stringify(counts));
  }
}

/** @typedef {import('@playwright/test/reporter').JSONReportSuite} Suite */
/** @param {Suite} suite @returns {Suite['specs']} */
const specsIn = ({ suites = [], specs }) => [...specs, ...suites.flatMap(specsIn)];

/** @param {import('@playwright/test/reporter').JSONReport} report */
export function playwrightCounts(report) {
  const counts = noCounts();
  for (const { title, file, tests } of report.suites.flatMap(specsIn))
    for (const { status, expectedStatus, results } of tests) {
      const name = `${join('e2e', file)}: ${title}`;
      // A test that should pass but didn't run was blocked by a failed hook.
      const isSkipped = status === 'skipped' && expectedStatus === 'skipped';
      const outcome = status === 'expected' ? 'passed' : isSkipped ? 'skipped' : 'failed';
      counts[outcome] += 1;
      if (outcome === 'skipped') counts.skips.push(name);
      const error = results.find((result) => result.error)?.error;
      if (outcome === 'failed')
        addFailure(counts, error?.location ? `${name} (line ${error.location.line})` : name, error);
    }
  // For example files that don't load, whose tests are unknown.
  counts.failed += report.errors.length;
  for (const error of report.errors) addFailure(counts, 'outside of a test', error);
  return counts;
}

/**
 * Returns the counts of a run with its exit code taken into account. A run without a report, without tests, or with an
 * error despite passing tests has failed.
 *
 * @param {number} code
 * @param {Counts | undefined} counts
 */
export function judgeRun(code, counts) {
  if (!counts) return { ...noCounts(), failed: 1, failures: [`ended with code ${code} before it could report`] };
  if (counts.failed > 0 || (counts.passed > 0 && code === 0)) return counts;
  const reason = counts.passed === 0 ? 'executed no test' : `every test passed, but the runner ended with code ${code}`;
  return { ...counts, failed: 1, failures: [reason] };
}
