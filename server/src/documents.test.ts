import { SecurityEventKind } from '@hourshare/contract/security-events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { secretNames } from './config.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => (existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : undefined);

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

const asvsIds = (level: 1 | 2) =>
  ASVS[level]
    .join(' ')
    .split(' ')
    .flatMap((range) => {
      const [, section, first, last = first] = /^([\d.]+)\.(\d+)(?:-(\d+))?$/.exec(range) ?? [];
      return Array.from(
        { length: Number(last) - Number(first) + 1 },
        (_, index) => `${section}.${Number(first) + index}`,
      );
    });

/** Returns the rows of a CSV file whose cells contain no line breaks. */
const parseCsv = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
        ([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain,
      ),
    );

const rowsOf = (file: string) => parseCsv(read(file) ?? '').slice(1);
const column = (file: string, index: number) => rowsOf(file).map((row) => row[index] ?? '');

const TEST_FILE = /\.(?:test|spec)\.(?:tsx?|mjs)$/;
const PATH = /^(?:[\w.@-]+\/)+[\w.@-]+\.(?:md|csv|json)$/;
const REASON = /^(?:by reading|a document|does not apply: .+)$/;

/** Returns whether a test file contains the title as a string literal. */
const hasTitle = (source: string, title: string) =>
  [`'${title.replaceAll("'", String.raw`\'`)}'`, `"${title}"`, `\`${title}\``].some((text) => source.includes(text));

/**
 * Returns one sentence per problem of a table. Its last two columns are "where", files, and "test": tests as
 * "file: title", or reasons why there is none, separated by " | ".
 */
function problemsOf(csv: string, readFile: (file: string) => string | undefined): string[] {
  const [head = [], ...rows] = parseCsv(csv);
  return rows.flatMap((row, index) => {
    const [where = '', test = ''] = row.slice(-2);
    const tests = test.split(' | ').filter((each) => !REASON.test(each));
    const files = where.split(' ').filter((file) => file !== '');
    return [
      row.length === head.length && row[0] !== ''
        ? ''
        : `has ${row.length} cells instead of ${head.length}, or no name`,
      files.length > 0 || REASON.test(test) ? '' : 'names no file',
      ...[...files, ...row.slice(0, -2).flatMap((cell) => cell.split(/[\s,;:()]+/).filter((word) => PATH.test(word)))]
        .filter((file) => readFile(file) === undefined)
        .map((file) => `${file} does not exist`),
      ...tests.map((each) => {
        const [file = '', title] = each.split(/: (.*)/);
        const source = TEST_FILE.test(file) ? readFile(file) : undefined;
        if (source === undefined) return `"${file}" is not a test file`;
        return title === undefined || hasTitle(source, title) ? '' : `${file} has no test "${title}"`;
      }),
    ]
      .filter((problem) => problem !== '')
      .map((problem) => `line ${index + 2}: ${problem}`);
  });
}

it.each([
  ['docs/specification.csv', 200],
  ['docs/security/asvs.csv', 253],
  ['docs/security/defenses.csv', 55],
  ['docs/security/limits.csv', 55],
])('%s names existing files and tests', (file, minimum) => {
  expect(problemsOf(read(file) ?? '', read)).toEqual([]);
  expect(rowsOf(file).length).toBeGreaterThanOrEqual(minimum);
});

it.each([1, 2] as const)('asvs.csv has each requirement of level %i once, in order', (level) => {
  const rows = rowsOf('docs/security/asvs.csv').filter((row) => row[1] === String(level));
  expect(rows.map((row) => row[0])).toEqual(asvsIds(level));
});

it('asvs.csv names decisions that exist', () => {
  const numbers = rowsOf('docs/security/asvs.csv').flatMap((row) => row.join(' ').match(/\b0\d{3}\b/g) ?? []);
  const decisions = readdirSync(join(root, 'docs/decisions')).map((name) => name.slice(0, 4));
  expect(numbers.filter((number) => !decisions.includes(number))).toEqual([]);
});

it('limits.csv has every rate limit of the server, with its numbers', () => {
  const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'));
  const limits = sources.flatMap((source) =>
    [...source.matchAll(/name: '([^']+)', max: (\d+), windowSeconds: (\d+)/g)].map(
      ([, name, max, seconds]) => `${name}: ${max} in ${Number(seconds) / 60} min`,
    ),
  );
  const rows = rowsOf('docs/security/limits.csv').filter((row) => row[2] !== '');
  expect(rows.map((row) => `${row[2]}: ${row[1]}`).toSorted()).toEqual(limits.toSorted());
});

it('events.csv has every security event', () => {
  expect(column('docs/security/events.csv', 0)).toEqual(expect.arrayContaining(SecurityEventKind.options));
});

it('data.csv has every table of the database, and no other', () => {
  const [, tables = ''] = (read('server/src/schema.ts') ?? '').split('export interface Tables {');
  const named = column('docs/security/data.csv', 3).flatMap((cell) => cell.split(' ').filter((table) => table !== ''));
  expect([...new Set(named)].toSorted()).toEqual([...tables.matchAll(/^ {2}(\w+):/gm)].map(([, table]) => table));
});

it('keys.csv has every setting that is a secret', () => {
  expect(column('docs/security/keys.csv', 0)).toEqual(expect.arrayContaining(secretNames));
});

describe('the table check', () => {
  const files = new Map([
    ['web/src/main.tsx', ''],
    ['e2e/main.spec.ts', `it('opens a page', open); it("shows the user's name", show); it('doesn\\'t close', keep);`],
  ]);
  const problems = (row: string) => problemsOf(`requirement,where,test\n${row}\n`, (file) => files.get(file));

  it.each([
    'Something,web/src/main.tsx,e2e/main.spec.ts',
    '"Opens, and ""shows""",web/src/main.tsx,e2e/main.spec.ts: opens a page | e2e/main.spec.ts: doesn\'t close',
    'Something,,does not apply: there are none',
    'Something,web/src/main.tsx,by reading',
  ])('accepts %s', (row) => {
    expect(problems(row)).toEqual([]);
  });

  it.each([
    ['no test', 'Something,web/src/main.tsx,', '"" is not a test file'],
    ['an unknown reason', 'Something,web/src/main.tsx,by magic', '"by magic" is not a test file'],
    ["a file that isn't a test", 'Something,web/src/main.tsx,web/src/main.tsx: opens', 'is not a test file'],
    ['a test file that is gone', 'Something,web/src/main.tsx,gone.test.ts: opens', '"gone.test.ts" is not a test file'],
    ['a title that is gone', 'Something,web/src/main.tsx,e2e/main.spec.ts: opens a pag', 'has no test "opens a pag"'],
    ['one gone title of two', 'A,web/src/main.tsx,e2e/main.spec.ts: opens a page | e2e/main.spec.ts: x', 'no test "x"'],
    ['no place', 'Something,,e2e/main.spec.ts', 'names no file'],
    ['a place that is gone', 'Something,web/gone.ts,e2e/main.spec.ts', 'web/gone.ts does not exist'],
    ['another file that is gone', 'See docs/gone.md,,by reading', 'docs/gone.md does not exist'],
    ['too few cells', 'web/src/main.tsx,e2e/main.spec.ts', 'has 2 cells instead of 3'],
  ])('rejects %s', (_, row, problem) => {
    expect(problems(row).join('\n')).toContain(problem);
  });
});
