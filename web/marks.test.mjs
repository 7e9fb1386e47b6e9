import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { markedServices } from './src/ui/service-mark.ts';

const icons = join(import.meta.dirname, '..', 'node_modules', 'simple-icons', 'icons');
/** Each mark is 24 high, with a gap, so that none shows at the edge of the next. */
const STEP = 26;

/** How many numbers a command of a path takes. */
const ARGUMENTS = { m: 2, l: 2, h: 1, v: 1, c: 6, s: 4, q: 4, t: 2, a: 7, z: 0 };

/** @param {string} text the numbers of a command, of which those of arcs contain flags @param {boolean} isArc */
function readNumbers(text, isArc) {
  /** @type {number[]} */
  const numbers = [];
  for (let rest = text.trim(); rest !== ''; rest = rest.replace(/^[\s,]+/, '')) {
    const isFlag = isArc && [3, 4].includes(numbers.length % 7);
    const [found] = (isFlag ? /^[01]/ : /^[-+]?(?:\d+\.?\d*|\.\d+)/).exec(rest) ?? [];
    if (found === undefined) throw new Error(`no number: ${rest}`);
    numbers.push(Number(found));
    rest = rest.slice(found.length);
  }
  return numbers;
}

const tenth = (/** @type {number} */ value) => Math.round(value * 10) / 10;

/**
 * Rounds a path to tenths, which no one sees at the sizes of marks: half of the file is digits. Every point is rounded where it is,
 * because the errors of relative ones would add up.
 * @param {string} path
 */
function rounded(path) {
  let [exact, drawn, begin, drawnBegin] = [
    [0, 0],
    [0, 0],
    [0, 0],
    [0, 0],
  ];
  let text = '';
  for (const [, command = '', rest = ''] of path.matchAll(/([a-zA-Z])([^a-zA-Z]*)/g)) {
    const kind = /** @type {keyof typeof ARGUMENTS} */ (command.toLowerCase());
    const isRelative = command === kind;
    const numbers = readNumbers(rest, kind === 'a');
    const size = ARGUMENTS[kind];
    if (size === 0) [exact, drawn, text] = [begin, drawnBegin, `${text}z`];
    for (let at = 0; at < numbers.length; at += size) {
      const given = numbers.slice(at, at + size);
      let [end, drawnEnd] = [exact, drawn];
      const written = given.map((value, index) => {
        if (kind === 'a' && index < 5) return index < 2 ? Math.round(value * 100) / 100 : value;
        const axis = kind === 'v' || (kind !== 'h' && (kind === 'a' ? index - 5 : index) % 2 === 1) ? 1 : 0;
        const place = value + (isRelative ? (exact[axis] ?? 0) : 0);
        end = end.with(axis, place);
        drawnEnd = drawnEnd.with(axis, tenth(place));
        return tenth(tenth(place) - (isRelative ? (drawn[axis] ?? 0) : 0));
      });
      [exact, drawn] = [end, drawnEnd];
      if (kind === 'm' && at === 0) [begin, drawnBegin] = [end, drawnEnd];
      text += (at === 0 ? command : ' ') + written.map((value) => String(value).replace(/^(-?)0\./, '$1.')).join(' ');
    }
  }
  // What starts with a sign, or with a second point, is another number.
  return text.replaceAll(' -', '-').replaceAll(/(\.\d+) (?=\.)/g, '$1');
}

it('the sprite has the mark of each service, in their order', async () => {
  const marks = markedServices.map((service, index) => {
    const [, path = ''] = / d="([^"]+)"/.exec(readFileSync(join(icons, `${service}.svg`), 'utf8')) ?? [];
    return `<path transform="translate(0 ${index * STEP})" d="${rounded(path)}"/>\n`;
  });
  const height = (marks.length - 1) * STEP + 24;
  const sprite = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 ${height}">\n${marks.join('')}</svg>\n`;
  await expect(sprite).toMatchFileSnapshot('src/styles/marks.svg');
});
