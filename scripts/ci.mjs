import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { audit } from './audit.mjs';
import { onSignal, run } from './processes.mjs';

// Everything that must hold before a change lands. Goes on after a failure, so that one run shows them all; the last
// line counts each check as one and adds the tests. Imports nothing that `npm ci` would have to install first.

const isCi = process.env.CI === 'true';
const reports = mkdtempSync(join(tmpdir(), 'hourshare-ci-'));
const tidyUp = () => rmSync(reports, { recursive: true, force: true });
onSignal(tidyUp);

const total = { passed: 0, failed: 0, skipped: 0 };
/** @type {string[]} */
const failures = [];
/** What could not run, each with the reason. Its tests have failed in CI. @type {string[]} */
const notRun = [];

/** @param {string} name @param {number} startedAt @param {'passed' | 'failed' | 'skipped'} outcome */
function judge(name, startedAt, outcome) {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  total[outcome] += 1;
  if (outcome === 'failed') failures.push(name);
  console.log(`${outcome === 'failed' ? 'FAILED' : outcome}  ${name}  (${seconds} s)`);
}

/** @param {string} name @param {string} command @param {string[]} args */
async function check(name, command, ...args) {
  const startedAt = performance.now();
  const { code, output } = await run(command, args, { quiet: true });
  if (code !== 0) console.log(`\n── ${name} ──\n${output.trimEnd()}\n`);
  judge(name, startedAt, code === 0 ? 'passed' : 'failed');
  return code === 0;
}

/** @param {string} file @returns {{ passed: number, failed: number, skipped: number, notRun: string[] } | undefined} */
function readCounts(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

async function tests() {
  const startedAt = performance.now();
  const file = join(reports, 'counts.json');
  const { code } = await run('npm', ['test', '--', '--counts', file]);
  const counts = readCounts(file);
  if (counts) {
    total.passed += counts.passed;
    total.failed += counts.failed;
    total.skipped += counts.skipped;
    notRun.push(...counts.notRun);
  }
  // As a check of its own: it also fails when no test ran, or when the run ended before it could count.
  judge('test command', startedAt, code === 0 && counts !== undefined ? 'passed' : 'failed');
}

async function dependencyAudit() {
  const startedAt = performance.now();
  const { outcome, output } = await audit();
  if (outcome !== 'passed') console.log(`\n── dependency audit ──\n${output.trimEnd()}\n`);
  if (outcome === 'skipped') notRun.push(`dependency audit: ${output}`);
  judge('dependency audit', startedAt, outcome);
}

async function cleanTree() {
  const startedAt = performance.now();
  const { code, output } = await run('git', ['status', '--porcelain'], { quiet: true });
  if (output) console.log(`\n── clean tree ──\nThe checks left changes behind:\n${output.trimEnd()}\n`);
  judge('clean tree', startedAt, code === 0 && output === '' ? 'passed' : 'failed');
}

/** PgBouncer comes as no npm package. A machine of CI may lack it, and root of a Debian may install it. */
async function installPgbouncer() {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  if (folders.some((folder) => existsSync(join(folder, 'pgbouncer')))) return;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  await run('apt-get', ['update'], { quiet: true });
  await check(
    'install PgBouncer',
    'env',
    'DEBIAN_FRONTEND=noninteractive',
    'apt-get',
    'install',
    '-y',
    '--no-install-recommends',
    'pgbouncer',
  );
}

async function main() {
  if (process.argv.includes('--install')) {
    if (!(await check('install', 'npm', 'ci'))) return;
    await installPgbouncer();
  }
  await check('lock file', 'npm', 'run', 'lockfile');
  await dependencyAudit();
  await check('build', 'npm', 'run', 'build');
  await check('types', 'npm', 'run', 'typecheck');
  await check('lint', 'npm', 'run', 'lint');
  await check('format', 'npm', 'run', 'format:check');
  await check('structure', 'npm', 'run', 'structure');
  await check('import direction', 'npm', 'run', 'imports');
  await check('dead code', 'npm', 'run', 'dead-code');
  await check('generated files', 'npm', 'run', 'generate', '--', '--check');
  await check('bundle budgets', 'npm', 'run', 'budgets');
  await check('attack', 'npm', 'run', 'attack', '--', '--seed', '20', '--requests', '5000');
  await tests();
  // Whoever runs this at home has changes, that is why.
  if (isCi) await cleanTree();
}

try {
  await main();
} finally {
  tidyUp();
}
if (failures.length > 0) console.log(`\nFailed: ${failures.join(', ')}`);
console.log(['', ...notRun.map((what) => `Not run: ${what}`)].join('\n'));
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed === 0 ? 0 : 1;
