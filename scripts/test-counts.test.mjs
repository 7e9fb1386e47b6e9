import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { root, tool } from './processes.mjs';
import { judgeRun, playwrightCounts } from './test-counts.mjs';
import { partsNamed } from './test.mjs';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hourshare-counts-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return () => rmSync(folder, { recursive: true });
});

// Joined, because the structure check would find it here.
const SKIP = ['it', 'skip'].join('.');

it('counts what a Vitest run passed, failed, skipped, and could not run', () => {
  /** @type {Record<string, string>} */
  const files = {
    a: `it('holds', () => {}); it('breaks', () => expect(1).toBe(2)); ${SKIP}('waits', () => {});`,
    b: `beforeAll(() => { throw new Error('no server'); }); it('one', () => {}); describe('in', () => it('two', () => {}));`,
    c: `afterAll(() => { throw new Error('still open'); }); it('holds', () => {});`,
    d: `import './nowhere.js';`,
    e: `it('a', () => { setTimeout(() => { throw new Error('late'); }); return new Promise((end) => setTimeout(end, 100)); });`,
  };
  const imports = "import { afterAll, beforeAll, describe, expect, it } from 'vitest';\n";
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, `${name}.test.js`), imports + text);
  writeFileSync(join(folder, 'vitest.config.mjs'), 'export default {};');
  const report = join(folder, 'counts.json');
  spawnSync(tool('vitest'), ['run', `--reporter=${join(root, 'scripts/test-counts.mjs')}`], {
    cwd: folder,
    env: { ...process.env, TEST_COUNTS: report },
  });
  const { skips, failures, ...counts } = JSON.parse(readFileSync(report, 'utf8'));
  expect(counts).toEqual({ passed: 3, failed: 6, skipped: 1 });
  const local = (/** @type {string} */ name) => name.replace(/^.*\//, '');
  expect(skips.map(local)).toEqual(['a.test.js: waits']);
  expect(failures.join('\n')).toMatch(
    /breaks: expected 1[^]*no server[^]*still open[^]*nowhere[^]*outside of a test: late/,
  );
});

it("counts what a Playwright run failed, skipped, and could not run, and files that don't load", () => {
  const playwright = `import { test as it } from '@playwright/test';\n`;
  const files = {
    'a.spec.js': `it('holds', () => {}); ${SKIP}('waits', () => {}); it('breaks', () => { throw new Error('no'); });`,
    'b.spec.js': `it.beforeAll(() => { throw new Error('no server'); }); it('one', () => {}); it('two', () => {});`,
    'c.spec.js': `import './nowhere.js';`,
  };
  writeFileSync(join(folder, 'playwright.config.mjs'), 'export default { reporter: "json", workers: 1 };');
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), playwright + text);
  const count = (/** @type {string[]} */ ...names) => {
    const { stdout } = spawnSync(tool('playwright'), ['test', ...names], { cwd: folder, encoding: 'utf8' });
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
  expect(judgeRun(143, undefined).failed).toBe(1);
  expect(judgeRun(0, { ...counts, passed: 0, skipped: 2 }).failed).toBe(1);
  expect(judgeRun(1, counts)).toMatchObject({ passed: 3, failed: 1 });
});

it('takes names of parts and parts of paths, and says which parts there are', () => {
  expect(Object.keys(partsNamed(['units', 'e2e/smoke']))).toEqual(['units', 'browser files']);
  expect(Object.keys(partsNamed(['shares/shares.test']))).toEqual(['files', 'files on the embedded engine']);
  expect(() => partsNamed(['nothing-like-this'])).toThrow('The parts are units, server, ');
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
