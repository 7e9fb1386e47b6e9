import { run } from './processes.mjs';

// Asks the registry which locked packages have published advisories. `npm audit` exits with 1 both when it finds some
// and when it gets no answer, so its report decides. Some registries have no audit endpoint.

/**
 * What fails the check. The rest is printed and left to the time frames of docs/security.md: most of it needs an unusual
 * use of the package, and a build that is red because of it would soon be ignored.
 */
const FAILING = ['high', 'critical'];

/** @typedef {{ source?: number, name: string, severity: string, title: string, url: string, range: string }} Advisory */

/** @typedef {{ outcome: 'passed' | 'failed' | 'skipped', lines: string[] }} Judgment */

/** @param {string} output of `npm audit --json` @returns {Judgment} */
export function judgeAudit(output) {
  /** @type {any} */
  let report;
  try {
    report = JSON.parse(output);
  } catch {
    return { outcome: 'failed', lines: [`npm audit printed no report: ${output.trim().slice(0, 500)}`] };
  }
  if (report.auditReportVersion === 2) return judgeReport(report);
  // This is how npm reports a registry that was not reached, refused, or answered something else.
  if (typeof report.message === 'string' && report.error?.code === undefined)
    return {
      outcome: 'skipped',
      lines: [`no audit report from the registry, so nothing was checked: ${report.message}`],
    };
  return { outcome: 'failed', lines: [`npm audit failed: ${report.error?.summary ?? output.trim().slice(0, 500)}`] };
}

/** @param {{ vulnerabilities: Record<string, { via: (string | Advisory)[] }> }} report @returns {Judgment} */
function judgeReport({ vulnerabilities }) {
  /** @type {Map<string, Advisory>} */
  const advisories = new Map();
  // A text in `via` names another package of the list, which has the advisory itself.
  for (const advisory of Object.values(vulnerabilities).flatMap(({ via }) => via))
    if (typeof advisory !== 'string') advisories.set(`${advisory.name} ${advisory.url}`, advisory);
  const found = [...advisories.values()];
  const failing = found.filter(({ severity }) => FAILING.includes(severity)).length;
  return {
    outcome: failing === 0 ? 'passed' : 'failed',
    lines: [
      ...found.map(({ name, range, severity, title, url }) => `${severity}: ${name} ${range}: ${title} (${url})`),
      `${found.length} advisories, ${failing} of high or critical severity`,
    ],
  };
}

/** Audits everything that is locked, whatever NODE_ENV leaves out and whatever is installed here. */
export async function audit() {
  const everything = ['--package-lock-only', '--include=dev', '--include=optional', '--include=peer'];
  const network = ['--fetch-retries=1', '--fetch-timeout=60000'];
  const args = ['audit', '--json', '--loglevel=silent', ...everything, ...network];
  return judgeAudit((await run('npm', args, { quiet: true })).output);
}

if (process.argv[1] === import.meta.filename) {
  const { outcome, lines } = await audit();
  for (const line of lines) console.log(line);
  process.exitCode = outcome === 'passed' ? 0 : 1;
}
