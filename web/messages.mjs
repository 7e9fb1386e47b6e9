import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import compile from 'icu-minify/compile';
import { parseSync, Visitor } from 'vite';

// Reads the messages out of the app's code, and makes catalogs of them and of the translations in src/messages
// (docs/decisions/0050-message-catalogs.md). `npm run messages` brings those files up to date. Hand-written because the
// extractors there are need Babel or a newer Node.js, or leave the whole app's text in one catalog.

const API = 'platform/i18n/messages.ts';
const ENTRY = 'main.tsx';
/** The contract's table of sentences, which the app shows, too. */
const SENTENCES = '../../contract/src/sentences.ts';

/** The group of the frame of everyone who is signed in. What it has, other catalogs don't repeat. */
const FRAME = 'app';
/** The groups of pages that also open without a sign-in. */
const NO_FRAME = new Set(['public', 'documents']);

/** @typedef {{ key: string, start: number, end: number }} Message where the literal is in the file */
/** @typedef {{ messages: Message[], imports: string[], groups: { group: string, file: string }[] }} SourceFile */
/** @typedef {string | unknown[]} Compiled */

/** The English of a message: its key without the note that tells it from others. @param {string} key */
export const englishOf = (key) => key.replace(/ \[\[.*\]\]$/, '');

/** @param {string} folder @returns {string[]} */
const sourcesBelow = (folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|\.d\.ts$|^testing[/\\]/.test(name))
    .map((name) => name.split(sep).join('/'))
    .toSorted();

/** Returns the text of a literal that is the same at every run. @param {any} node @returns {string | undefined} */
function literalText(node) {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0) return node.quasis[0].value.cooked;
  return undefined;
}

/**
 * Reads one file. `name` and the imports are paths below src.
 * @param {string} name @param {string} code @returns {SourceFile & { problems: string[] }}
 */
export function readSource(name, code) {
  const { program, errors } = parseSync(name, code);
  if (errors[0]) throw new Error(`${name}: ${errors[0].message}`);
  /** @type {Message[]} */
  const messages = [];
  /** @type {Set<string>} */
  const imports = new Set();
  /** @type {SourceFile['groups']} */
  const groups = [];
  /** @type {string[]} */
  const problems = [];
  /** What the file calls the functions of platform/i18n/messages.ts. @type {Map<string, string>} */
  const api = new Map();
  let depth = 0;

  /** @param {string} source */
  const target = (source) =>
    source === '@hourshare/contract/sentences'
      ? SENTENCES
      : source.startsWith('.')
        ? join(dirname(name), source).split(sep).join('/')
        : source;
  const problem = (/** @type {any} */ node, /** @type {string} */ what) =>
    problems.push(`${name}:${code.slice(0, node.start).split('\n').length}: ${what}`);
  const enter = () => void (depth += 1);
  const leave = () => void (depth -= 1);

  /** @param {any} call */
  function readCall(call) {
    const called = call.callee.type === 'Identifier' ? api.get(call.callee.name) : undefined;
    const [first, second] = call.arguments;
    if (called === 'withMessages') {
      const group = literalText(first);
      const file = literalText(second?.body?.source);
      if (group === undefined || file === undefined)
        problem(call, "write withMessages('group', () => import('./page.tsx'))");
      else groups.push({ group, file: target(file) });
    } else if (called === 't' || called === 'rich') {
      const key = literalText(first);
      if (key === undefined) problem(call, 'a message stands in the code as one literal');
      else if (depth === 0)
        problem(call, 'a message is read inside of a function: no catalog is there when a file is loaded');
      else messages.push({ key, start: first.start, end: first.end });
    }
  }

  new Visitor({
    ImportDeclaration(/** @type {any} */ node) {
      if (node.importKind === 'type') return;
      imports.add(target(node.source.value));
      if (target(node.source.value) !== API) return;
      for (const { local, imported } of node.specifiers) api.set(local.name, imported?.name);
    },
    ExportNamedDeclaration: (/** @type {any} */ node) => void (node.source && imports.add(target(node.source.value))),
    ImportExpression(/** @type {any} */ node) {
      const source = literalText(node.source);
      if (source !== undefined) imports.add(target(source));
    },
    CallExpression: readCall,
    VariableDeclarator(/** @type {any} */ { id, init }) {
      if (name !== SENTENCES || id.name !== 'SENTENCES') return;
      for (const { value } of init.expression.properties)
        messages.push({ key: value.value, start: value.start, end: value.end });
    },
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': leave,
    FunctionExpression: enter,
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': leave,
  }).visit(program);
  // What is loaded with a group is not loaded with the file that names it.
  for (const { file } of groups) imports.delete(file);
  return { messages, imports: [...imports], groups, problems };
}

