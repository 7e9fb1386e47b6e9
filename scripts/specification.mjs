// Checks the tables of docs/specification.md and docs/security.md against the tree: the files they name exist, and the
// last cell of each row names a test file. Titles of tests are for the reader; renaming a test breaks nothing.

const ROW = /^\|(.*)\|\s*$/;
const DIVIDER = /^\|(?:\s*:?-+:?\s*\|)+\s*$/;
const CODE = /`([^`]+)`/g;
/** A path in this repository, not an address such as `/about` or a name such as `sign_ins`. */
const PATH = /^[\w.@-]+(?:\/[\w.@-]+)*\.(?:tsx?|mjs|cjs|json|md|css|html|svg|webmanifest)$/;
const TEST_FILE = /\.(?:test|spec)\.(?:tsx?|mjs)$/;

/** @param {string} text */
const filesIn = (text) => [...text.matchAll(CODE)].map(([, code = '']) => code).filter((code) => PATH.test(code));

/** @param {string} line */
const cellsOf = (line) =>
  ROW.exec(line)?.[1]
    ?.split('|')
    .map((cell) => cell.trim());

/**
 * @param {string} document with tables of which those are checked whose last column is called "Test…", behind the place in
 *   the code
 * @param {(file: string) => boolean} exists
 * @param {string[]} [reasons] what the last cell may begin with instead of naming a test
 * @returns {{ rows: number, problems: string[] }} one sentence a problem
 */
export function checkTables(document, exists, reasons = []) {
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
