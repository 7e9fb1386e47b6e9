import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import { findBrowser } from '../harness/browser.mjs';
import { build } from './build.mjs';
import { findPostgres } from '../harness/postgres.mjs';
import { isMain, onSignal, root, run, tool } from './processes.mjs';
import { judgeRun, noCounts, playwrightCounts } from './test-counts.mjs';

// Runs the tests in tiers (docs/contributing.md): `npm test`, and what .ci/run and `npm run test:all` add to it. Each runner
// only knows its own tests, and none provides the database and the browser.

/**
 * What depends on the embedded engine, and one subject of each noun that the main job in a browser doesn't use on it. Paths or
 * parts of them, below server/.
 */
const ENGINE = `platform/database/ platform/statements migrations/ features/backups/ time-zones src/admin src/commands
  exports/exports sign-ins/login shares/shares sessions/sessions statements/costs settlements/settlements insights/history
  notices/notices.test`.split(/\s+/);

/** Files of tests that start servers, databases, or other processes, or that take longest. Patterns below server/src. */
const PROCESSES = 'main platform/tracing platform/database/ vanishing row-types features/backups/engines-postgresql'
  .split(' ')
  .map((path) => `src/${path}`);

/** The administrator's commands, which start many processes: most installations have the embedded engine. */
const COMMANDS = 'src/admin';

/** Tests of the embedded engine that kill it, and of commands on it. */
const KILLED = ['src/platform/database/embedded', COMMANDS];

/** Files of tests that run on one engine only. */
const EMBEDDED_ALONE = /database\/(?:embedded|folder-lock)\.test/;
const POSTGRESQL_ALONE = /-postgresql\.test|database\/(?:postgresql|replica)\.test|main-(?:pgbouncer|replica)/;

/** What in a file of server tests shows that its results may depend on the engine. */
const DEPENDS_ON_ENGINE = /openTestApi|openTestDatabase|builtServer|databaseTemplate|startEngine/;

/** What in a file of server tests shows that it tries more in a thorough run. */
const TRIES_MORE = /testing\/thorough/;

const TIERS = /** @type {const} */ (['test', 'ci', 'all']);

/**
 * `minutes` is how long it took on 2 quiet cores; later runs say how long it took here. `vitest` and `playwright` are
 * arguments, `only` is what files of server tests must contain, `embedded` parts don't use PostgreSQL for the app's
 * database, and `thorough` tries ten times as much.
 *
 * @typedef {{ tier: typeof TIERS[number], minutes: number, about: string, vitest?: string[], playwright?: string[],
 *   only?: RegExp, embedded?: boolean, thorough?: boolean }} Part
 */

/** @param {typeof TIERS[number]} tier @param {number} minutes @param {string} about @param {Omit<Part, 'tier' | 'minutes' | 'about'>} how */
const part = (tier, minutes, about, how) => ({ tier, minutes, about, ...how });
const projects = (/** @type {string[]} */ ...names) => names.flatMap((name) => ['--project', name]);
const server = projects('server');
const without = (/** @type {string[]} */ ...paths) => paths.flatMap((path) => ['--exclude', `${path}*.test.ts`]);
const [embedded, thorough] = [true, true];

/** @type {Record<string, Part>} */
const PARTS = {
  units: part('test', 4, 'the contract and the web app', { vitest: projects('contract', 'web*'), embedded }),
  server: part('test', 8, 'the server on PostgreSQL', { vitest: [...server, ...without(...PROCESSES, COMMANDS)] }),
  smoke: part('test', 1, 'the main job in a browser', { playwright: ['--grep', '@smoke'] }),
  processes: part('ci', 4, 'servers as processes, and what takes long', { vitest: [...server, ...PROCESSES] }),
  engine: part('ci', 4, 'what depends on the embedded engine', { vitest: [...server, ...ENGINE], embedded }),
  tools: part('ci', 2, 'the tools', { vitest: projects('tools') }),
  journeys: part('ci', 9, 'journeys in a browser', { playwright: ['--grep', '@journey'] }),
  embedded: part('all', 10, 'the server on the embedded engine', {
    vitest: [...server, ...without(...KILLED)],
    only: DEPENDS_ON_ENGINE,
    embedded,
  }),
  kills: part('all', 2, 'the embedded engine, killed', { vitest: [...server, ...KILLED], embedded, thorough }),
  thorough: part('all', 10, 'long histories, more races, and commands on PostgreSQL', {
    vitest: [...server, COMMANDS],
    only: TRIES_MORE,
    thorough,
  }),
  browser: part('all', 15, 'the rest in a browser', { playwright: ['--grep-invert', '@journey|@smoke'] }),
  deployment: part('all', 1, 'the product as deployed', { vitest: projects('deployment') }),
};

