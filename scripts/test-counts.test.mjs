import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { root, tool } from './processes.mjs';
import { judgeRun, playwrightCounts, summarize } from './test-counts.mjs';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hourshare-counts-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs seeded test files the way scripts/test.mjs runs ours. @param {Record<string, string>} files content by name */
function vitest(files) {
  writeFileSync(join(folder, 'vitest.config.mjs'), 'export default {};');
  for (const [file, content] of Object.entries(files)) writeFileSync(join(folder, file), content);
  const report = join(folder, 'counts.json');
  const { status } = spawnSync(tool('vitest'), ['run', `--reporter=${join(root, 'scripts/test-counts.mjs')}`], {
    cwd: folder,
    env: { ...process.env, TEST_COUNTS: report },
  });
  const counts = JSON.parse(readFileSync(report, 'utf8'));
  /** @param {string[]} names */
  const local = (names) =>
    names.map((name) => name.slice(name.indexOf(basename(folder)) + basename(folder).length + 1));
  return { ...counts, failures: local(counts.failures), skips: local(counts.skips), status };
}

const VITEST = "import { afterAll, beforeAll, describe, expect, it } from 'vitest';\n";
// Joined, because the structure check would find it here.
const SKIP = ['it', 'skip'].join('.');

describe('the counts of a Vitest run', () => {
  it('distinguish passed, failed and skipped tests, and name the latter two', () => {
    const tests = `it('holds', () => {}); describe('group', () => it('breaks', () => expect(1).toBe(2)));
      ${SKIP}('waits', () => {}); it.runIf(false)('needs another system', () => {});`;
    expect(vitest({ 'a.test.js': VITEST + tests })).toEqual({
      passed: 1,
      failed: 1,
      skipped: 2,
      failures: ['a.test.js: group > breaks: expected 1 to be 2 // Object.is equality'],
      skips: ['a.test.js: waits', 'a.test.js: needs another system'],
      status: 1,
    });
  });

  it.each([
    [
      'of a file',
      `beforeAll(() => { throw new Error('no server'); }); it('a', () => {}); it('b', () => {});`,
      'a.test.js',
    ],
    [
      'of a group',
      `describe('group', () => {
        beforeAll(() => { throw new Error('no server'); });
        it('a', () => {});
        describe('inner', () => it('b', () => {}));
      });`,
      'a.test.js: group',
    ],
  ])('count each test that a failed hook %s blocked as failed', (_, tests, name) => {
    expect(vitest({ 'a.test.js': VITEST + tests })).toMatchObject({
      passed: 0,
      failed: 2,
      skipped: 0,
      failures: [`${name}: no server`],
    });
  });

  it('count a hook that fails after the tests as a failure', () => {
    const tests = `afterAll(() => { throw new Error('still open'); }); it('a', () => {});`;
    expect(vitest({ 'a.test.js': VITEST + tests })).toMatchObject({
      passed: 1,
      failed: 1,
      failures: ['a.test.js: still open'],
    });
  });

  it("count a file that doesn't load as a failure", () => {
    const files = { 'a.test.js': `import './nowhere.js';`, 'b.test.js': `${VITEST}it('holds', () => {});` };
    expect(vitest(files)).toMatchObject({
      passed: 1,
      failed: 1,
      skipped: 0,
      failures: [expect.stringMatching(/^a\.test\.js: Cannot find module '\.\/nowhere\.js'/)],
    });
  });

  it('count an error outside of any test as a failure', () => {
    const late = `it('a', () => { setTimeout(() => { throw new Error('late'); }); return new Promise((end) => setTimeout(end, 100)); });`;
    const { failed, status } = vitest({ 'a.test.js': VITEST + late });
    expect([failed, status]).toEqual([1, 1]);
  });
});

