import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { TOOLS, isInstalled } from '../deploy/tests/deployment-tools.mjs';
import { checkPrometheusFiles } from '../deploy/tests/promtool.mjs';
import { isMain, onSignal, root, run } from './processes.mjs';

// Runs every check that a change must pass, continuing after failures so that one run shows them all; with `--all`,
// everything there is. Imports no package before `npm ci`. Hand-written because npm-run-all and similar tools stop at a
// failure or count nothing, and can't tell skipped from passed.

const isAll = process.argv.includes('--all');

// Checks are npm scripts, with their arguments.
const FIRST_CHECKS = ['lockfile', 'build'];
/** The lists run at the same time, because each of these uses one core. */
const CHECKS_BESIDE_EACH_OTHER = [
  ['typecheck', 'lint'],
  ['format:check', 'structure', 'imports', 'dead-code', 'budgets'],
];
/** Their servers and databases use all cores. */
const RUNS = [
  ...(isAll ? ['check-release -- --here'] : []),
  `attack:postgresql -- --seed 20 --requests ${isAll ? 30_000 : 3000}`,
  `attack -- --seed 21 --requests ${isAll ? 2000 : 1000}`,
  `simulate -- --seed 1 --steps ${isAll ? 80 : 12} --shorten 0`,
  `simulate -- --seed 2 --steps ${isAll ? 40 : 6} --shorten 0 --engine embedded`,
];

/** What a check returns; `notRun` says what was skipped and why. @typedef {{ outcome: 'passed' | 'failed' | 'skipped', output?: string, notRun?: string }} Result */

const total = { passed: 0, failed: 0, skipped: 0 };
/** The failed checks with the last lines of their output, repeated for those who only see the end. @type {Map<string, string[]>} */
const failures = new Map();
/** What didn't run: the audit, the alerts, or tests (docs/decisions/0040-what-did-not-run.md). @type {string[]} */
const notRun = [];

