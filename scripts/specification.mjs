// Holds docs/specification.md to the tree: what it says is tested must be, by a test that is there.

const ROW = /^\|(.*)\|\s*$/;
const DIVIDER = /^\|(?:\s*:?-+:?\s*\|)+\s*$/;
const FILE = /`([^`]+)`/g;
const TEST = /^`([^`]+)`: (.+)$/;

/** The first argument of it, test or describe, also behind each, runIf and their like: a text followed by a function. */
const TITLE =
  /(?:\b(?:it|test|describe)(?:\.\w+)*|\))\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1,\s*(?:\{[^{}]*\},\s*)?(?:async\s*)?(?:\(|\w+\s*=>)/g;

/** @param {string} content of a test file */
const titlesOf = (content) =>
  [...content.matchAll(TITLE)].map(([, , title = '']) => title.replaceAll(/\\(['"`\\])/g, '$1'));

/** @param {string} citation @param {(file: string) => string | undefined} contentOf */
function citationProblem(citation, contentOf) {
  const [, file, name] = TEST.exec(citation) ?? [];
  if (file === undefined || name === undefined) return `"${citation}" is not written as \`file\`: name of the test`;
  const content = contentOf(file);
  if (content === undefined) return `${file} does not exist`;
  const found = titlesOf(content).filter((title) => title.includes(name)).length;
  if (found === 1) return undefined;
  return found === 0 ? `${file} has no test "${name}"` : `${file} has ${found} tests with "${name}" in their names`;
}

/**
 * @param {string} document with tables of the columns Requirement, Where it lives, Test that shows it
 * @param {(file: string) => string | undefined} contentOf undefined for a file that does not exist
 * @returns {{ rows: number, problems: string[] }} one sentence a problem
 */
export function checkSpecification(document, contentOf) {
  const lines = document.split('\n');
  /** @type {string[]} */
  const problems = [];
  let rows = 0;
  for (const [index, line] of lines.entries()) {
    const isHead = DIVIDER.test(lines[index + 1] ?? '');
    const [, inner] = ROW.exec(line) ?? [];
    if (inner === undefined || isHead || DIVIDER.test(line)) continue;
    rows += 1;
    const [requirement = '', where = '', tests = '', ...more] = inner.split('|').map((cell) => cell.trim());
    const files = [...where.matchAll(FILE)].map(([, file = '']) => file);
    const inRow = [
      requirement === '' || more.length > 0 ? 'a row has a requirement, a place and a test' : undefined,
      files.length === 0 ? 'no file is named' : undefined,
      ...files.map((file) => (contentOf(file) === undefined ? `${file} does not exist` : undefined)),
      ...(tests === '' ? ['no test is named'] : tests.split('<br>').map((one) => citationProblem(one, contentOf))),
    ];
    for (const problem of inRow) if (problem !== undefined) problems.push(`line ${index + 1}: ${problem}`);
  }
  return { rows, problems };
}
