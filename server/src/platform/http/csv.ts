/** What stands in a field: words, a figure, yes or no, or nothing. */
export type Cell = string | number | boolean | null;

/** An answer as rows under names. */
export interface Table {
  /** What the file is called after: what it is, of what, from when. */
  name: readonly string[];
  head: readonly string[];
  rows: readonly (readonly Cell[])[];
  /** The cursor behind which there are more rows. */
  next: string | null;
}

/** Things as a table: each column by its name, with what stands in it. */
export function tableOf<Thing>(
  name: readonly string[],
  things: readonly Thing[],
  columns: Record<string, (thing: Thing) => Cell>,
  next: string | null = null,
): Table {
  const cells = Object.values(columns);
  return { name, head: Object.keys(columns), rows: things.map((thing) => cells.map((cell) => cell(thing))), next };
}

/** Spreadsheets take UTF-8 for something else unless it begins so. */
export const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Where a spreadsheet would begin to read a formula in a text: at its start, also behind quotes and blanks, and behind
 * what some split fields at whatever a file says (a semicolon, a tab, a new line). Source: OWASP, CSV Injection.
 */
const FORMULA = /^(?=[\t\r\n])|(?<=^|[;\t\r\n])(?=["\s]*[=+\-@＝＋－＠])/g;

function written(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = cell.replace(FORMULA, "'");
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rows as RFC 4180 has them, each ended. A text that a spreadsheet would take for a formula gets an apostrophe before it. */
export const csvRows = (rows: readonly (readonly Cell[])[]): string =>
  rows.map((row) => `${row.map(written).join(',')}\r\n`).join('');

const NAME_PART_MAX_LENGTH = 60;

// Letters, digits and hyphens alone: nothing that could end the header or lead into another folder.
const slug = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, NAME_PART_MAX_LENGTH)
    .replaceAll(/^-|-$/g, '');

/** ['statement', 'Café №5', '2026-02'] → statement-cafe-no5-2026-02.csv; what has no such letters is left out. */
export const csvFileName = (name: readonly string[]): string => `${name.map(slug).filter(Boolean).join('-')}.csv`;
