import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { audit } from './audit.mjs';
import { TOOLS, isInstalled } from './deployment-tools.mjs';
import { onSignal, run } from './processes.mjs';
import { checkPrometheusFiles } from './promtool.mjs';

// Runs every check that a change must pass, continuing after failures so that one run shows them all; with `--all`,
// everything there is. Imports no package before `npm ci`. Hand-written because npm-run-all and similar tools stop at a
// failure or count nothing, and can't tell skipped from passed.

const isCi = process.env.CI === 'true';
const isAll = process.argv.includes('--all');
onSignal(() => {});

/** A name, and an npm script with its arguments. @typedef {[name: string, script: string]} Check */

/** @type {Check[]} */
const FIRST_CHECKS = [
  ['lock file', 'lockfile'],
  ['build', 'build'],
];

/** The lists run at the same time, because each of these uses one core. @type {Check[][]} */
const CHECKS_BESIDE_EACH_OTHER = [
  [
    ['types', 'typecheck'],
    ['lint', 'lint'],
  ],
  [
    ['format', 'format:check'],
    ['structure', 'structure'],
    ['import direction', 'imports'],
    ['dead code', 'dead-code'],
    ['bundle budgets', 'budgets'],
  ],
];

/** @param {number} requests @param {number} embedded @param {number} steps @returns {Check[]} */
const runs = (requests, embedded, steps) => [
  ['attack', `attack:postgresql -- --seed 20 --requests ${requests}`],
  ['attack, embedded', `attack -- --seed 21 --requests ${embedded}`],
  ['simulation on PostgreSQL', `simulate -- --seed 1 --steps ${steps} --shorten 0`],
  ['simulation, embedded', `simulate -- --seed 2 --steps ${steps / 2} --shorten 0 --engine embedded`],
];

/** Their servers and databases use all cores. @type {Check[]} */
const RUNS = isAll ? [['release', 'check-release -- --here'], ...runs(20_000, 2000, 80)] : runs(3000, 1000, 12);

/** @typedef {'passed' | 'failed' | 'skipped'} Outcome */

const total = { passed: 0, failed: 0, skipped: 0 };
/** @type {string[]} */
const failures = [];
/** The last lines of each failed check, repeated for those who only see the end of a long output. @type {Map<string, string[]>} */
const endings = new Map();
const ENDING_LINES = 6;
/**
 * What didn't run, with the reason. In CI that is a failure, except for the audit, the alerts, and tools that only read
 * deploy/ (docs/decisions/0040-what-did-not-run.md). @type {string[]}
 */
const notRun = [];

/** @param {string} name @param {() => Promise<Outcome>} decide */
async function runCheck(name, decide) {
  const startedAt = performance.now();
  const outcome = await decide().catch((/** @type {unknown} */ error) => {
    console.error(error);
    return /** @type {const} */ ('failed');
  });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  total[outcome] += 1;
  if (outcome === 'failed') failures.push(name);
  console.log(`${outcome === 'failed' ? 'FAILED' : outcome}  ${name}  (${seconds} s)`);
  return outcome;
}

/** @param {string} name @param {string} output */
const show = (name, output) => console.log(`\n── ${name} ──\n${output.trimEnd()}\n`);

/** @param {string} name @param {string} output */
const keepEnding = (name, output) => endings.set(name, output.trimEnd().split('\n').slice(-ENDING_LINES));

/** @param {string} name @param {string} command @param {string[]} args */
const check = (name, command, ...args) =>
  runCheck(name, async () => {
    const { code, output } = await run(command, args, { quiet: true });
    if (code !== 0) {
      show(name, output);
      keepEnding(name, output);
    }
    return code === 0 ? 'passed' : 'failed';
  });

/** @param {Check[]} checks */
async function checkInOrder(checks) {
  for (const [name, script] of checks) await check(name, 'npm', 'run', ...script.split(' '));
}

/** @returns {Promise<Outcome>} */
async function auditDependencies() {
  const { outcome, output } = await audit();
  if (outcome !== 'passed') show('dependency audit', output);
  if (outcome === 'skipped') notRun.push(`dependency audit: ${output}`);
  return outcome;
}

