import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readMessages, readSource, translationProblem } from './messages.mjs';

const IMPORT = "import { rich, t, withMessages } from './platform/i18n/messages.ts';\n";

describe('reading messages out of code', () => {
  it('finds what t and rich are given, and leaves other calls alone', () => {
    const { messages, problems } = readSource(
      'a.tsx',
      `${IMPORT}export const a = () => [t('One'), rich(\`<b>Two</b>\`), x.t('3')];`,
    );
    expect(problems).toEqual([]);
    expect(messages.map(({ key }) => key)).toEqual(['One', '<b>Two</b>']);
  });

  it.each([
    ['export const a = (b: string) => t(b);', 'a message stands in the code as one literal'],
    ['export const a = (b: string) => t(`Hi ${b}`);', 'a message stands in the code as one literal'],
    ["export const a = t('One');", 'a message is read inside of a function'],
    ["export const a = (b: () => Promise<void>) => withMessages('app', b);", "write withMessages('group'"],
  ])('refuses %s', (code, problem) => {
    expect(readSource('a.tsx', IMPORT + code).problems.join()).toContain(`a.tsx:2: ${problem}`);
  });
});

describe('judging a translation', () => {
  const COUNT = '{count, plural, one {# session} other {# sessions}} of <b>{asset}</b>';

  it.each([
    ['de', COUNT, '{count, plural, one {# Sitzung} other {# Sitzungen}} von <b>{asset}</b>', 'is fine'],
    ['ja', COUNT, '<b>{asset}</b>のセッション{count, plural, other {#件}}', 'is fine'],
    ['de', 'Share [[noun]]', 'Freigabe', 'is fine'],
    ['de', COUNT, '', 'has no translation'],
    ['de', COUNT, '{count, plural, one {# Sitzung} other {# Sitzungen}}', 'without <b>'],
    ['de', 'Hello {name}', 'Hallo', 'without {name}'],
    ['de', 'Hello', 'Hallo {name}', "with {name}, which the English doesn't have"],
    ['de', 'Hello', 'Hallo {name', 'not in ICU syntax'],
    ['de', COUNT, '{count, plural, other {# Sitzungen}} von <b>{asset}</b>', 'without the plural form "one"'],
    ['ar', COUNT, '{count, plural, one {a} other {b}} <b>{asset}</b>', 'without the plural form "zero"'],
  ])('in %s', (language, key, translation, problem) => {
    expect(translationProblem(language, key, translation) ?? 'is fine').toContain(problem);
  });
});

describe('the catalogs of a build', () => {
  let web = '';
  beforeEach(() => {
    web = mkdtempSync(join(tmpdir(), 'hourshare-messages-'));
    write(
      'main.tsx',
      "import './router.ts';\nimport { t } from './platform/i18n/messages.ts';\nexport const f = () => t('Something broke');",
    );
    write('platform/i18n/messages.ts', '');
    write(
      'router.ts',
      "import { withMessages } from './platform/i18n/messages.ts';\nwithMessages('public', () => import('./landing.tsx'));\nwithMessages('app', () => import('./costs.tsx'));",
    );
    write('landing.tsx', "import './hero.tsx';");
    write('hero.tsx', `${IMPORT}export const a = () => t('Get started');`);
    write(
      'costs.tsx',
      `${IMPORT}const late = () => import('./dialog.tsx');\nexport const a = () => [t('Costs'), late];`,
    );
    write('dialog.tsx', `${IMPORT}export const a = () => t('Hello {name}', { name: 'é😀' }) + t('Close');`);
    translate({
      'Something broke': 'Defekt',
      'Get started': 'Los',
      Costs: 'Kosten',
      'Hello {name}': 'Hallo {name}',
      Close: 'Schließen',
    });
  });
  afterEach(() => rmSync(web, { recursive: true }));

  /** @param {string} name @param {string} content */
  function write(name, content) {
    mkdirSync(dirname(join(web, 'src', name)), { recursive: true });
    writeFileSync(join(web, 'src', name), content);
  }
  /** @param {Record<string, string>} texts */
  const translate = (texts) => write('messages/de.json', JSON.stringify(texts));
  /** @returns {unknown[]} */
  const textsOf = (/** @type {string} */ name) => {
    const code = readMessages(web).catalogs.find((catalog) => catalog.name === name)?.code ?? '';
    return Object.values(JSON.parse(code.replace('export default ', '')));
  };

  it('contain what the pages of a group show, and what is shown before any page, in one language', () => {
    expect(textsOf('en-public.js')).toEqual(['Get started', 'Something broke']);
    expect(textsOf('en-app.js')).toEqual(expect.arrayContaining(['Costs', ['Hello ', ['name']], 'Close']));
    expect(textsOf('de-public.js')).toEqual(['Los', 'Defekt']);
    expect(textsOf('de-app.js')).toContain('Defekt');
    expect(textsOf('de-app.js')).not.toContain('Los');
    expect(Object.values(readMessages(web).base)).toEqual(['Something broke']);
  });

  it("don't repeat what the frame of everyone who is signed in has", () => {
    write(
      'costs.tsx',
      "import { t, withMessages } from './platform/i18n/messages.ts';\nexport const a = () => [t('Costs'), withMessages('details', () => import('./dialog.tsx'))];",
    );
    write('dialog.tsx', `${IMPORT}export const a = () => t('Hello {name}', { name: '' }) + t('Close') + t('Costs');`);
    expect(textsOf('en-app.js')).toEqual(expect.arrayContaining(['Costs', 'Something broke']));
    expect(textsOf('en-app.js')).not.toContain('Close');
    expect(textsOf('en-details.js')).toEqual([['Hello ', ['name']], 'Close']);
  });

  it('have each message under the id that the code asks for', () => {
    const messages = readMessages(web);
    const code = `${IMPORT}export const a = () => t('Hello {name}', { name: 'é😀' }) + t('Close');`;
    const [, first, second] =
      /t\('(\w+)', \{ name: 'é😀' \}\) \+ t\('(\w+)'\)/.exec(
        messages.replaceIn(join(web, 'src/dialog.tsx'), code) ?? '',
      ) ?? [];
    const catalog = JSON.parse(messages.catalogs.find(({ name }) => name === 'de-app.js')?.code.slice(15) ?? '');
    expect([catalog[first ?? ''], catalog[second ?? '']]).toEqual([['Hallo ', ['name']], 'Schließen']);
  });

  it('fail with every message that lacks a translation, is gone from the code, or is on no page', () => {
    translate({ 'Something broke': 'Defekt', 'Get started': '', 'Sign in': 'Anmelden', Costs: 'Kosten', Close: 'Zu' });
    write('orphan.tsx', `${IMPORT}export const a = () => t('Close');`);
    expect(() => readMessages(web)).toThrow(/"Get started" has no translation \(de\)/);
    expect(() => readMessages(web)).toThrow(/"Hello \{name\}" has no translation \(de\)/);
    expect(() => readMessages(web)).toThrow(/"Sign in" is translated, but nowhere in the app \(de\)/);
    expect(() => readMessages(web)).toThrow(/orphan\.tsx: no page that loads messages leads here/);
  });
});
