import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './processes.mjs';
import { checkSpecification } from './specification.mjs';

describe('docs/specification.md', () => {
  it('names files that exist and tests that they have, at least one in every row', () => {
    const contentOf = (/** @type {string} */ file) =>
      existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : undefined;
    const { rows, problems } = checkSpecification(contentOf('docs/specification.md') ?? '', contentOf);
    expect(problems.join('\n')).toBe('');
    expect(rows).toBeGreaterThan(0);
  });
});

describe('the check of the specification', () => {
  /** @type {Record<string, string>} */
  const files = {
    'web/src/main.tsx': '',
    'web/src/main.test.tsx': `
      it('opens a page', async () => {});
      it('opens a dialog', { timeout: 5 }, async () => {});
      it.each(['a', 'b'])("says what %s isn't", (text) => {});
      test.each([
        ['a', 'b'],
      ])(
        'takes \\'%s\\' as it is',
        async (text) => {},
      );
      for (const path of paths) test(\`\${path} is there\`, async ({ page }) => {});
      // closes a dialog
      expect('closes a page').toBe('closes a page');
    `,
  };
  const check = (/** @type {string[]} */ ...rows) =>
    checkSpecification(
      ['| Requirement | Where it lives | Test that shows it |', '| --- | --- | --- |', ...rows].join('\n'),
      (file) => files[file],
    );
  const row = (/** @type {string} */ tests, where = '`web/src/main.tsx`') => `| Something | ${where} | ${tests} |`;
  const test = (/** @type {string} */ name) => `\`web/src/main.test.tsx\`: ${name}`;

  it('takes rows whose files and tests are there, however the tests are written', () => {
    const names = ['opens a page', 'a dialog', "says what %s isn't", "takes '%s' as it is", '${path} is there'];
    expect(check(...names.map((name) => row(test(name))))).toEqual({ rows: 5, problems: [] });
    expect(check(row(`${test('a page')}<br>${test('a dialog')}`))).toEqual({ rows: 1, problems: [] });
  });

  it.each([
    ['no test', row(''), 'no test is named'],
    ['a test without its file', row('opens a page'), 'is not written as'],
    ['a test that no file has', row(test('closes a dialog')), 'has no test "closes a dialog"'],
    ['a text that is no test', row(test('closes a page')), 'has no test "closes a page"'],
    ['a name of several tests', row(test('opens')), 'has 2 tests with "opens"'],
    ['a test in a file that is gone', row('`gone.test.ts`: opens'), 'gone.test.ts does not exist'],
    ['one good test and one that is gone', row(`${test('a page')}<br>${test('gone')}`), 'has no test "gone"'],
    ['no place', row(test('a page'), ''), 'no file is named'],
    ['a place that is gone', row(test('a page'), '`gone.ts`'), 'gone.ts does not exist'],
    ['two columns', '| Something | `web/src/main.tsx` |', 'no test is named'],
    ['four columns', `${row(test('a page'))} more |`, 'a row has a requirement, a place and a test'],
  ])('refuses a row with %s', (_, line, advice) => {
    expect(check(line).problems.join('\n')).toContain(`line 3: `);
    expect(check(line).problems.join('\n')).toContain(advice);
  });
});
