import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { findBrowser } from './browser.mjs';
import { build } from './build.mjs';
import { findPostgres } from './postgres.mjs';
import { isMain, onSignal, root, run, tool } from './processes.mjs';
import { judgeRun, playwrightCounts } from './test-counts.mjs';

// Runs the tests in tiers (docs/contributing.md): `npm test`, and what .ci/run and `npm run test:all` add to it. Each runner
// only knows its own tests, and none provides the database and the browser.

/** What depends on the embedded engine, and one subject of each noun. Paths or parts of them, below server/. */
const ENGINE = `
  platform/database/ platform/statements migrations/ features/backups/ races.test time-zones
  src/main.test src/main-upgrades src/admin src/commands src/contention src/row-types
  accounts/register accounts/login assets/assets shares/shares sessions/sessions usage/usage
  analytics/analytics statements/costs statements/histories settlements/settlements insights/history
  exports/exports notices/notices.test`
  .trim()
  .split(/\s+/);

/** What in a file of server tests shows that its results may depend on the engine. */
const DEPENDS_ON_ENGINE = /openTestApi|openTestDatabase|buildServer|databaseTemplate/;

const TIERS = /** @type {const} */ (['test', 'ci', 'all']);

/**
 * `minutes` is how long it took on 2 cores that had nothing else to do; later runs say how long it took here. A tier runs
 * the parts of those before it, too, except where `unless` names a later part that includes this one.
 *
 * @typedef {object} Part
 * @property {typeof TIERS[number]} tier
 * @property {string} about
 * @property {number} minutes
 * @property {string[]} [vitest] arguments
 * @property {RegExp} [only] what files of server tests must contain
 * @property {string[]} [playwright] arguments
 * @property {boolean} [onPostgresql] uses PostgreSQL for the app's database if there is one
 * @property {Record<string, string>} [env]
 */

/** @type {Record<string, Part>} */
const PARTS = {
  units: {
    tier: 'test',
    about: 'the contract, the rules of the web app, and its components',
    minutes: 2,
    vitest: ['--project', 'contract', '--project', 'web', '--project', 'web-rules'],
  },
  server: {
    tier: 'test',
    about: 'the server on PostgreSQL',
    minutes: 5,
    vitest: ['--project', 'server'],
    onPostgresql: true,
  },
  smoke: {
    tier: 'test',
    about: 'the main job in a browser',
    minutes: 1,
    playwright: ['--grep', '@smoke'],
    onPostgresql: true,
  },
  engine: {
    tier: 'ci',
    about: 'the embedded engine',
    minutes: 2,
    vitest: ['--project', 'server', ...ENGINE],
  },
  tools: { tier: 'ci', about: 'the tools', minutes: 2, vitest: ['--project', 'tools'], onPostgresql: true },
  journeys: {
    tier: 'ci',
    about: 'journeys in a browser',
    minutes: 7,
    playwright: ['--grep', '@journey'],
    onPostgresql: true,
  },
  embedded: {
    tier: 'all',
    about: 'the server on the embedded engine, with ten times as many random histories',
    minutes: 15,
    vitest: ['--project', 'server'],
    only: DEPENDS_ON_ENGINE,
    env: { THOROUGH: '1' },
  },
  thorough: {
    tier: 'all',
    about: 'what is deleted between any two statements of any call, and ten times as many random bodies',
    minutes: 6,
    vitest: ['--project', 'server', 'src/vanishing', 'http/bodies'],
    onPostgresql: true,
    env: { THOROUGH: '1' },
  },
  browser: {
    tier: 'all',
    about: 'everything else in a browser',
    minutes: 35,
    playwright: ['--grep-invert', '@journey|@smoke'],
    onPostgresql: true,
  },
  deployment: {
    tier: 'all',
    about: 'proxies, rolling upgrades, and what else runs the product as deployed',
    minutes: 8,
    vitest: ['--project', 'deployment'],
    onPostgresql: true,
  },
};

const TEST_FOLDERS = ['contract', 'server', 'web', 'scripts', 'attack', 'simulator', 'deploy', 'e2e'];
const REST = 'The rest: `npm run test:all` runs everything, `npm run ci` what else protects a change.';
const TIMES = join(root, '.cache', 'test-seconds.json');

/** @param {string} file @returns {any} undefined without a complete file */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

