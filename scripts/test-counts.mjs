import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './processes.mjs';

// Counts the tests of a run. As a Vitest reporter, because Vitest's own reports appear only after the last test, and
// count tests as skipped when their hooks fail or their file doesn't load.

/** @typedef {{ passed: number, failed: number, skipped: number, failures: string[], skips: string[] }} Counts */

/** @returns {Counts} */
const noCounts = () => ({ passed: 0, failed: 0, skipped: 0, failures: [], skips: [] });

/** @param {string} name @param {{ message?: string } | undefined} error */
function failureLine(name, error) {
  const [first] = stripVTControlCharacters(error?.message ?? '')
    .trim()
    .split('\n', 1);
  return first ? `${name}: ${first}` : name;
}

/** Returns whether a failed hook blocked a test. @param {import('vitest/node').TestCase} test */
const wasBlocked = (test) => test.result().state === 'skipped' && test.options.mode === 'run';

/** @param {import('vitest/node').TestModule} module @param {Counts} counts */
function countModule(module, counts) {
  const file = relative(root, module.moduleId);
  for (const suite of [module, ...module.children.allSuites()]) {
    const [error] = suite.errors();
    if (!error) continue;
    counts.failures.push(failureLine(suite.type === 'module' ? file : `${file}: ${suite.fullName}`, error));
    // The tests that it blocked are counted below.
    if (![...suite.children.allTests()].some(wasBlocked)) counts.failed += 1;
  }
  for (const test of module.children.allTests()) {
    const { state, errors } = test.result();
    const name = `${file}: ${test.fullName}`;
    if (state === 'passed') counts.passed += 1;
    else if (state === 'skipped' && !wasBlocked(test)) {
      counts.skipped += 1;
      counts.skips.push(name);
    } else {
      counts.failed += 1;
      if (state === 'failed') counts.failures.push(failureLine(name, errors[0]));
      if (state === 'pending') counts.failures.push(`${name}: did not finish`);
    }
  }
}

/** Writes the counts to the file named in TEST_COUNTS after each file of tests, so that an interrupted run has them, too. */
// oxlint-disable-next-line import/no-default-export -- Vitest loads a reporter by it
export default class CountsReporter {
  counts = noCounts();

  /** @param {import('vitest/node').TestModule} module */
  onTestModuleEnd(module) {
    countModule(module, this.counts);
    this.write();
  }

  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly { message?: string }[]} unhandled errors outside of any test
   */
  onTestRunEnd(modules, unhandled) {
    // Anew, because files that don't load have no error before.
    this.counts = noCounts();
    for (const module of modules) countModule(module, this.counts);
    this.counts.failed += unhandled.length;
    this.counts.failures.push(...unhandled.map((error) => failureLine('outside of a test', error)));
    this.write();
  }

  write() {
    if (process.env.TEST_COUNTS) writeFileSync(process.env.TEST_COUNTS, JSON.stringify(this.counts));
  }
}

/**
 * @typedef {object} Test
 * @property {'expected' | 'unexpected' | 'flaky' | 'skipped'} status
 * @property {string} expectedStatus
 * @property {{ error?: { message?: string, location?: { line: number } } }[]} [results]
 * @typedef {{ suites?: Group[], specs?: { title: string, file: string, tests: Test[] }[] }} Group
 */

/** @param {Group} group @returns {NonNullable<Group['specs']>} */
const specsIn = ({ suites = [], specs = [] }) => [...specs, ...suites.flatMap(specsIn)];

/** @param {Group & { errors?: { message?: string }[] }} report Playwright's JSON */
export function playwrightCounts(report) {
  const counts = noCounts();
  for (const { title, file, tests } of specsIn(report))
    for (const { status, expectedStatus, results = [] } of tests) {
      const name = `${join('e2e', file)}: ${title}`;
      if (status === 'expected') counts.passed += 1;
      // A test that should pass but didn't run was blocked by a failed hook.
      else if (status === 'skipped' && expectedStatus === 'skipped') {
        counts.skipped += 1;
        counts.skips.push(name);
      } else {
        counts.failed += 1;
        const error = results.find((result) => result.error)?.error;
        counts.failures.push(failureLine(error?.location ? `${name} (line ${error.location.line})` : name, error));
      }
    }
  // For example files that don't load, whose tests are unknown.
  for (const error of report.errors ?? []) {
    counts.failed += 1;
    counts.failures.push(failureLine('outside of a test', error));
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
  if (counts.passed > 0 && code === 0) return counts;
  const reason = counts.passed === 0 ? 'executed no test' : `every test passed, but the runner ended with code ${code}`;
  return { ...counts, failed: 1, failures: [reason] };
}
