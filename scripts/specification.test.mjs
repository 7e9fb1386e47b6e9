import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './processes.mjs';

// Checks the tables of docs/specification.md, docs/security.md, and docs/security/data.md against the repository: the
// files they name exist, and the last cell of each row names a test file, mostly with the title of a test in it.

const ROW = /^\|(.*)\|\s*$/;
const DIVIDER = /^\|(?:\s*:?-+:?\s*\|)+\s*$/;
const CODE = /`([^`]+)`/g;
/** A path in this repository, not an address such as `/about` or a name such as `sign_ins`. */
const PATH = /^[\w.@-]+(?:\/[\w.@-]+)*\.(?:tsx?|mjs|cjs|json|md|css|html|svg|webmanifest|yaml|conf|cfg|service)$/;
const TEST_FILE = /\.(?:test|spec)\.(?:tsx?|mjs)$/;

/** A test in the last cell of a row: its file, and its title as in the code, maybe with a note such as "(`no-console`)". */
const TITLED = /^`([^`]+)`: (.+?)(?: \(`[^`]+`\))?$/;

/** The ids of OWASP ASVS 5.0.0 by level; "1.2.1-5" is five of them. Source: the CSV file of its release. */
const ASVS = {
  1: [
    '1.2.1-5 1.3.1-2 1.5.1 2.1.1 2.2.1-2 2.3.1 3.2.1-2 3.3.1 3.4.1-2 3.5.1-3 4.1.1 4.4.1 5.2.1-2 5.3.1-2',
    '6.1.1 6.2.1-8 6.3.1-2 6.4.1-2 7.2.1-4 7.4.1-2 8.1.1 8.2.1-2 8.3.1 9.1.1-3 9.2.1 10.4.1-5 11.3.1-2 11.4.1',
    '12.1.1 12.2.1-2 13.4.1 14.2.1 14.3.1 15.1.1 15.2.1 15.3.1',
  ],
  2: [
    '1.1.1-2 1.2.6-9 1.3.3-11 1.4.1-3 1.5.2 2.1.2-3 2.2.3 2.3.2-4 2.4.1 3.3.2-4 3.4.3-6 3.5.4-5 3.7.1-2',
    '4.1.2-3 4.2.1 4.3.1-2 4.4.2-4 5.1.1 5.2.3 5.4.1-3 6.1.2-3 6.2.9-12 6.3.3-4 6.4.3-4 6.5.1-5 6.6.1-3',
    '6.8.1-4 7.1.1-3 7.3.1-2 7.4.3-5 7.5.1-2 7.6.1-2 8.1.2 8.2.3 8.4.1 9.2.2-4 10.1.1-2 10.2.1-2 10.3.1-4',
    '10.4.6-11 10.5.1-5 10.6.1-2 10.7.1-3 11.1.1-2 11.2.1-3 11.3.3 11.4.2-4 11.5.1 11.6.1 12.1.2-3 12.3.1-4',
    '13.1.1 13.2.1-5 13.3.1-2 13.4.2-5 14.1.1-2 14.2.2-4 14.3.2-3 15.1.2-3 15.2.2-3 15.3.2-7 16.1.1 16.2.1-5',
    '16.3.1-4 16.4.1-3 16.5.1-3 17.1.1 17.2.1-4 17.3.1-2',
  ],
};

/** @param {string[]} lines */
const idsOf = (lines) =>
  lines
    .join(' ')
    .split(' ')
    .flatMap((range) => {
      const [, section = '', first = '', last = first] = /^([\d.]+)\.(\d+)(?:-(\d+))?$/.exec(range) ?? [];
      return Array.from(
        { length: Number(last) - Number(first) + 1 },
        (_, index) => `${section}.${Number(first) + index}`,
      );
    });

/** @param {string} text */
const filesIn = (text) => [...text.matchAll(CODE)].map(([, code = '']) => code).filter((code) => PATH.test(code));

/** @param {string} line */
const cellsOf = (line) =>
  ROW.exec(line)?.[1]
    ?.split('|')
    .map((cell) => cell.trim());

/**
 * Returns whether a title is a text in a test file, as it is written there.
 *
 * @param {string} source
 * @param {string} title
 */
const hasTitle = (source, title) =>
  [`'${title.replaceAll("'", String.raw`\'`)}'`, `"${title}"`, `\`${title}\``].some((text) => source.includes(text));

/**
 * Checks the tables whose last column starts with "Test".
 *
 * @param {string} document whose tables have the place in the code in the column before
 * @param {(file: string) => string | undefined} read returns a file's text; undefined if it doesn't exist
 * @param {string[]} [reasons] texts with which the last cell may begin instead of naming a test
 * @returns {{ rows: number, problems: string[] }} one sentence per problem
 */
function checkTables(document, read, reasons = []) {
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
      ...filesIn(line).map((file) => (read(file) === undefined ? `${file} does not exist` : '')),
      ...tests.split('<br>').map((test) => {
        const [, file = '', title = ''] = TITLED.exec(test) ?? [];
        const source = TEST_FILE.test(file) ? read(file) : undefined;
        return source === undefined || hasTitle(source, title) ? '' : `${file} has no test "${title}"`;
      }),
    ];
    for (const problem of inRow) if (problem !== '') problems.push(`line ${index + 1}: ${problem}`);
  }
  return { rows, problems };
}

const read = (/** @type {string} */ file) =>
  existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : undefined;

describe('the tables of', () => {
  it.each([
    ['docs/specification.md', []],
    ['docs/security.md', ['by reading', 'a document', 'does not apply', 'not yet']],
    ['docs/security/data.md', ['by reading']],
  ])('%s name existing files, and an existing test or a reason in each row', (file, reasons) => {
    const { rows, problems } = checkTables(readFileSync(join(root, file), 'utf8'), read, reasons);
    expect(problems.join('\n')).toBe('');
    expect(rows).toBeGreaterThan(0);
  });
});

it.each([
  [1, 70],
  [2, 183],
])('docs/security.md has each requirement of level %i of the ASVS once, in its order', (level, count) => {
  const [, part = ''] = readFileSync(join(root, 'docs/security.md'), 'utf8').split(
    `## OWASP ASVS 5.0.0, level ${level}\n`,
  );
  const [section = ''] = part.split('\n## ');
  const ids = [...section.matchAll(/^\| v5\.0\.0-([\d.]+) /gm)].map(([, id]) => id);
  expect(ids).toEqual(idsOf(ASVS[/** @type {1 | 2} */ (level)]));
  expect(ids).toHaveLength(count);
});

describe('the table check', () => {
  const source = `it('opens a page', open); it("shows the user's name", show); it('doesn\\'t close', keep);`;
  /** @type {Record<string, string>} */
  const files = {
    'web/src/main.tsx': '',
    'web/src/main.test.tsx': source,
    'e2e/main.spec.ts': source,
    'scripts/main.test.mjs': "it.each([])('has %s', check);",
  };
  const check = (/** @type {string[]} */ ...rows) =>
    checkTables(
      ['| Requirement | Where it lives | Test that shows it |', '| --- | --- | --- |', ...rows].join('\n'),
      (file) => files[file],
      ['by reading'],
    );
  const row = (/** @type {string} */ tests, where = '`web/src/main.tsx`') => `| Something | ${where} | ${tests} |`;

  it('accepts rows whose files exist, with or without test titles', () => {
    const rows = [
      row('`web/src/main.test.tsx`'),
      row("`e2e/main.spec.ts`: doesn't close"),
      row("`web/src/main.test.tsx`: shows the user's name<br>`scripts/main.test.mjs`: has %s (`a-rule`)"),
      row('by reading', ''),
    ];
    expect(check(...rows)).toEqual({ rows: 4, problems: [] });
  });

  it("doesn't mistake addresses, settings and names for files", () => {
    const where =
      '`web/src/main.tsx`: `/about`, `APP_URL`, `sign_ins`, `npm run audit`, `cache-control: no-store`, `v5.0.0`';
    expect(check(row('`e2e/main.spec.ts`: opens a page', where)).problems).toEqual([]);
  });

  it('ignores tables without a test column', () => {
    const table = ['| who | may |', '| --- | --- |', '| anyone | read `gone.ts` |'].join('\n');
    expect(checkTables(table, () => undefined)).toEqual({ rows: 0, problems: [] });
  });

  it.each([
    ['no test', row(''), 'names no test file'],
    ['a test without its file', row('opens a page'), 'names no test file'],
    ["a file that isn't a test", row('`web/src/main.tsx`: opens'), 'names no test file'],
    ['a test file that is gone', row('`gone.test.ts`: opens'), 'gone.test.ts does not exist'],
    ['one good test and one that is gone', row('`e2e/main.spec.ts`<br>`gone.spec.ts`'), 'gone.spec.ts does not exist'],
    ['a title that no test has', row('`e2e/main.spec.ts`: opens a pag'), 'e2e/main.spec.ts has no test "opens a pag"'],
    [
      'one title that a test has and one that none has',
      row('`web/src/main.test.tsx`: opens a page<br>`scripts/main.test.mjs`: has %d'),
      'scripts/main.test.mjs has no test "has %d"',
    ],
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
