import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMain, root } from './processes.mjs';

// Checks where files are (docs/contributing.md), their names, and what no file may contain. Hand-written because ls-lint
// checks names by folder and extension, but neither contents nor what .gitignore leaves out.

const NAME = '[a-z0-9]+(?:-[a-z0-9]+)*';
const BELOW = `(?:${NAME}/)*`;
const LANGUAGE = '[a-z]{2}(?:-[A-Z]{2})?\\.json';
const ROLE = '(?:routes|service|store|sql|rules|wire|errors|jobs|mail)';
const WEB_FOLDER = `(?:(?:app|features|ui|platform|styles|testing)/${BELOW})?`;

/** What may be in a folder; the first that contains a file decides. @type {[folder: string, allowed: string][]} */
const PLACES = [
  ['contract/src/', `${NAME}(?:\\.test)?\\.ts`],
  ['server/src/features/', `${NAME}/(?:${NAME}/)?(?:${ROLE}\\.ts|${NAME}\\.test\\.ts)`],
  ['server/src/migrations/', `index\\.ts|\\d{4}-${NAME}\\.ts|${NAME}\\.test\\.ts`],
  ['server/src/platform/', `${BELOW}(?:${NAME}(?:\\.test)?\\.ts|testing/${BELOW}${NAME}\\.mjs)`],
  ['server/src/', `(?:testing/)?${NAME}(?:\\.test)?\\.(?:ts|json|sql)|messages/(?:messages\\.ts|${LANGUAGE})`],
  [
    'web/src/',
    `${WEB_FOLDER}${NAME}(?:\\.test|\\.d)?\\.(?:ts|tsx|css)|styles/marks\\.svg|messages/${LANGUAGE}|features/${BELOW}samples/${NAME}\\.\\w+`,
  ],
  ['web/public/', `${BELOW}${NAME}(?:\\.${NAME})+`],
  ['(?:contract|server|web)/', `index\\.html|(?:package|tsconfig)(?:\\.\\w+)?\\.json|${NAME}(?:\\.\\w+)?\\.(?:ts|mjs)`],
  ['e2e/', `${BELOW}${NAME}(?:(?:\\.spec)?\\.ts|\\.mjs)`],
  ['(?:attack|demo|harness|simulator)/', `${NAME}(?:\\.test)?\\.mjs`],
  ['scripts/', `${NAME}(?:\\.test)?\\.mjs|preflight\\.cjs`],
  ['docs/', `decisions/\\d{4}-${NAME}\\.md|${BELOW}${NAME}(?:\\.test)?\\.(?:md|mjs|csv|png|svg)`],
  ['(?:bench|deploy|\\.ci|\\.github)/', '.*'],
  ['', '[^/]*'],
];

const CODE = /\.(?:ts|tsx|mjs|cjs|css)$/;
const TEST = /\.(?:test|spec)\.(?:tsx?|mjs)$/;
/** Not `date-helpers.ts` or `index.ts`, but `common-passwords.ts`. */
const VAGUE = /(?:^|[/-])(?:utils?|helpers?)(?=[/.])|(?:^|\/)(?:common|misc|index)(?=[/.])/;
const SIDES =
  /(?<![\w$./-])(?:[mp][lr]-[\w.[]|(?:left|right)-(?!1\/2)(?:\d|full|auto|px|\[)|(?:border|rounded)-(?:[lr]|[tb][lr])\b|text-(?:left|right)\b|(?:space|divide)-x-|scroll-[mp][lr]-)|\b(?:margin|padding|border)-(?:left|right)\b|\btext-align: (?:left|right)/;
const SKIPPED = /\b(?:it|test|describe|suite|bench)(?:\.\w+)*\.(?:skip|only|todo|fixme|fails|fail)\b/;
const DOCUMENT = /(?<![>\w./-])[\w./-]+\.md\b/g;

/** Returns what is wrong with files. @param {Map<string, string>} files content by path from the root, with slashes */
export function structureProblems(files) {
  return [...files].flatMap(([file, content]) => {
    const [folder, allowed] = PLACES.find(([each]) => new RegExp(`^${each}`).test(file)) ?? ['', ''];
    const line = (/** @type {RegExp} */ pattern) => `${file}: "${pattern.exec(content)?.[0]}"`;
    const isVague = CODE.test(file) && file !== 'server/src/migrations/index.ts' && VAGUE.test(file);
    const documents = CODE.test(file) && !TEST.test(file) ? (content.match(DOCUMENT) ?? []) : [];
    return [
      !new RegExp(`^${folder}(?:${allowed})$`).test(file) && `${file}: doesn't belong there; see docs/contributing.md`,
      isVague && `${file}: the name says nothing; name it after what it does, without a barrel`,
      TEST.test(file) && SKIPPED.test(content) && `${line(SKIPPED)}; run a test or delete it, or use runIf`,
      /^web\/src\/.*\.(?:tsx|css)$/.test(file) &&
        SIDES.test(content) &&
        `${line(SIDES)}; name the side by reading direction (ms-, pe-, start-, text-end): Arabic is mirrored`,
      ...documents.map(
        (name) => !files.has(name) && `${file}: names ${name}; write the path of a document from the root`,
      ),
    ].filter((problem) => problem !== false);
  });
}

if (isMain(import.meta.filename)) {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\0');
  const names = listed.filter((name) => name && existsSync(join(root, name)));
  const files = new Map(names.map((name) => [name, CODE.test(name) ? readFileSync(join(root, name), 'utf8') : '']));
  const problems = structureProblems(files);
  for (const problem of problems) console.error(problem);
  console.log(`${files.size} files, ${problems.length} problems`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
