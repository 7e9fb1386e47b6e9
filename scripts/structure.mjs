import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './processes.mjs';

// Where everything lives, as docs/architecture.md says it: a closed list, and what no file may contain.

const NOUNS = [
  'accounts',
  'assets',
  'periods',
  'shares',
  'usage',
  'sessions',
  'analytics',
  'statements',
  'costs',
  'settlements',
  'insights',
  'history',
  'notifications',
];
const NOUN = `(?:${NOUNS.join('|')})`;
const NAME = '[a-z0-9]+(?:-[a-z0-9]+)*';
const ANYWHERE_BELOW = `(?:${NAME}/)*${NAME}`;

const CODE = /\.(?:ts|tsx|mjs|cjs|css)$/;
const TEST = /\.(?:test|spec)\.(?:tsx?|mjs)$/;
const TEXT = /\.(?:ts|tsx|mjs|cjs|css|html|json|md|sh|yml|yaml)$/;

/**
 * The closed list. The first entry whose folder holds a file judges it: a file it does not allow is in the wrong place,
 * and `instead` says where it may belong.
 * @type {{ folder: string, allowed: RegExp, instead: string }[]}
 */
const PLACES = [
  {
    folder: 'contract/src/',
    allowed: new RegExp(`^(?:${NOUN}|calls|endpoints|errors|fields|limits)(?:\\.test)?\\.ts$`),
    instead:
      'the contract holds <noun>.ts, calls.ts, endpoints.ts, errors.ts, fields.ts, limits.ts and their tests, and nothing else',
  },
  {
    folder: 'contract/',
    allowed: /^(?:package\.json|tsconfig(?:\.\w+)?\.json|vitest\.config\.ts)$/,
    instead: 'schemas belong in contract/src',
  },
  {
    folder: 'server/src/features/',
    allowed: new RegExp(`^${NOUN}/(?:(?:routes|service|store|rules|wire|errors|jobs|mail)\\.ts|${NAME}\\.test\\.ts)$`),
    instead: `a feature is one of ${NOUNS.join(', ')}, and its files are routes.ts, service.ts, store.ts, rules.ts, wire.ts, errors.ts, jobs.ts, mail.ts and tests; what would fit any product belongs in server/src/platform`,
  },
  {
    folder: 'server/src/migrations/',
    allowed: new RegExp(`^(?:index\\.ts|\\d{4}-${NAME}\\.ts|${NAME}\\.test\\.ts)$`),
    instead: 'a migration is named 0001-what-it-does.ts and listed in index.ts',
  },
  {
    folder: 'server/src/platform/',
    allowed: new RegExp(`^(?:${ANYWHERE_BELOW}(?:\\.test)?\\.ts|(?:${NAME}/)*testing/${ANYWHERE_BELOW}\\.mjs)$`),
    instead: 'the platform holds files-named-like-this.ts, and in testing/ programs that its tests start',
  },
  {
    folder: 'server/src/testing/',
    allowed: new RegExp(`^${NAME}\\.ts$`),
    instead: 'what several tests need is a file-named-like-this.ts',
  },
  {
    folder: 'server/src/',
    allowed: new RegExp(`^(?:main\\.ts|app\\.ts|deps\\.ts|config\\.ts|${NAME}\\.test\\.ts)$`),
    instead:
      'beside main.ts, app.ts, deps.ts and config.ts the server has only platform/, features/<noun>/, migrations/ and testing/',
  },
  {
    folder: 'server/',
    allowed: /^(?:package\.json|tsconfig(?:\.\w+)?\.json|vitest\.config\.ts)$/,
    instead: 'code of the server belongs in server/src',
  },
  {
    folder: 'web/src/features/',
    allowed: new RegExp(`^(?:${NOUN}|marketing)/${ANYWHERE_BELOW}(?:\\.test)?\\.(?:ts|tsx)$`),
    instead: `a feature is one of ${NOUNS.join(', ')} or marketing; what knows no noun belongs in web/src/ui or web/src/lib, what composes features in web/src/app`,
  },
  {
    folder: 'web/src/styles/',
    allowed: new RegExp(`^${NAME}\\.css$`),
    instead: 'style sheets alone live there',
  },
  {
    folder: 'web/src/',
    allowed: new RegExp(
      `^(?:(?:main|prerender)\\.tsx|vite-env\\.d\\.ts|${NAME}\\.css|(?:app|ui|lib|testing)/${ANYWHERE_BELOW}(?:\\.test)?\\.(?:ts|tsx))$`,
    ),
    instead: 'beside main.tsx the web app has only app/, features/<noun>/, ui/, lib/, styles/ and testing/',
  },
  {
    folder: 'web/public/',
    allowed: new RegExp(`^(?:${NAME}/)*${NAME}(?:\\.${NAME})+$`),
    instead: 'what is served as it stands is named-like-this.ext',
  },
  {
    folder: 'web/',
    allowed: /^(?:package\.json|index\.html|vite\.config\.ts|vitest\.config\.ts|tsconfig(?:\.\w+)?\.json)$/,
    instead: 'code of the web app belongs in web/src, what is served as it stands in web/public',
  },
  {
    folder: 'e2e/',
    allowed: new RegExp(`^${NAME}(?:(?:\\.spec)?\\.ts|\\.mjs)$`),
    instead: 'journeys are e2e/<journey>.spec.ts, what they share stands beside them',
  },
  {
    folder: 'scripts/',
    allowed: new RegExp(`^${NAME}(?:\\.test)?\\.mjs$`),
    instead: 'scripts are plain modules, scripts/<name>.mjs',
  },
  {
    folder: 'docs/',
    allowed: new RegExp(`^(?:decisions/\\d{4}-${NAME}\\.md|(?:images/)?${NAME}\\.(?:md|png|svg)|openapi\\.json)$`),
    instead: 'documents are docs/<name>.md, decisions docs/decisions/0001-what-was-decided.md',
  },
  { folder: '.ci/', allowed: /^run$/, instead: 'the steps of CI are in scripts/ci.mjs' },
  { folder: 'bench/', allowed: /./, instead: '' },
  { folder: 'deploy/', allowed: /./, instead: '' },
  {
    folder: '',
    allowed: new RegExp(
      `^(?:${[
        'package(?:-lock)?\\.json',
        'tsconfig(?:\\.base)?\\.json',
        '(?:README|CHANGELOG|SECURITY)\\.md',
        'LICENSE',
        '\\.(?:gitignore|gitattributes|npmrc|nvmrc|editorconfig|dockerignore|prettierrc|prettierignore)',
        '\\.oxlintrc\\.json',
        '\\.dependency-cruiser\\.cjs',
        'knip\\.json',
        '(?:vitest|playwright)\\.config\\.ts',
      ].join('|')})$`,
    ),
    instead:
      'the top has contract/, server/, web/, e2e/, bench/, deploy/, scripts/, docs/ and the configuration of the tools',
  },
];