describe('the counts of a Playwright run', () => {
  it("name failed and skipped tests, what was looked for, and files that don't load", () => {
    const playwright = `import { test } from '@playwright/test';\n`;
    const skip = ['test', 'skip'].join('.');
    const seeds = {
      'a.spec.js': `test('holds', () => {}); ${skip}('waits', () => {}); test.describe('group', () => test('breaks', () => { throw new Error('no'); }));`,
      'b.spec.js': `test.beforeAll(() => { throw new Error('no server'); }); test('one', () => {}); test('two', () => {});`,
      'c.spec.js': `import './nowhere.js';`,
      'd.spec.js': `test('looks', () => { throw new Error("expect(locator).toBeVisible() failed\\n\\nLocator:  getByText('Here')\\nTimeout: 1ms"); });`,
    };
    writeFileSync(join(folder, 'playwright.config.mjs'), 'export default { reporter: "json", workers: 1 };');
    const count = (/** @type {(keyof typeof seeds)[]} */ ...files) => {
      for (const file of files) writeFileSync(join(folder, file), playwright + seeds[file]);
      const { stdout } = spawnSync(tool('playwright'), ['test', ...files], { cwd: folder, encoding: 'utf8' });
      return playwrightCounts(JSON.parse(stdout));
    };

    expect(count('a.spec.js')).toEqual({
      passed: 1,
      failed: 1,
      skipped: 1,
      failures: ['e2e/a.spec.js: breaks (line 2): Error: no'],
      skips: ['e2e/a.spec.js: waits'],
    });
    expect(count('b.spec.js')).toEqual({
      passed: 0,
      failed: 2,
      skipped: 0,
      failures: ['e2e/b.spec.js: one (line 2): Error: no server', 'e2e/b.spec.js: two'],
      skips: [],
    });
    expect(count('d.spec.js').failures).toEqual([
      "e2e/d.spec.js: looks (line 2): Error: expect(locator).toBeVisible() failed: getByText('Here')",
    ]);
    expect(count('a.spec.js', 'c.spec.js')).toMatchObject({
      failures: expect.arrayContaining([expect.stringMatching(/c\.spec\.js: Error: Cannot find module/)]),
    });
  });
});

const COUNTS = { passed: 3, failed: 0, skipped: 0, failures: [], skips: [] };

describe('the judgment of a run', () => {
  it('keeps the counts of a run that passed, or whose failures are named', () => {
    expect(judgeRun(0, COUNTS)).toEqual(COUNTS);
    const failed = { ...COUNTS, failed: 1, failures: ['a'] };
    expect(judgeRun(1, failed)).toEqual(failed);
  });

  it('adds a failure for a missing report, no tests, or an error although every test passed', () => {
    expect(judgeRun(143, undefined)).toMatchObject({
      failed: 1,
      failures: ['ended with code 143 before it could report'],
    });
    expect(judgeRun(0, { ...COUNTS, passed: 0, skipped: 2 })).toMatchObject({
      failed: 1,
      failures: ['executed no test'],
    });
    expect(judgeRun(1, COUNTS)).toMatchObject({
      passed: 3,
      failed: 1,
      failures: ['every test passed, but the runner ended with code 1'],
    });
  });
});

describe('the summary', () => {
  const server = { ...COUNTS, name: 'Server', passed: 5, skipped: 1, skips: ['a.test.ts: as root'] };
  const missing = ['browser tests: no browser'];

  it("names what didn't run just above the counts, and counts it as skipped", () => {
    const { counts, lines, isGreen } = summarize([server], missing, false);
    expect(lines).toEqual([
      'Server: 5 passed, 0 failed, 1 skipped',
      '',
      'Not run: browser tests: no browser',
      'Not run: a.test.ts: as root',
      '5 passed, 0 failed, 2 skipped',
    ]);
    expect(counts).toMatchObject({ passed: 5, failed: 0, skipped: 2 });
    expect(isGreen).toBe(true);
  });

  it("counts what didn't run as failed in CI", () => {
    const { counts, lines, isGreen } = summarize([server], missing, true);
    expect(lines.slice(-3)).toEqual([
      'Not run, which fails in CI: browser tests: no browser',
      'Not run, which fails in CI: a.test.ts: as root',
      '5 passed, 2 failed, 0 skipped',
    ]);
    expect(counts).toMatchObject({ passed: 5, failed: 2, skipped: 0 });
    expect(isGreen).toBe(false);
  });

  it('repeats the failures of each run, and fails when nothing ran', () => {
    const failed = { ...server, skipped: 0, skips: [], failed: 1, failures: ['b.test.ts: adds up'] };
    expect(summarize([failed], [], false)).toMatchObject({
      isGreen: false,
      lines: [
        'Server: 5 passed, 1 failed, 0 skipped',
        '  failed: b.test.ts: adds up',
        '',
        '5 passed, 1 failed, 0 skipped',
      ],
    });
    expect(summarize([], [], false).isGreen).toBe(false);
  });
});
