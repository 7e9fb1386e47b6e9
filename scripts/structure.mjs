import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import NOUNS from './nouns.cjs';
import { isMain, root } from './processes.mjs';

// Checks where files are against a closed list (docs/contributing.md), and what no file may contain. Hand-written
// because ls-lint checks names by folder and extension, but not .gitignore, contents, or where a file belongs
// instead.

const NOUN = `(?:${NOUNS.join('|')})`;
const NAME = '[a-z0-9]+(?:-[a-z0-9]+)*';
const BELOW = `(?:${NAME}/)*`;
const ROLE = '(?:routes|service|store|sql|rules|wire|errors|jobs|mail)';

const CODE = /\.(?:ts|tsx|mjs|cjs|css)$/;
const TEST = /\.(?:test|spec)\.(?:tsx?|mjs)$/;
const TEXT = /\.(?:ts|tsx|mjs|cjs|css|html|json|md|sh|yml|yaml)$/;

/**
 * The first entry whose folder contains a file judges the rest of its path. The advice says where a file may belong
 * that the entry doesn't allow.
 * @type {[folder: string, allowed: string, advice: string][]}
 */
const PLACES = [
  [
    'contract/src/',
    `(?:${NOUN}|calls|endpoints|errors|fields|limits|money|sentences)(?:\\.test)?\\.ts`,
    'the contract holds <noun>.ts, calls.ts, endpoints.ts, errors.ts, fields.ts, limits.ts, money.ts, sentences.ts, and their tests, and nothing else',
  ],
  [
    'server/src/features/',
    `${NOUN}/(?:${NAME}/)?(?:${ROLE}\\.ts|${NAME}\\.test\\.ts)`,
    `a feature is one of ${NOUNS.join(', ')}, and its files, or those of its sub-subjects' folders, are routes.ts, service.ts, store.ts, sql.ts, rules.ts, wire.ts, errors.ts, jobs.ts, mail.ts, and tests; code that would fit any product belongs in server/src/platform`,
  ],
  [
    'server/src/migrations/',
    `(?:index\\.ts|\\d{4}-${NAME}\\.ts|${NAME}\\.test\\.ts)`,
    'a migration is named 0001-what-it-does.ts and listed in index.ts',
  ],
  [
    'server/src/',
    `(?:(?:main|admin|app|commands|deps|events|mails|config|schema)\\.ts|${NAME}\\.test\\.ts|messages/(?:messages\\.ts|[a-z]{2}(?:-[A-Z]{2})?\\.json)|platform/${BELOW}(?:${NAME}(?:\\.test)?\\.ts|testing/${BELOW}${NAME}\\.mjs)|testing/${NAME}\\.(?:ts|json))`,
    'the server has only main.ts, admin.ts, app.ts, commands.ts, deps.ts, events.ts, mails.ts, config.ts, schema.ts, messages/, platform/, features/<noun>/, migrations/, and testing/',
  ],
  [
    'web/src/features/',
    `(?:${NOUN}|marketing)/${BELOW}${NAME}(?:\\.test)?\\.tsx?`,
    `a feature is one of ${NOUNS.join(', ')} or marketing; code that knows no noun belongs in web/src/ui or web/src/lib, and code that composes features in web/src/app`,
  ],
  [
    'web/src/',
    `(?:(?:main|prerender)\\.tsx|service-worker\\.ts|vite-env\\.d\\.ts|messages/[a-z]{2}(?:-[A-Z]{2})?\\.json|(?:styles/)?${NAME}\\.css|(?:app|ui|lib|testing)/${BELOW}${NAME}(?:\\.test)?\\.tsx?)`,
    'the web app has only main.tsx, app/, features/<noun>/, ui/, lib/, messages/<language>.json, styles/, and testing/',
  ],
  ['web/public/', `${BELOW}${NAME}(?:\\.${NAME})+`, 'static files are named-like-this.ext'],
  ...['contract/', 'server/', 'web/'].map(
    (folder) =>
      /** @type {[string, string, string]} */ ([
        folder,
        `(?:package|tsconfig(?:\\.\\w+)?)\\.json|vitest\\.config\\.ts${folder === 'web/' ? '|index\\.html|vite\\.config\\.ts|messages\\.mjs' : ''}`,
        `code belongs in ${folder}src, and static files of the web app in web/public`,
      ]),
  ),
  [
    'e2e/',
    `${BELOW}${NAME}(?:(?:\\.spec)?\\.ts|\\.mjs)`,
    'journeys are e2e/<journey>.spec.ts, and shared code is next to them',
  ],
  ['attack/', `${NAME}(?:\\.test)?\\.mjs`, 'hostile requests are plain modules, attack/<name>.mjs'],
  ['simulator/', `${NAME}(?:\\.test)?\\.mjs`, 'the simulator is plain modules, simulator/<name>.mjs'],
  ['harness/', `${NAME}(?:\\.test)?\\.mjs`, 'what starts and measures servers is plain modules, harness/<name>.mjs'],
  ['demo/', `${NAME}(?:\\.test)?\\.mjs`, 'sample data and screenshots are plain modules, demo/<name>.mjs'],
  ['scripts/test-parts/', 'package(?:-lock)?\\.json', 'it lists the npm packages that scripts/test-parts.mjs installs'],
  ['scripts/', `${NAME}(?:\\.test)?\\.mjs|(?:nouns|preflight)\\.cjs`, 'scripts are plain modules, scripts/<name>.mjs'],
  [
    'docs/',
    `decisions/\\d{4}-${NAME}\\.md|(?:security/)?${NAME}\\.csv|(?:images/)?${NAME}\\.(?:md|png|svg)`,
    'documents are docs/<name>.md, tables that tests check docs/<name>.csv or docs/security/<name>.csv, and decisions docs/decisions/<number>-what-was-decided.md',
  ],
  ['.ci/', 'run', 'the steps of CI are in scripts/ci.mjs'],
  ['.github/', 'dependabot\\.yml|workflows/ci\\.yml', 'hosted CI runs .ci/run, whose steps are in scripts/ci.mjs'],
  ['bench/', '.*', ''],
  ['deploy/', '.*', ''],
  [
    '',
    '(?:package(?:-lock)?|tsconfig(?:\\.base)?|knip|\\.oxlintrc)\\.json|(?:README|CHANGELOG|SECURITY)\\.md|LICENSE|\\.(?:gitignore|gitattributes|npmrc|nvmrc|editorconfig|dockerignore|prettierrc|prettierignore)|\\.dependency-cruiser\\.cjs|(?:vitest|playwright)\\.config\\.ts',
    'the top level has contract/, server/, web/, e2e/, attack/, simulator/, harness/, bench/, demo/, deploy/, scripts/, docs/, and configuration files',
  ],
];

