import { join } from 'node:path';
import { isMain, root, run } from './processes.mjs';

// Checks the files for Prometheus with its own tool, if it is installed. Hand-written because promtool is no npm
// package. scripts/monitoring.test.mjs checks names and syntax without it.

const CHECKS = [
  // The file with the token only exists where Prometheus runs.
  ['check', 'config', '--syntax-only', 'prometheus.yml'],
  ['check', 'rules', 'alerts.yml'],
  ['test', 'rules', 'alerts.test.yml'],
];

/**
 * Returns whether promtool accepts the files in a folder.
 *
 * @param {{ folder?: string, promtool?: string }} [options]
 * @returns {Promise<{ outcome: 'passed' | 'failed' | 'skipped', output: string }>}
 */
export async function checkPrometheusFiles({
  folder = join(root, 'deploy', 'prometheus'),
  promtool = process.env.PROMTOOL ?? 'promtool',
} = {}) {
  if ((await run(promtool, ['--version'], { quiet: true })).code !== 0)
    return { outcome: 'skipped', output: 'promtool is not installed; it is part of Prometheus.' };
  for (const args of CHECKS) {
    const { code, output } = await run(promtool, args, { cwd: folder, quiet: true });
    if (code !== 0) return { outcome: 'failed', output: `promtool ${args.join(' ')}:\n${output}` };
  }
  return { outcome: 'passed', output: '' };
}

if (isMain(import.meta.filename)) {
  const { outcome, output } = await checkPrometheusFiles();
  console.log([outcome, output].filter(Boolean).join('\n'));
  process.exitCode = outcome === 'failed' ? 1 : 0;
}
