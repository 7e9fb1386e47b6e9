import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './processes.mjs';

// Counts passed, failed and skipped tests of a run. Hand-written because Vitest's reports count tests as skipped
// when their hooks fail or their file doesn't load, and name neither; so this is also a Vitest reporter for
// scripts/test.mjs.

/**
 * @typedef {{ passed: number, failed: number, skipped: number, failures: string[], skips: string[] }} Counts
 * @typedef {Counts & { name: string }} Suite
 */

/** @returns {Counts} */
const noCounts = () => ({ passed: 0, failed: 0, skipped: 0, failures: [], skips: [] });

const firstLine = (/** @type {unknown} */ message) =>
  stripVTControlCharacters(String(message)).trim().split('\n', 1)[0];

/** Returns a failed test's name with the first line of its error, and what Playwright looked for. @param {string} name @param {{ message?: string } | undefined} error */
function failureLine(name, error) {
  if (error?.message === undefined) return name;
  const locator = /^Locator: *(.*)$/m.exec(stripVTControlCharacters(error.message))?.[1];
  return `${name}: ${firstLine(error.message)}${locator ? `: ${locator}` : ''}`;
}

/**
 * @param {readonly import('vitest/node').TestModule[]} modules
 * @param {readonly { message?: string }[]} unhandled errors outside of any test
 */
export function vitestCounts(modules, unhandled) {
  const counts = noCounts();
  for (const module of modules) {
    const file = relative(root, module.moduleId);
    for (const suite of [module, ...module.children.allSuites()]) {
      const [error] = suite.errors();
      if (!error) continue;
      const name = suite.type === 'module' ? file : `${file}: ${suite.fullName}`;
      counts.failures.push(`${name}: ${firstLine(error.message)}`);
      // The tests that it blocked are counted below.
      if (![...suite.children.allTests()].some(wasBlocked)) counts.failed += 1;
    }
    for (const test of module.children.allTests()) {
      const { state, errors } = test.result();
      if (state === 'passed') counts.passed += 1;
      else if (state === 'skipped' && !wasBlocked(test)) {
        counts.skipped += 1;
        counts.skips.push(`${file}: ${test.fullName}`);
      } else {
        counts.failed += 1;
        if (state === 'failed') counts.failures.push(failureLine(`${file}: ${test.fullName}`, errors[0]));
        if (state === 'pending') counts.failures.push(`${file}: ${test.fullName}: did not finish`);
      }
    }
  }
  for (const { message } of unhandled) {
    counts.failed += 1;
    counts.failures.push(`outside of a test: ${firstLine(message)}`);
  }
  return counts;
}

/** Returns whether a failed hook blocked a test. @param {import('vitest/node').TestCase} test */
const wasBlocked = (test) => test.result().state === 'skipped' && test.options.mode === 'run';

/** Writes the counts to the file named in TEST_COUNTS. */
// oxlint-disable-next-line import/no-default-export -- Vitest loads a reporter by it
export default class CountsReporter {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly { message?: string }[]} unhandled
   */
  onTestRunEnd(modules, unhandled) {
    if (process.env.TEST_COUNTS)
      writeFileSync(process.env.TEST_COUNTS, JSON.stringify(vitestCounts(modules, unhandled)));
  }
}

/**
 * @typedef {object} Test
 * @property {'expected' | 'unexpected' | 'flaky' | 'skipped'} status
 * @property {string} expectedStatus
 * @property {{ error?: { message?: string, location?: { file: string, line: number } } }[]} [results]
 * @typedef {{ title: string, file: string, tests: Test[] }} Spec
 * @typedef {{ suites?: Group[], specs?: Spec[] }} Group
 */

/** @param {Group} group @returns {Spec[]} */
const specsIn = ({ suites = [], specs = [] }) => [...specs, ...suites.flatMap(specsIn)];

/** @param {Group & { errors?: { message?: string, location?: { file: string } }[] }} report Playwright's JSON */
export function playwrightCounts(report) {
  const counts = noCounts();
  for (const { title, file, tests } of specsIn(report)) {
    const name = `${join('e2e', file)}: ${title}`;
    for (const { status, expectedStatus, results = [] } of tests) {
      if (status === 'expected') counts.passed += 1;
      // A test that should pass but didn't run was blocked by a failed hook.
      else if (status === 'skipped' && expectedStatus === 'skipped') {
        counts.skipped += 1;
        counts.skips.push(name);
      } else {
        counts.failed += 1;
        const error = results.find((result) => result.error)?.error;
        const line = error?.location ? ` (line ${error.location.line})` : '';
        counts.failures.push(failureLine(name + line, error));
      }
    }
  }
  // For example files that don't load, whose tests are unknown.
  for (const { message, location } of report.errors ?? []) {
    counts.failed += 1;
    counts.failures.push(`${location ? `${relative(root, location.file)}: ` : ''}${firstLine(message)}`);
  }
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
  if (counts.failed > 0) return counts;
  const reason = counts.passed === 0 ? 'executed no test' : `every test passed, but the runner ended with code ${code}`;
  if (counts.passed > 0 && code === 0) return counts;
  return { ...counts, failed: 1, failures: [reason] };
}

/**
 * Returns the last lines of the output, and the totals. In CI, anything that didn't run has failed.
 *
 * @param {Suite[]} suites
 * @param {string[]} missing parts that couldn't run at all, each with the reason
 * @param {boolean} isCi
 */
export function summarize(suites, missing, isCi) {
  const lines = suites.flatMap(({ name, passed, failed, skipped, failures }) => [
    `${name}: ${passed} passed, ${failed} failed, ${skipped} skipped`,
    // Repeated for those who only see the end of a long output.
    ...failures.map((failure) => `  failed: ${failure}`),
  ]);
  const total = (/** @type {'passed' | 'failed' | 'skipped'} */ outcome) =>
    suites.reduce((sum, suite) => sum + suite[outcome], 0);
  const notRun = [...missing, ...suites.flatMap(({ skips }) => skips)];
  const notRunCount = missing.length + total('skipped');
  const counts = {
    passed: total('passed'),
    failed: total('failed') + (isCi ? notRunCount : 0),
    skipped: isCi ? 0 : notRunCount,
    notRun,
  };
  lines.push('', ...notRun.map((what) => `Not run${isCi ? ', which fails in CI' : ''}: ${what}`));
  lines.push(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  return { counts, lines, isGreen: counts.failed === 0 && counts.passed > 0 };
}