/** @typedef {{ names: Set<string>, plurals: Set<string>[], ordinals: Set<string>[] }} Shape what a message needs, and which forms it has */

// The kinds of nodes in a compiled message, as in icu-minify's types.
const PLURAL = 2;
const ORDINAL = 3;

/** @param {unknown} nodes a message, one branch of it, or what is inside of a tag @param {Shape} shape @returns {Shape} */
function shapeOf(nodes, shape = { names: new Set(), plurals: [], ordinals: [] }) {
  if (!Array.isArray(nodes)) return shape;
  for (const node of nodes) {
    if (!Array.isArray(node)) continue;
    const [name, kind, branches = {}] = node;
    if (node.length === 1) shape.names.add(`{${name}}`);
    else if (typeof kind === 'number' && kind > 0) {
      shape.names.add(`{${name}}`);
      if (kind === PLURAL) shape.plurals.push(new Set(Object.keys(branches)));
      if (kind === ORDINAL) shape.ordinals.push(new Set(Object.keys(branches)));
      if (typeof branches === 'object') for (const branch of Object.values(branches)) shapeOf(branch, shape);
    } else {
      shape.names.add(`<${name}>`);
      shapeOf(node.slice(1), shape);
    }
  }
  return shape;
}

/** Returns the plural forms that counts of a language use; rarer ones, for a whole million, fall back to `other`. @param {string} language @param {Intl.PluralRuleType} type */
function formsOf(language, type) {
  const rules = new Intl.PluralRules(language, { type });
  return new Set(Array.from({ length: 201 }, (_, count) => rules.select(count)));
}

/** @param {string} language @param {Shape} shape @returns {string | undefined} */
function missingForm(language, { plurals, ordinals }) {
  const lacking = (/** @type {Set<string>[]} */ given, /** @type {Set<string>} */ needed) =>
    given.flatMap((forms) => [...needed].filter((form) => !forms.has(form)));
  return [...lacking(plurals, formsOf(language, 'cardinal')), ...lacking(ordinals, formsOf(language, 'ordinal'))][0];
}

