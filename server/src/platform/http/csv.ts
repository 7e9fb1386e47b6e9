/** The content of a field: text, a number, a boolean, or nothing. */
export type Cell = string | number | boolean | null;

/** A response as rows under column names. */
export interface Table {
  /** The parts of the file name: what it is, of what, and its month. */
  name: readonly string[];
  head: readonly string[];
  rows: readonly (readonly Cell[])[];
  /** The cursor to the remaining rows, or null. */
  next: string | null;
}

/** Returns items as a table with one column per name. */
export function tableOf<Thing>(
  name: readonly string[],
  things: readonly Thing[],
  columns: Record<string, (thing: Thing) => Cell>,
  next: string | null = null,
): Table {
  const cells = Object.values(columns);
  return { name, head: Object.keys(columns), rows: things.map((thing) => cells.map((cell) => cell(thing))), next };
}

/** Without it, spreadsheets don't recognize UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Matches where a spreadsheet may start to read a formula: at the start of a text, after quotes and blanks, and after
 * separators that some split fields at regardless of the file. Source: OWASP, CSV Injection.
 */
const FORMULA = /^(?=[\t\r\n])|(?<=^|[;\t\r\n])(?=["\s]*[=+\-@＝＋－＠])/g;

function fieldOf(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = cell.replace(FORMULA, "'");
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Returns rows in RFC 4180 format, each with a line end. Text that a spreadsheet would read as a formula gets a leading
 * apostrophe.
 */
export const csvRows = (rows: readonly (readonly Cell[])[]): string =>
  rows.map((row) => `${row.map(fieldOf).join(',')}\r\n`).join('');

const NAME_PART_MAX_LENGTH = 60;

// Only letters, digits and hyphens, so nothing can end the header or point to another folder.
const slug = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, NAME_PART_MAX_LENGTH)
    .replaceAll(/^-|-$/g, '');

/**
 * Returns the file name for its parts: ['statement', 'Café №5', '2026-02'] gives statement-cafe-no5-2026-02.csv,
 * without parts that have no such letters.
 */
export const csvFileName = (name: readonly string[]): string => `${name.map(slug).filter(Boolean).join('-')}.csv`;