const testFiles = () =>
  TEST_FOLDERS.filter((folder) => existsSync(join(root, folder))).flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:test|spec)\.(?:tsx?|mjs)$/.test(file) && !file.includes('node_modules'))
      .map((file) => `${folder}/${file.replaceAll(sep, '/')}`),
  );

/** Returns whether tests start the built app. @param {string[]} [vitest] arguments */
const isOfBuild = (vitest = []) =>
  vitest.some((each) => /^(?:tools|deployment|(?:scripts|attack|deploy)\/.*)$/.test(each));

/** @param {RegExp} pattern */
const serverTestsWith = (pattern) =>
  testFiles().filter((file) => file.startsWith('server/') && pattern.test(readFileSync(join(root, file), 'utf8')));

/**
 * Returns the parts to run for names of parts and (parts of) paths of files.
 *
 * @param {string[]} names
 * @returns {Record<string, Part>}
 */
export function partsNamed(names) {
  /** @type {Record<string, Part>} */
  const parts = {};
  /** @type {Set<string>} */
  const files = new Set();
  for (const name of names) {
    const part = PARTS[name];
    const found = testFiles().filter((file) => file.includes(name.replace(/^\.\//, '').replaceAll(sep, '/')));
    if (part) parts[name] = part;
    else if (found.length === 0)
      throw new Error(
        `No part and no file of tests is named "${name}". The parts are ${Object.keys(PARTS).join(', ')}.`,
      );
    else for (const file of found) files.add(file);
  }
  const [journeys, others] = [true, false].map((isJourney) =>
    [...files].filter((file) => file.startsWith('e2e/') === isJourney),
  );
  const named = { tier: TIERS[0], minutes: 0, onPostgresql: true };
  if (others?.length) parts.files = { ...named, about: others.join(', '), vitest: others };
  const onEngine = others?.filter((file) => ENGINE.some((part) => file.startsWith('server/') && file.includes(part)));
  if (onEngine?.length)
    parts['files on the embedded engine'] = { ...named, about: 'the same', vitest: onEngine, onPostgresql: false };
  if (journeys?.length) parts['browser files'] = { ...named, about: journeys.join(', '), playwright: journeys };
  return parts;
}

/** Returns the parts of a tier without those of the tiers before it. @param {string} tier @returns {Record<string, Part>} */
export const partsOf = (tier) => Object.fromEntries(Object.entries(PARTS).filter(([, part]) => part.tier === tier));

/** @param {number} seconds */
const inMinutes = (seconds) => (seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`);

/**
 * Runs parts and prints what ran, what failed, and what couldn't run.
 *
 * @param {Record<string, Part>} parts
 * @param {string} [rest] says how to run the other parts
 * @returns {Promise<{ passed: number, failed: number, skipped: number, notRun: string[] }>}
 */
export async function runParts(parts, rest) {
  const isCi = process.env.CI === 'true';
  const reports = mkdtempSync(join(tmpdir(), 'hourshare-test-'));
  const times = readJson(TIMES) ?? {};
  const total = { passed: 0, failed: 0, skipped: 0, notRun: /** @type {string[]} */ ([]) };
  /** @type {string[]} */
  const lines = [];
  /** @type {import('./postgres.mjs').Server | undefined} */
  let postgres;
  /** What reads the counts of the part that is running. @type {(() => void) | undefined} */
  let interrupt;

  const secondsOf = (/** @type {string} */ name) => times[name] ?? (parts[name]?.minutes ?? 0) * 60;
  const names = Object.keys(parts);
  const expected = names.reduce((sum, name) => sum + secondsOf(name), 20);
  console.log(`Running ${names.length} part(s), about ${inMinutes(expected)} here:`);
  for (const name of names)
    console.log(`  ${name.padEnd(10)} ${inMinutes(secondsOf(name)).padStart(6)}  ${parts[name]?.about}`);

  /** @param {string} name @param {import('./test-counts.mjs').Counts} counts @param {string} took */
  function record(name, { passed, failed, skipped, failures, skips }, took) {
    total.passed += passed;
    total.failed += failed;
    total.skipped += skipped;
    total.notRun.push(...skips);
    lines.push(`${name}: ${passed} passed, ${failed} failed, ${skipped} skipped (${took})`);
    lines.push(...failures.map((failure) => `  failed: ${failure}`));
  }

  function printSummary() {
    if (isCi) {
      total.failed += total.skipped;
      total.skipped = 0;
    }
    lines.push('', ...total.notRun.map((what) => `Not run${isCi ? ', which fails in CI' : ''}: ${what}`));
    if (rest) lines.push(rest);
    console.log(['\n── Summary ──', ...lines].join('\n'));
    console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
  }

  async function cleanUp() {
    interrupt?.();
    await postgres?.stop();
    rmSync(reports, { recursive: true, force: true });
  }
  onSignal(async () => {
    if (interrupt) lines.push('Interrupted.');
    await cleanUp();
    printSummary();
  });

  /** @param {string} name @param {Part} part @param {NodeJS.ProcessEnv} env */
  async function runPart(name, { vitest = [], only, playwright }, env) {
    const report = join(reports, `${names.indexOf(name)}.json`);
    const startedAt = performance.now();
    const took = () => inMinutes((performance.now() - startedAt) / 1000);
    const counts = () => {
      const content = readJson(report);
      return content && playwright ? playwrightCounts(content) : content;
    };
    interrupt = () => {
      const partial = counts();
      if (partial) record(`${name}, interrupted`, partial, took());
    };
    const [command, args] = playwright
      ? [tool('playwright'), ['test', ...playwright]]
      : [
          tool('vitest'),
          [
            'run',
            ...vitest,
            ...(only ? serverTestsWith(only) : []),
            '--reporter=default',
            `--reporter=${join(root, 'scripts', 'test-counts.mjs')}`,
          ],
        ];
    console.log(`\n── ${name} ──`);
    const { code } = await run(command, args, {
      env: { ...env, TEST_COUNTS: report, ...(playwright && { PLAYWRIGHT_JSON_OUTPUT_NAME: report }) },
    });
    interrupt = undefined;
    record(name, judgeRun(code, counts()), took());
    if (code === 0) times[name] = Math.round((performance.now() - startedAt) / 1000);
  }

  /** @param {string} name @param {string} reason */
  function skip(name, reason) {
    total.skipped += 1;
    total.notRun.push(`${name}: ${reason}`);
  }

  try {
    const { TEST_DATABASE_URL: _, ...inherited } = process.env;
    const all = Object.values(parts);
    const usesBrowser = all.some(({ playwright }) => playwright);
    const browser = usesBrowser ? await findBrowser() : { missing: 'not needed' };
    if (usesBrowser) console.log(`Browser: ${'path' in browser ? browser.path : browser.missing}`);
    const database = all.some(({ onPostgresql }) => onPostgresql) ? await findPostgres() : undefined;
    if (!database) console.log('PostgreSQL: not needed');
    else if ('missing' in database) {
      console.log(`PostgreSQL: ${database.missing}`);
      skip('PostgreSQL', `${database.missing}; the server's tests ran on the embedded engine`);
    } else {
      postgres = database;
      console.log(`PostgreSQL: ${database.description}`);
    }
    const isBuilt = all.every(({ vitest }) => vitest && !isOfBuild(vitest)) || (await build());
    for (const [name, part] of Object.entries(parts)) {
      const env = { ...inherited, ...postgres?.env, ...part.env };
      if (part.onPostgresql && postgres) env.TEST_DATABASE_URL = postgres.url;
      if (!isBuilt && (part.playwright || isOfBuild(part.vitest))) record(name, judgeRun(1, undefined), 'no build');
      else if (!part.playwright) await runPart(name, part, env);
      else if ('path' in browser) await runPart(name, part, { ...env, CHROMIUM_PATH: browser.path });
      else skip(name, browser.missing);
    }
    mkdirSync(dirname(TIMES), { recursive: true });
    writeFileSync(TIMES, JSON.stringify(times));
  } catch (error) {
    total.failed += 1;
    lines.push(`failed: ${error instanceof Error ? error.message : String(error)}`);
  }
  await cleanUp();
  printSummary();
  return total;
}

/** @param {string[]} args */
function chooseParts(args) {
  const tier = TIERS.find((each) => args.includes(`--tier=${each}`));
  if (tier) return partsOf(tier);
  return args.length > 0 ? partsNamed(args) : partsOf('test');
}

if (isMain(import.meta.filename)) {
  const args = process.argv.slice(2);
  try {
    const total = await runParts(chooseParts(args), args.length === 0 ? REST : undefined);
    if (process.env.TEST_TOTALS) writeFileSync(process.env.TEST_TOTALS, JSON.stringify(total));
    process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