/** @param {string} text @returns {{ compiled: Compiled, problem?: never } | { compiled?: never, problem: string }} */
function compiledOr(text) {
  try {
    return { compiled: compile(text) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Returns why a translation can't replace its English text, one sentence a problem.
 * @param {string} language @param {string} key @param {string} translation
 */
export function translationProblem(language, key, translation) {
  if (translation.trim() === '') return 'has no translation';
  const english = compiledOr(englishOf(key));
  const other = compiledOr(translation);
  if (english.problem !== undefined) return `is not a message in ICU syntax: ${english.problem}`;
  if (other.problem !== undefined) return `has a translation that is not in ICU syntax: ${other.problem}`;
  const [given, used] = [shapeOf(english.compiled), shapeOf(other.compiled)];
  const lost = [...given.names].find((name) => !used.names.has(name));
  if (lost !== undefined) return `has a translation without ${lost}`;
  const unknown = [...used.names].find((name) => !given.names.has(name));
  if (unknown !== undefined) return `has a translation with ${unknown}, which the English doesn't have`;
  const form = missingForm(language, used);
  return form === undefined ? undefined : `has a translation without the plural form "${form}"`;
}

/** @param {Map<string, SourceFile>} files @param {string[]} from @returns {Set<string>} the files and all they import */
function closure(files, from) {
  const all = new Set(from.filter((name) => files.has(name)));
  // Also visits what is added meanwhile.
  for (const name of all) for (const each of files.get(name)?.imports ?? []) if (files.has(each)) all.add(each);
  return all;
}

/** @param {Map<string, SourceFile>} files @param {Iterable<string>} names */
const keysIn = (files, names) =>
  new Set([...names].flatMap((name) => files.get(name)?.messages.map(({ key }) => key) ?? []));

/** Reads all files below src. @param {string} web the folder of the web app */
function readSources(web) {
  const src = join(web, 'src');
  /** @type {Map<string, SourceFile>} */
  const files = new Map();
  /** @type {string[]} */
  const problems = [];
  for (const name of [...sourcesBelow(src), SENTENCES].filter((name) => existsSync(join(src, name)))) {
    const file = readSource(name, readFileSync(join(src, name), 'utf8'));
    // Where the functions are defined, their calls are examples in comments at most.
    if (name !== API) files.set(name, file);
    problems.push(...file.problems);
  }
  return { files, problems, keys: keysIn(files, files.keys()) };
}

/** @param {string} web @returns {Map<string, Record<string, string>>} translations by language */
function readTranslations(web) {
  const folder = join(web, 'src', 'messages');
  return new Map(
    readdirSync(folder)
      .toSorted()
      .map((name) => [name.replace(/\.json$/, ''), JSON.parse(readFileSync(join(folder, name), 'utf8'))]),
  );
}

/**
 * Reads the app's messages and makes catalogs of them; throws with every problem there is.
 * @param {string} web the folder of the web app
 */
export function readMessages(web) {
  const { files, problems, keys } = readSources(web);
  const translations = readTranslations(web);
  for (const key of keys) {
    const problem = translationProblem('en', key, englishOf(key));
    if (problem !== undefined) problems.push(`"${key}" ${problem} (en)`);
  }
  for (const [language, texts] of translations) {
    for (const key of keys) {
      const problem = translationProblem(language, key, texts[key] ?? '');
      if (problem !== undefined) problems.push(`"${key}" ${problem} (${language})`);
    }
    for (const key of Object.keys(texts))
      if (!keys.has(key)) problems.push(`"${key}" is translated, but nowhere in the app (${language})`);
  }

  const loads = [...files.values()].flatMap((file) => file.groups);
  const groups = new Map(
    loads.map(({ group }) => {
      const entries = loads.filter((load) => load.group === group).map(({ file }) => file);
      return [group, closure(files, [ENTRY, ...entries])];
    }),
  );
  const shown = new Set([...groups.values()].flatMap((names) => [...names]));
  for (const [name, { messages }] of files)
    if (messages.length > 0 && !shown.has(name)) problems.push(`${name}: no page that loads messages leads here`);
  if (problems.length > 0) throw new Error(`The app's messages have problems:\n${problems.join('\n')}\n`);

  // Neighbors in the code are neighbors in a catalog, which compresses best.
  const ids = new Map([...keys].map((key, index) => [key, index.toString(36)]));
  /** @param {Iterable<string>} chosen @param {(key: string) => string} textOf @returns {Record<string, Compiled>} */
  const catalog = (chosen, textOf) =>
    Object.fromEntries([...chosen].map((key) => [String(ids.get(key)), compile(textOf(key))]));
  const languages = new Map([['en', englishOf]]);
  for (const [language, texts] of translations) languages.set(language, (key) => texts[key] ?? '');
  const framed = keysIn(files, groups.get(FRAME) ?? []);
  /** @param {string} group @param {Set<string>} names */
  const keysOf = (group, names) =>
    [...keysIn(files, names)].filter((key) => group === FRAME || NO_FRAME.has(group) || !framed.has(key));
  const catalogs = [...languages].flatMap(([language, textOf]) =>
    [...groups].map(([group, names]) => ({
      language,
      name: `${language}-${group}.js`,
      code: `export default ${JSON.stringify(catalog(keysOf(group, names), textOf))}`,
    })),
  );
  return {
    /** What is shown before any page, in English. */
    base: catalog(keysIn(files, closure(files, [ENTRY])), englishOf),
    catalogs,
    /** One for all catalogs, so that an address follows from the language and the group. */
    hash: createHash('sha256').update(JSON.stringify(catalogs)).digest('base64url').slice(0, 8).replaceAll('-', '_'),
    /**
     * Puts ids in place of the messages. Returns null for a file without any.
     * @param {string} path @param {string} code as it is on disk
     */
    replaceIn(path, code) {
      const { messages } = files.get(relative(join(web, 'src'), path).split(sep).join('/')) ?? { messages: [] };
      if (messages.length === 0) return null;
      return messages.reduceRight(
        (text, { key, start, end }) => `${text.slice(0, start)}'${ids.get(key)}'${text.slice(end)}`,
        code,
      );
    },
  };
}

/** Adds new messages to the files of translations, empty, and takes out those that are gone. @param {string} web */
function updateTranslations(web) {
  const { problems, keys } = readSources(web);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  for (const [language, texts] of readTranslations(web)) {
    const next = Object.fromEntries([...keys].map((key) => [key, texts[key] ?? '']));
    writeFileSync(join(web, 'src', 'messages', `${language}.json`), `${JSON.stringify(next, null, 2)}\n`);
    const open = Object.entries(next).filter(([key, text]) => translationProblem(language, key, text) !== undefined);
    process.stdout.write(`${language}: ${keys.size} messages, ${open.length} to translate\n`);
  }
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === import.meta.filename)
  updateTranslations(import.meta.dirname);
