import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { root, tool } from './processes.mjs';
import { judgeRun, playwrightCounts } from './test-counts.mjs';
import { partsNamed, partsOf } from './test.mjs';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hourshare-counts-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const VITEST = "import { afterAll, beforeAll, describe, expect, it } from 'vitest';\n";
// Joined, because the structure check would find it here.
const SKIP = ['it', 'skip'].join('.');

it('counts what a Vitest run passed, failed, skipped, and could not run', () => {
  /** @type {Record<string, string>} */
  const files = {
    a: `it('holds', () => {}); describe('group', () => it('breaks', () => expect(1).toBe(2)));
      ${SKIP}('waits', () => {}); it.runIf(false)('needs another system', () => {});`,
    b: `beforeAll(() => { throw new Error('no server'); }); it('one', () => {}); describe('in', () => it('two', () => {}));`,
    c: `afterAll(() => { throw new Error('still open'); }); it('holds', () => {});`,
    d: `import './nowhere.js';`,
    e: `it('a', () => { setTimeout(() => { throw new Error('late'); }); return new Promise((end) => setTimeout(end, 100)); });`,
  };
  writeFileSync(join(folder, 'vitest.config.mjs'), 'export default {};');
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, `${name}.test.js`), VITEST + text);
  const report = join(folder, 'counts.json');
  const { status } = spawnSync(tool('vitest'), ['run', `--reporter=${join(root, 'scripts/test-counts.mjs')}`], {
    cwd: folder,
    env: { ...process.env, TEST_COUNTS: report },
  });
  const counts = JSON.parse(readFileSync(report, 'utf8'));
  const local = (/** @type {string} */ name) => name.replace(new RegExp(`^.*?${basename(folder)}/`), '');
  expect(status).toBe(1);
  expect(counts).toMatchObject({ passed: 3, failed: 6, skipped: 2 });
  expect(counts.skips.map(local)).toEqual(['a.test.js: waits', 'a.test.js: needs another system']);
  expect(counts.failures.map(local).toSorted()).toEqual([
    'a.test.js: group > breaks: expected 1 to be 2 // Object.is equality',
    'b.test.js: no server',
    'c.test.js: still open',
    expect.stringMatching(/^d\.test\.js: Cannot find module '\.\/nowhere\.js'/),
    'outside of a test: late',
  ]);
});

it("counts what a Playwright run failed, skipped, and could not run, and files that don't load", () => {
  const playwright = `import { test } from '@playwright/test';\n`;
  const skip = ['test', 'skip'].join('.');
  const seeds = {
    'a.spec.js': `test('holds', () => {}); ${skip}('waits', () => {}); test('breaks', () => { throw new Error('no'); });`,
    'b.spec.js': `test.beforeAll(() => { throw new Error('no server'); }); test('one', () => {}); test('two', () => {});`,
    'c.spec.js': `import './nowhere.js';`,
  };
  writeFileSync(join(folder, 'playwright.config.mjs'), 'export default { reporter: "json", workers: 1 };');
  const count = (/** @type {(keyof typeof seeds)[]} */ ...files) => {
    for (const file of files) writeFileSync(join(folder, file), playwright + seeds[file]);
    const { stdout } = spawnSync(tool('playwright'), ['test', ...files], { cwd: folder, encoding: 'utf8' });
    return playwrightCounts(JSON.parse(stdout));
  };
  expect(count('a.spec.js', 'b.spec.js')).toEqual({
    passed: 1,
    failed: 3,
    skipped: 1,
    failures: [
      'e2e/a.spec.js: breaks (line 2): Error: no',
      'e2e/b.spec.js: one (line 2): Error: no server',
      'e2e/b.spec.js: two',
    ],
    skips: ['e2e/a.spec.js: waits'],
  });
  expect(count('c.spec.js').failures[0]).toMatch(/^outside of a test: Error: Cannot find module/);
});

it('adds a failure for a missing report, no tests, or an error although every test passed', () => {
  const counts = { passed: 3, failed: 0, skipped: 0, failures: [], skips: [] };
  expect(judgeRun(0, counts)).toEqual(counts);
  expect(judgeRun(143, undefined).failures).toEqual(['ended with code 143 before it could report']);
  expect(judgeRun(0, { ...counts, passed: 0, skipped: 2 }).failures).toEqual(['executed no test']);
  expect(judgeRun(1, counts)).toMatchObject({
    passed: 3,
    failed: 1,
    failures: ['every test passed, but the runner ended with code 1'],
  });
});

describe('the choice of tests', () => {
  it('has every test in a tier: the last tier leaves out no browser test and no file', () => {
    const grep = (/** @type {string} */ tier) =>
      Object.values(partsOf(tier)).flatMap(({ playwright }) => playwright ?? []);
    expect([grep('test'), grep('ci'), grep('all')]).toEqual([
      ['--grep', '@smoke'],
      ['--grep', '@journey'],
      ['--grep-invert', '@journey|@smoke'],
    ]);
    const args = ['test', 'ci', 'all'].flatMap((tier) =>
      Object.values(partsOf(tier)).flatMap(({ vitest = [] }) => vitest),
    );
    const projects = args.filter((_, index) => args[index - 1] === '--project');
    expect([...new Set(projects)].toSorted()).toEqual([
      'contract',
      'deployment',
      'server',
      'tools',
      'web',
      'web-rules',
    ]);
  });

  it('takes names of parts and parts of paths, and says which parts there are', () => {
    expect(Object.keys(partsNamed(['units', 'e2e/smoke']))).toEqual(['units', 'browser files']);
    expect(partsNamed(['contract/src/money'])).toEqual({
      files: expect.objectContaining({ vitest: ['contract/src/money.test.ts'] }),
    });
    expect(Object.keys(partsNamed(['assets/assets.test']))).toEqual(['files', 'files on the embedded engine']);
    expect(() => partsNamed(['nothing-like-this'])).toThrow('The parts are units, server, ');
  });
});

it('prints what had run when it is interrupted', async () => {
  const child = spawn('node', ['scripts/test.mjs', 'contract/src'], { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    if (!output.includes('✓') && (output += text).includes('✓')) child.kill('SIGINT');
    else output += text;
  });
  expect(await once(child, 'close')).toEqual([130, null]);
  expect(output).toMatch(/Interrupted\.[^]*\d+ passed, \d+ failed, \d+ skipped\n$/);
});