/** As the whole of a name or, for the first four, its end: `date-helpers.ts` no, `common-passwords.ts` yes. */
const VAGUE = /(?:(?:^|[/-])(?:utils?|helpers?)|(?:^|\/)(?:common|misc))(?=[/.])/;
const BARREL = /(?:^|\/)index\.(?:ts|tsx|mjs)$/;
const BARREL_LIKE_LIST = 'server/src/migrations/index.ts';

// Each written so that it does not find itself.
const FORBIDDEN_TEXT = [
  {
    pattern: /\b(?:it|test|describe|suite|bench)(?:\.\w+)*\.(?:skip|only|todo|fixme|fails|fail)\b/,
    only: TEST,
    advice: 'a test runs or is deleted: what holds on one engine alone is chosen with runIf or a list of engines',
  },
  {
    pattern: /\b(?:TO[D]O|FIX[M]E|X{3}|HA[C]K)\b/,
    only: CODE,
    advice: 'what is still to be done belongs in an issue',
  },
];

/** @param {string} file */
function placeProblem(file) {
  const place = PLACES.find(({ folder }) => file.startsWith(folder));
  if (!place || place.allowed.test(file.slice(place.folder.length))) return undefined;
  return `${file}: has no place there; ${place.instead}`;
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

/**
 * @param {Map<string, string>} files content by path from the root, with forward slashes
 * @returns {string[]} one sentence a problem
 */
export function structureProblems(files) {
  return [...files]
    .flatMap(([file, content]) => [placeProblem(file), nameProblem(file), ...textProblems(file, content)])
    .filter((problem) => problem !== undefined);
}

/** What is committed or would be: ignored files are nobody's business. @param {string} folder */
function projectFiles(folder) {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const names = [...new Set(listed.split('\0'))].filter((name) => name && existsSync(join(folder, name)));
  return new Map(names.map((name) => [name, TEXT.test(name) ? readFileSync(join(folder, name), 'utf8') : '']));
}

if (process.argv[1] === import.meta.filename) {
  const files = projectFiles(process.argv[2] ?? root);
  const problems = structureProblems(files);
  for (const problem of problems) console.error(problem);
  console.log(`${files.size} files, ${problems.length} out of place`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