/** @param {string} name @param {() => Promise<Result>} decide */
async function runCheck(name, decide) {
  const startedAt = performance.now();
  const failure = (/** @type {unknown} */ error) =>
    /** @type {Result} */ ({ outcome: 'failed', output: String(error) });
  const { outcome, ...result } = await decide().catch(failure);
  total[outcome] += 1;
  if (result.notRun !== undefined) notRun.push(result.notRun);
  if (outcome === 'failed') {
    const output = result.output?.trimEnd() ?? '';
    if (output) console.log(`\n── ${name} ──\n${output}\n`);
    failures.set(name, output.split('\n').slice(-6));
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${outcome === 'failed' ? 'FAILED' : outcome}  ${name}  (${seconds} s)`);
  return outcome;
}

/** @param {string} name @param {string} command @param {string[]} args */
const check = (name, command, ...args) =>
  runCheck(name, async () => {
    const { code, output } = await run(command, args, { quiet: true });
    return { outcome: code === 0 ? 'passed' : 'failed', output };
  });

/** @param {string[]} checks */
async function checkInOrder(checks) {
  for (const script of checks) await check(script, 'npm', 'run', ...script.split(' '));
}

/** npm exits with 1 both for advisories and for a registry that has no audit. @returns {Promise<Result>} */
export async function auditDependencies() {
  const { code, output } = await run('npm', ['run', 'audit'], { quiet: true });
  const noReport = /^npm \S+ audit (.+)\n[^]*^npm \S+ audit endpoint returned an error$/m.exec(output);
  if (!noReport) return { outcome: code === 0 ? 'passed' : 'failed', output };
  const reason = `the registry gave no report, so nothing was checked: ${noReport[1]}`;
  return { outcome: 'skipped', notRun: `dependency audit: ${reason}` };
}

/** Runs the README's command, then the tiers that it leaves out. @returns {Promise<Result>} */
async function runTests() {
  const totals = join(root, '.cache', 'test-totals.json');
  const commands = ['test', ...['ci', ...(isAll ? ['all'] : [])].map((tier) => `test -- --tier=${tier}`)];
  let isGreen = true;
  const failed = [];
  for (const command of commands) {
    await run('npm', command.split(' '), { env: { ...process.env, TEST_TOTALS: totals } });
    const counts = JSON.parse(readFileSync(totals, 'utf8'));
    rmSync(totals);
    for (const each of /** @type {const} */ (['passed', 'failed', 'skipped'])) total[each] += counts[each];
    notRun.push(...counts.skips);
    failed.push(...counts.failures);
    isGreen &&= counts.failed === 0 && counts.passed > 0;
  }
  return { outcome: isGreen ? 'passed' : 'failed', output: failed.join('\n') };
}

/** @returns {Promise<Result>} */
async function requireCleanTree() {
  const { code, output } = await run('git', ['status', '--porcelain'], { quiet: true });
  return { outcome: code === 0 && output === '' ? 'passed' : 'failed', output: `The checks left changes:\n${output}` };
}

/** npm retries most requests, but not one whose response stops halfway. */
const NETWORK_ERROR = /^npm error .*(?:ECONNRESET|EAI_AGAIN|time(?:out|d ?out))/im;

/** A network that stalls says nothing about the change. What had arrived is in npm's cache. @returns {Promise<Result>} */
async function installPackages(triesLeft = 3, more = /** @type {string[]} */ ([])) {
  const { code, output } = await run('npm', ['ci', '--fetch-timeout=120000', ...more], { quiet: true });
  if (code === 0) return { outcome: 'passed' };
  if (triesLeft === 1 || !NETWORK_ERROR.test(output)) return { outcome: 'failed', output };
  console.log(`${output}\nThe network failed; trying again.`);
  return installPackages(triesLeft - 1, ['--prefer-offline']);
}

/** No npm package contains these, or only a browser that can't make passkeys. Root on Debian may install them. */
async function installTools() {
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
  const missing = [];
  for (const name of 'pgbouncer nginx haproxy chromium-headless-shell curl jq'.split(' '))
    if ((await run('sh', ['-c', `command -v ${name}`], { env, quiet: true })).code !== 0) missing.push(name);
  if (missing.length === 0 || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  process.env.DEBIAN_FRONTEND = 'noninteractive';
  await run('apt-get', ['update', '-o', 'Acquire::Retries=3'], { quiet: true });
  const args = ['install', '-y', '--no-install-recommends', '-o', 'Acquire::Retries=3', ...missing];
  await check(`install ${missing.join(', ')}`, 'apt-get', ...args);
}

async function main() {
  if (process.argv.includes('--install')) {
    if ((await runCheck('install', installPackages)) === 'failed') return;
    await installTools();
  }
  await runCheck('dependency audit', auditDependencies);
  const absent = (/** @type {string} */ name) => `tests of deploy/ with ${name}: it isn't installed`;
  for (const tool of TOOLS.filter((each) => !isInstalled(each)))
    await runCheck(tool, async () => ({ outcome: 'skipped', notRun: absent(tool) }));
  await checkInOrder(FIRST_CHECKS);
  await Promise.all(CHECKS_BESIDE_EACH_OTHER.map(checkInOrder));
  await checkInOrder(RUNS);
  await runCheck('alerts', checkPrometheusFiles);
  await runCheck('tests', runTests);
  // Outside of CI, uncommitted changes are normal.
  if (process.env.CI === 'true') await runCheck('clean tree', requireCleanTree);
}

if (isMain(import.meta.filename)) {
  onSignal(() => {});
  const startedAt = performance.now();
  await main();
  if (failures.size > 0) console.log(`\nFailed: ${[...failures.keys()].join(', ')}`);
  for (const [name, lines] of failures)
    for (const line of lines.filter(Boolean)) console.log(`  ${name}: ${line.slice(0, 300)}`);
  console.log(['', ...notRun.map((what) => `Not run: ${what}`)].join('\n'));
  console.log(`After ${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes:`);
  console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
  process.exitCode = total.failed === 0 ? 0 : 1;
}
