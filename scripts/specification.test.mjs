import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './processes.mjs';

// Checks the tables of docs/specification.md, docs/security.md, and docs/security/data.md against the repository: the
// files they name exist, and the last cell of each row names a test file. Titles of tests are for readers and aren't
// checked.

const ROW = /^\|(.*)\|\s*$/;
const DIVIDER = /^\|(?:\s*:?-+:?\s*\|)+\s*$/;
const CODE = /`([^`]+)`/g;
/** A path in this repository, not an address such as `/about` or a name such as `sign_ins`. */
const PATH = /^[\w.@-]+(?:\/[\w.@-]+)*\.(?:tsx?|mjs|cjs|json|md|css|html|svg|webmanifest|yaml|conf|cfg|service)$/;
const TEST_FILE = /\.(?:test|spec)\.(?:tsx?|mjs)$/;

/** @param {string} text */
const filesIn = (text) => [...text.matchAll(CODE)].map(([, code = '']) => code).filter((code) => PATH.test(code));

/** @param {string} line */
const cellsOf = (line) =>
  ROW.exec(line)?.[1]
    ?.split('|')
    .map((cell) => cell.trim());

/**
 * Checks the tables whose last column starts with "Test".
 *
 * @param {string} document whose tables have the place in the code in the column before
 * @param {(file: string) => boolean} exists
 * @param {string[]} [reasons] texts with which the last cell may begin instead of naming a test
 * @returns {{ rows: number, problems: string[] }} one sentence per problem
 */
function checkTables(document, exists, reasons = []) {
  const lines = document.split('\n');
  /** @type {string[]} */
  const problems = [];
  let rows = 0;
  let columns = 0;
  let isChecked = false;
  for (const [index, line] of lines.entries()) {
    const cells = cellsOf(line);
    if (!cells || DIVIDER.test(line)) continue;
    if (DIVIDER.test(lines[index + 1] ?? '')) {
      columns = cells.length;
      isChecked = cells.at(-1)?.startsWith('Test') === true;
      continue;
    }
    if (!isChecked) continue;
    rows += 1;
    const [place = '', tests = ''] = cells.slice(-2);
    const hasReason = reasons.some((reason) => tests.startsWith(reason));
    const inRow = [
      cells.length !== columns || cells[0] === '' ? `has ${cells.length} cells instead of ${columns}, or no name` : '',
      !hasReason && filesIn(place).length === 0 ? 'names no file in the column before the last' : '',
      !hasReason && !filesIn(tests).some((file) => TEST_FILE.test(file)) ? 'names no test file' : '',
      ...filesIn(line).map((file) => (exists(file) ? '' : `${file} does not exist`)),
    ];
    for (const problem of inRow) if (problem !== '') problems.push(`line ${index + 1}: ${problem}`);
  }
  return { rows, problems };
}

const exists = (/** @type {string} */ file) => existsSync(join(root, file));

describe('the tables of', () => {
  it.each([
    ['docs/specification.md', []],
    ['docs/security.md', ['by reading', 'does not apply', 'not yet']],
    ['docs/security/data.md', ['by reading']],
  ])('%s name existing files, and a test or a reason in each row', (file, reasons) => {
    const { rows, problems } = checkTables(readFileSync(join(root, file), 'utf8'), exists, reasons);
    expect(problems.join('\n')).toBe('');
    expect(rows).toBeGreaterThan(0);
  });
});

describe('the table check', () => {
  const files = ['web/src/main.tsx', 'web/src/main.test.tsx', 'e2e/main.spec.ts', 'scripts/main.test.mjs'];
  const check = (/** @type {string[]} */ ...rows) =>
    checkTables(
      ['| Requirement | Where it lives | Test that shows it |', '| --- | --- | --- |', ...rows].join('\n'),
      (file) => files.includes(file),
      ['by reading'],
    );
  const row = (/** @type {string} */ tests, where = '`web/src/main.tsx`') => `| Something | ${where} | ${tests} |`;

  it('accepts rows whose files exist, with or without test titles', () => {
    const rows = [
      row('`web/src/main.test.tsx`'),
      row('`e2e/main.spec.ts`: a title that no test has'),
      row('`web/src/main.test.tsx`: one<br>`scripts/main.test.mjs`: another'),
      row('by reading', ''),
    ];
    expect(check(...rows)).toEqual({ rows: 4, problems: [] });
  });

  it("doesn't mistake addresses, settings and names for files", () => {
    const where =
      '`web/src/main.tsx`: `/about`, `APP_URL`, `sign_ins`, `npm run audit`, `cache-control: no-store`, `v5.0.0`';
    expect(check(row('`e2e/main.spec.ts`: goes to `/x.js`', where)).problems).toEqual([]);
  });

  it('ignores tables without a test column', () => {
    const table = ['| who | may |', '| --- | --- |', '| anyone | read `gone.ts` |'].join('\n');
    expect(checkTables(table, () => false)).toEqual({ rows: 0, problems: [] });
  });

  it.each([
    ['no test', row(''), 'names no test file'],
    ['a test without its file', row('opens a page'), 'names no test file'],
    ["a file that isn't a test", row('`web/src/main.tsx`: opens'), 'names no test file'],
    ['a test file that is gone', row('`gone.test.ts`: opens'), 'gone.test.ts does not exist'],
    ['one good test and one that is gone', row('`e2e/main.spec.ts`<br>`gone.spec.ts`'), 'gone.spec.ts does not exist'],
    ['no place', row('`e2e/main.spec.ts`', ''), 'names no file in the column before the last'],
    ['a place that is gone', row('`e2e/main.spec.ts`', '`gone.ts`'), 'gone.ts does not exist'],
    ['a file that is gone in any other cell', row('by reading', '`gone/gone.json`'), 'gone/gone.json does not exist'],
    ['two columns', '| Something | `e2e/main.spec.ts` |', 'has 2 cells instead of 3'],
    ['four columns', `${row('`e2e/main.spec.ts`')} more |`, 'has 4 cells instead of 3'],
    ['no name', '| | `web/src/main.tsx` | `e2e/main.spec.ts` |', 'or no name'],
    ['an unknown reason', row('by magic'), 'names no test file'],
  ])('rejects a row with %s', (_, line, advice) => {
    expect(check(line).problems.join('\n')).toContain('line 3: ');
    expect(check(line).problems.join('\n')).toContain(advice);
  });
});
