import { isMain, run } from './processes.mjs';

// Asks the registry for advisories on locked packages, and fails for high and critical ones; docs/security.md has
// time frames for the others. Hand-written because npm exits with 1 both for advisories and for a registry without
// an audit endpoint, where audit-ci passes as if it had checked.

/**
 * Audits everything that is locked, regardless of NODE_ENV and what is installed here.
 *
 * @returns {Promise<{ outcome: 'passed' | 'failed' | 'skipped', output: string }>}
 */
export async function audit() {
  const everything = ['--package-lock-only', '--include=dev', '--include=optional', '--include=peer'];
  const network = ['--fetch-retries=1', '--fetch-timeout=60000'];
  const args = ['audit', '--audit-level=high', '--loglevel=warn', ...everything, ...network];
  const { code, output } = await run('npm', args, { quiet: true });
  if (code === 0) return { outcome: 'passed', output };
  const noReport = /^npm \S+ audit (.+)\n[^]*^npm \S+ audit endpoint returned an error$/m.exec(output);
  if (noReport)
    return { outcome: 'skipped', output: `the registry gave no report, so nothing was checked: ${noReport[1]}` };
  return { outcome: 'failed', output };
}

if (isMain(import.meta.filename)) {
  const { outcome, output } = await audit();
  console.log(output.trimEnd());
  process.exitCode = outcome === 'passed' ? 0 : 1;
}