const REST = 'The rest: `npm run test:all` runs everything, `npm run ci` what else protects a change.';
const TIMES = join(root, '.cache', 'test-seconds.json');

/** @param {string} file path from the root, or absolute */
const read = (file) => readFileSync(resolve(root, file), 'utf8');

/** @param {string} file @returns {any} undefined without a complete file */
function readJson(file) {
  try {
    return JSON.parse(read(file));
  } catch {
    return undefined;
  }
}

/** Paths from the root, which only contain the folders of the project's code. */
const testFiles = () =>
  readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && /^[a-z]/.test(entry.name) && !/^(?:node_modules|data)$/.test(entry.name))
    .flatMap(({ name: folder }) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .map((file) => `${folder}/${file.replaceAll(sep, '/')}`)
        .filter((file) => /\.(?:test|spec)\.(?:tsx?|mjs)$/.test(file) && !file.includes('/node_modules/')),
    );

/** Returns whether tests start the built app. @param {Part} part */
const needsBuild = ({ playwright, vitest = [] }) =>
  playwright !== undefined || vitest.some((each) => /^(?:tools|deployment|(?:scripts|attack|deploy)\/.*)$/.test(each));

/** Returns the parts to run for names of parts and (parts of) paths of files. @param {string[]} names */
export function partsNamed(names) {
  /** @type {Record<string, Part>} */
  const parts = {};
  const all = testFiles();
  const files = new Set(
    names.flatMap((name) => {
      const part = PARTS[name];
      if (part) parts[name] = part;
      const found = part ? [] : all.filter((file) => file.includes(name.replace(/^\.\//, '').replaceAll(sep, '/')));
      if (part || found.length > 0) return found;
      const known = Object.keys(PARTS).join(', ');
      throw new Error(`No part and no file of tests is named "${name}". The parts are ${known}.`);
    }),
  );
  const inBrowser = [...files].filter((file) => file.startsWith('e2e/'));
  const others = [...files].filter((file) => !file.startsWith('e2e/'));
  const ofServer = others.filter((file) => file.startsWith('server/') && !POSTGRESQL_ALONE.test(file));
  const onEngine = ofServer.filter((file) => ENGINE.some((part) => file.includes(part)));
  const named = { tier: TIERS[0], minutes: 0 };
  const elsewhere = others.filter((file) => !EMBEDDED_ALONE.test(file));
  if (elsewhere.length > 0) parts.files = { ...named, about: elsewhere.join(', '), vitest: elsewhere };
  if (onEngine.length > 0)
    parts['files on the embedded engine'] = { ...named, about: onEngine.join(', '), vitest: onEngine, embedded };
  if (inBrowser.length > 0) parts['browser files'] = { ...named, about: inBrowser.join(', '), playwright: inBrowser };
  return parts;
}

/** Returns the parts of a tier without those of the tiers before it. @param {string} tier @returns {Record<string, Part>} */
const partsOf = (tier) => Object.fromEntries(Object.entries(PARTS).filter(([, part]) => part.tier === tier));

/** @param {number} seconds */
const inMinutes = (seconds) => (seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`);

/** Runs parts and prints what ran, what failed, and what couldn't run. @param {Record<string, Part>} parts @param {string} rest */
async function runParts(parts, rest) {
  const isCi = process.env.CI === 'true';
  const reports = mkdtempSync(join(tmpdir(), 'hourshare-test-'));
  const times = readJson(TIMES) ?? {};
  const total = noCounts();
  /** @type {string[]} */
  const lines = [];
  /** @type {import('../harness/postgres.mjs').Server | undefined} */
  let postgres;
  /** What reads the counts of the part that is running. @type {(() => void) | undefined} */
  let interrupt;
  const all = Object.entries(parts).map(([name, part]) => ({ name, part, seconds: times[name] ?? part.minutes * 60 }));
  const expected = all.reduce((sum, { seconds }) => sum + seconds, 20);
  console.log(`Running ${all.length} part(s), about ${inMinutes(expected)} here:`);
  for (const { name, part, seconds } of all)
    console.log(`  ${name.padEnd(10)} ${inMinutes(seconds).padStart(6)}  ${part.about}`);

  /** @param {string} name @param {import('./test-counts.mjs').Counts} counts @param {string} took */
  function record(name, counts, took) {
    const { passed, failed, skipped, failures, skips } = counts;
    for (const each of /** @type {const} */ (['passed', 'failed', 'skipped'])) total[each] += counts[each];
    total.skips.push(...skips);
    total.failures.push(...failures);
    lines.push(`${name}: ${passed} passed, ${failed} failed, ${skipped} skipped (${took})`);
    lines.push(...failures.map((failure) => `  failed: ${failure}`));
  }

  function printSummary() {
    if (isCi) {
      total.failed += total.skipped;
      total.skipped = 0;
    }
    lines.push('', ...total.skips.map((what) => `Not run${isCi ? ', which fails in CI' : ''}: ${what}`), rest);
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
    const report = join(reports, `${lines.length}.json`);
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
    const files = only ? testFiles().filter((file) => file.startsWith('server/') && only.test(read(file))) : [];
    const reporters = ['--reporter=default', `--reporter=${join(root, 'scripts', 'test-counts.mjs')}`];
    console.log(`\n── ${name} ──`);
    const { code } = await run(
      tool(playwright ? 'playwright' : 'vitest'),
      playwright ? ['test', ...playwright] : ['run', ...vitest, ...files, ...reporters],
      { env: { ...env, [playwright ? 'PLAYWRIGHT_JSON_OUTPUT_NAME' : 'TEST_COUNTS']: report } },
    );
    interrupt = undefined;
    record(name, judgeRun(code, counts()), took());
    if (code === 0) times[name] = Math.round((performance.now() - startedAt) / 1000);
  }

  const skip = (/** @type {string} */ what) => {
    total.skipped += 1;
    total.skips.push(what);
  };

  try {
    const { TEST_DATABASE_URL: _, ...inherited } = process.env;
    const browser = all.some(({ part }) => part.playwright) ? await findBrowser() : { missing: 'not needed' };
    console.log(`Browser: ${'path' in browser ? browser.path : browser.missing}`);
    const database = all.some(({ part }) => !part.embedded) ? await findPostgres() : { missing: 'not needed' };
    console.log(`PostgreSQL: ${'url' in database ? database.description : database.missing}`);
    if ('url' in database) postgres = database;
    else if (all.some(({ part }) => !part.embedded))
      skip(`PostgreSQL: ${database.missing}; the server's tests ran on the embedded engine`);
    const isBuilt = !all.some(({ part }) => needsBuild(part)) || (await build());
    for (const { name, part } of all) {
      /** @type {NodeJS.ProcessEnv} */
      const env = { ...inherited, ...postgres?.env, ...(part.thorough && { THOROUGH: '1' }) };
      if (!part.embedded && postgres) env.TEST_DATABASE_URL = postgres.url;
      if ('path' in browser) env.CHROMIUM_PATH = browser.path;
      if (!isBuilt && needsBuild(part)) record(name, judgeRun(1, undefined), 'no build');
      else if (part.playwright && 'missing' in browser) skip(`${name}: ${browser.missing}`);
      else await runPart(name, part, env);
    }
    mkdirSync(dirname(TIMES), { recursive: true });
    writeFileSync(TIMES, JSON.stringify(times));
  } catch (error) {
    record('set-up', { ...noCounts(), failed: 1, failures: [String(error)] }, 'stopped');
  }
  await cleanUp();
  printSummary();
  return total;
}

if (isMain(import.meta.filename)) {
  const args = process.argv.slice(2);
  const tier = TIERS.find((each) => args.includes(`--tier=${each}`));
  try {
    const parts = tier || args.length === 0 ? partsOf(tier ?? 'test') : partsNamed(args);
    const total = await runParts(parts, args.length === 0 ? REST : '');
    if (process.env.TEST_TOTALS) writeFileSync(process.env.TEST_TOTALS, JSON.stringify(total));
    process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
