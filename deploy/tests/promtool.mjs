import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../scripts/processes.mjs';

// Checks the files for Prometheus with its own tool, if it is installed.

const CHECKS = [
  // The file with the token only exists where Prometheus runs.
  ['check', 'config', '--syntax-only', 'prometheus.yml'],
  ['check', 'rules', 'alerts.yml'],
  ['test', 'rules', 'alerts.test.yml'],
];
const promtool = process.env.PROMTOOL ?? 'promtool';
const cwd = join(root, 'deploy', 'prometheus');

/** @returns {Promise<{ outcome: 'passed' | 'failed' | 'skipped', output?: string, notRun?: string }>} */
export async function checkPrometheusFiles() {
  if (spawnSync(promtool, ['--version']).status !== 0)
    return { outcome: 'skipped', notRun: 'alerts, checked with promtool, a part of Prometheus: it is not installed' };
  for (const args of CHECKS) {
    const { status, stdout, stderr } = spawnSync(promtool, args, { cwd, encoding: 'utf8' });
    if (status !== 0) return { outcome: 'failed', output: `promtool ${args.join(' ')}:\n${stdout}${stderr}` };
  }
  return { outcome: 'passed' };
}
