import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvFileName, csvRows, tableOf, type Cell } from './csv.ts';

/** Parses CSV, accepting only what RFC 4180 allows. */
function parse(text: string): string[][] {
  const rows: string[][] = [];
  let rest = text;
  for (let row: string[] = []; rest !== '';) {
    const [whole = '', quoted, plain] = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))/.exec(rest) ?? [];
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    rest = rest.slice(whole.length);
    if (rest.startsWith(',')) rest = rest.slice(1);
    else if (rest.startsWith('\r\n')) {
      rows.push(row);
      row = [];
      rest = rest.slice(2);
    } else throw new Error(`neither a comma nor the end of a line: ${JSON.stringify(rest)}`);
  }
  return rows;
}

const SIGN = /^[=+\-@＝＋－＠\t\r\n]/;

const hostile = Array.from('=+-@＝＋－＠\t\r\n"\',; a1');
const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: fc.constantFrom(...hostile) }));
const plain = text.map((each) => each.replaceAll(/[=+\-@＝＋－＠\t\r\n]/g, 'x'));
const figure = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
const other = fc.oneof(figure, fc.boolean(), fc.constant(null));

const rowsOf = (cell: fc.Arbitrary<Cell>) =>
  fc
    .integer({ min: 2, max: 5 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 6 }));
const asTexts = (rows: Cell[][]) => rows.map((row) => row.map((cell) => (cell === null ? '' : String(cell))));

describe('a CSV row', () => {
  it.each<[string, Cell[], string]>([
    ['text and numbers', ['Films', 22.99, -5, 0], 'Films,22.99,-5,0'],
    ['null, booleans and empty text', [null, true, false, ''], ',true,false,'],
    ['commas, quotes and line breaks', ['a,b', 'say "hi"', 'one\r\ntwo'], '"a,b","say ""hi""","one\r\ntwo"'],
    ['neutralized formulas', ['=1+1', '+1', '-1', '@SUM(A1)'], "'=1+1,'+1,'-1,'@SUM(A1)"],
    ['neutralized full-width signs', ['＝1', '＋1', '－1', '＠x'], "'＝1,'＋1,'－1,'＠x"],
    ['a neutralized formula after a tab or line break', ['\t=1', '\r=1'], '"\'\t\'=1","\'\r\'=1"'],
    ['a neutralized formula after blanks or a quote', [' =1', '"=1'], `' =1,"'""=1"`],
    ['a neutralized formula where some spreadsheets split fields', ['x;=1', 'x\n@y'], '"x;\'=1","x\n\'@y"'],
    ['unchanged signs inside words', ['a-b', 'mira@example', '1+1=2'], 'a-b,mira@example,1+1=2'],
  ])('has %s', (_, row, line) => {
    expect(csvRows([row])).toBe(`${line}\r\n`);
  });

  it('survives a round trip', () => {
    fc.assert(
      fc.property(rowsOf(fc.oneof(plain, other)), (rows) => {
        expect(parse(csvRows(rows))).toEqual(asTexts(rows));
      }),
    );
  });

  it('survives a round trip except for added apostrophes, whatever its text', () => {
    const bare = (rows: string[][]) => rows.map((row) => row.map((cell) => cell.replaceAll("'", '')));
    fc.assert(
      fc.property(rowsOf(fc.oneof(text, other)), (rows) => {
        expect(bare(parse(csvRows(rows)))).toEqual(bare(asTexts(rows)));
      }),
    );
  });

  it('contains no text that starts a formula, wherever a spreadsheet splits it', () => {
    fc.assert(
      fc.property(rowsOf(text), (rows) => {
        const file = csvRows(rows);
        const fields = [...parse(file).flat(), ...file.split(/[;\t\r\n]/).map((each) => each.replace(/^["\s]+/, ''))];
        expect(fields.filter((field) => SIGN.test(field))).toEqual([]);
      }),
    );
  });
});

describe('a table', () => {
  it('has one row per item under its column names', () => {
    const things = [
      { name: 'Films', price: 5 },
      { name: 'Gym', price: null },
    ];
    expect(tableOf(['prices'], things, { name: ({ name }) => name, price: ({ price }) => price })).toEqual({
      name: ['prices'],
      head: ['name', 'price'],
      rows: [
        ['Films', 5],
        ['Gym', null],
      ],
      next: null,
    });
  });
});

describe('a file name', () => {
  it.each([
    [['statement', 'Netflix Premium', '2026-02'], 'statement-netflix-premium-2026-02.csv'],
    [['statement', 'Café №5 – Zoë', '2026-02'], 'statement-cafe-no5-zoe-2026-02.csv'],
    [['statement', '映画', '2026-02'], 'statement-2026-02.csv'],
    [['sessions', ''], 'sessions.csv'],
    [
      ['sessions', '../../etc/passwd"; filename="x.exe\r\nset-cookie: a=b'],
      'sessions-etc-passwd-filename-x-exe-set-cookie-a-b.csv',
    ],
    [['sessions', `${'x'.repeat(59)}-y`], `sessions-${'x'.repeat(59)}.csv`],
  ])('for %j is %s', (name, file) => {
    expect(csvFileName(name)).toBe(file);
  });

  it('contains only letters, digits and hyphens', () => {
    fc.assert(
      fc.property(text, (name) => {
        expect(csvFileName(['sessions', name])).toMatch(/^sessions(?:-[a-z0-9]+)*\.csv$/);
      }),
    );
  });
});