/** As a whole name or, for the first four, its end: not `date-helpers.ts`, but `common-passwords.ts`. */
const VAGUE = /(?:(?:^|[/-])(?:utils?|helpers?)|(?:^|\/)(?:common|misc))(?=[/.])/;
const BARREL = /(?:^|\/)index\.(?:ts|tsx|mjs)$/;
const BARREL_LIKE_LIST = 'server/src/migrations/index.ts';

// Written so that the patterns don't match themselves.
const FORBIDDEN_TEXT = [
  {
    pattern: /\b(?:it|test|describe|suite|bench)(?:\.\w+)*\.(?:skip|only|todo|fixme|fails|fail)\b/,
    only: TEST,
    advice: 'run a test or delete it; use runIf or a list of engines if it only applies to one engine',
  },
  {
    pattern: /\b(?:TO[D]O|FIX[M]E|X{3}|HA[C]K)\b/,
    only: CODE,
    advice: 'unfinished work belongs in an issue',
  },
  {
    pattern:
      /(?<![\w$./-])(?:[mp][lr]-[\w.[]|(?:left|right)-(?!1\/2)(?:\d|full|auto|px|\[)|(?:border|rounded)-(?:[lr]|[tb][lr])\b|text-(?:left|right)\b|(?:space|divide)-x-|scroll-[mp][lr]-)|\b(?:margin|padding|border)-(?:left|right)\b|\btext-align: (?:left|right)/,
    only: /^web\/src\/.*\.(?:tsx|css)$/,
    advice: 'name the side by reading direction (ms-, pe-, start-, text-end, margin-inline-start): Arabic is mirrored',
  },
];

/** @param {string} file */
function placeProblem(file) {
  const [folder, allowed, advice] = PLACES.find(([folder]) => file.startsWith(folder)) ?? ['', '', ''];
  if (new RegExp(`^(?:${allowed})$`).test(file.slice(folder.length))) return undefined;
  return `${file}: doesn't belong there; ${advice}`;
}

/** @param {string} file */
function nameProblem(file) {
  if (!CODE.test(file) || file === BARREL_LIKE_LIST) return undefined;
  const vague = VAGUE.exec(file)?.[0].replace(/^[/-]/, '');
  if (vague) return `${file}: "${vague}" says nothing; name it after what it does, beside what uses it`;
  if (BARREL.test(file)) return `${file}: no barrels; import from the file that has it`;
  return undefined;
}

/** @param {string} file @param {string} content */
function textProblems(file, content) {
  return FORBIDDEN_TEXT.filter(({ only }) => only.test(file)).flatMap(({ pattern, advice }) =>
    content
      .split('\n')
      .flatMap((line, index) =>
        pattern.test(line) ? [`${file}:${index + 1}: "${pattern.exec(line)?.[0]}"; ${advice}`] : [],
      ),
  );
}

/** Finds documents that code names and that don't exist. @param {string} file @param {string} content @param {Map<string, string>} files */
function documentProblems(file, content, files) {
  if (!CODE.test(file) || TEST.test(file)) return [];
  const named = new Set([...content.matchAll(/(?<![>\w./-])[\w./-]+\.md\b/g)].map(([name]) => name));
  return [...named]
    .filter((name) => !files.has(name))
    .map((name) => `${file}: names ${name}, which is not in this repository; write its path from the root`);
}

/**
 * Returns what is wrong with files.
 *
 * @param {Map<string, string>} files content by path from the root, with forward slashes
 * @returns {string[]} one sentence per problem
 */
export function structureProblems(files) {
  return [...files]
    .flatMap(([file, content]) => [
      placeProblem(file),
      nameProblem(file),
      ...textProblems(file, content),
      ...documentProblems(file, content, files),
    ])
    .filter((problem) => problem !== undefined);
}

/** Returns the files that are committed or could be; ignored ones may be anything. @param {string} folder */
function projectFiles(folder) {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const names = [...new Set(listed.split('\0'))].filter((name) => name && existsSync(join(folder, name)));
  return new Map(names.map((name) => [name, TEXT.test(name) ? readFileSync(join(folder, name), 'utf8') : '']));
}

if (isMain(import.meta.filename)) {
  const files = projectFiles(process.argv[2] ?? root);
  const problems = structureProblems(files);
  for (const problem of problems) console.error(problem);
  console.log(`${files.size} files, ${problems.length} out of place`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
