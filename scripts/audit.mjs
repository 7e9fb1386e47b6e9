import { isMain, run } from './processes.mjs';

// Asks the registry whether locked packages have published advisories, of high or critical severity to fail: docs/security.md
// has a time frame for the others, and most need an unusual use of the package. Hand-written because npm exits with 1 both
// when it finds advisories and when the registry has no audit endpoint; audit-ci passes then, as if it had checked.

/**
 * Audits everything that is locked, whatever NODE_ENV leaves out and whatever is installed here.
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