/** @returns {Promise<Outcome>} */
async function checkAlerts() {
  const { outcome, output } = await checkPrometheusFiles();
  if (outcome === 'failed') show('alerts', output);
  if (outcome === 'skipped') notRun.push(`alerts, checked with promtool: ${output}`);
  return outcome;
}

/** Runs the README's command, then the tiers that it leaves out. @returns {Promise<Outcome>} */
async function runTests() {
  const folder = mkdtempSync(join(tmpdir(), 'hourshare-ci-'));
  const totals = join(folder, 'totals.json');
  const commands = ['test', ...['ci', ...(isAll ? ['all'] : [])].map((tier) => `test -- --tier=${tier}`)];
  let isGreen = true;
  for (const command of commands) {
    await run('npm', command.split(' '), { env: { ...process.env, TEST_TOTALS: totals } });
    const counts = JSON.parse(readFileSync(totals, 'utf8'));
    rmSync(totals);
    total.passed += counts.passed;
    total.failed += counts.failed;
    total.skipped += counts.skipped;
    notRun.push(...counts.notRun);
    isGreen &&= counts.failed === 0 && counts.passed > 0;
  }
  rmSync(folder, { recursive: true });
  return isGreen ? 'passed' : 'failed';
}

/** @returns {Promise<Outcome>} */
async function requireCleanTree() {
  const { code, output } = await run('git', ['status', '--porcelain'], { quiet: true });
  if (output) show('clean tree', `The checks left changes behind:\n${output}`);
  return code === 0 && output === '' ? 'passed' : 'failed';
}

/** Tests that need a missing tool aren't in the count of tests. @param {string} tool @returns {Promise<Outcome>} */
async function reportMissing(tool) {
  notRun.push(`tests of deploy/ with ${tool}: it isn't installed`);
  return 'skipped';
}

/** npm retries most requests, but not one whose response stops halfway. */
const NETWORK_ERROR = /^npm error .*(?:ECONNRESET|EAI_AGAIN|time(?:out|d ?out))/im;
const INSTALL_TRIES = 3;

/** A network that stalls says nothing about the change. What had arrived is in npm's cache. @returns {Promise<Outcome>} */
async function installPackages() {
  for (let attempt = 1; ; attempt += 1) {
    const args = ['ci', '--fetch-timeout=120000', ...(attempt === 1 ? [] : ['--prefer-offline'])];
    const { code, output } = await run('npm', args, { quiet: true });
    if (code === 0) return 'passed';
    show('install', output);
    if (attempt === INSTALL_TRIES || !NETWORK_ERROR.test(output)) {
      keepEnding('install', output);
      return 'failed';
    }
    console.log('The network failed; trying again.');
  }
}

/** No npm package contains these, or only a browser that can't make passkeys. Root on Debian may install them. */
async function installTools() {
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
  const tools = { pgbouncer: '--version', nginx: '-v', haproxy: '-v', 'chromium-headless-shell': '--version' };
  const missing = [];
  for (const [name, version] of Object.entries(tools))
    if ((await run(name, [version], { env, quiet: true })).code !== 0) missing.push(name);
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
  for (const tool of TOOLS) if (!isInstalled(tool)) await runCheck(tool, () => reportMissing(tool));
  await checkInOrder(FIRST_CHECKS);
  await Promise.all(CHECKS_BESIDE_EACH_OTHER.map(checkInOrder));
  await checkInOrder(RUNS);
  await runCheck('alerts', checkAlerts);
  await runCheck('tests', runTests);
  // Outside of CI, uncommitted changes are normal.
  if (isCi) await runCheck('clean tree', requireCleanTree);
}

const startedAt = performance.now();
await main();
if (failures.length > 0) console.log(`\nFailed: ${failures.join(', ')}`);
for (const [name, lines] of endings) console.log(lines.map((line) => `  ${name}: ${line.slice(0, 300)}`).join('\n'));
console.log(['', ...notRun.map((what) => `Not run: ${what}`)].join('\n'));
console.log(`After ${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes:`);
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed === 0 ? 0 : 1;
