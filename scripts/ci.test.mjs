import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { root } from './processes.mjs';

it('.ci/run sets CI=true', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hourshare-ci-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'node'), '#!/bin/sh\necho "CI=$CI $*"\n');
  chmodSync(join(folder, 'node'), 0o755);
  const { CI: _, ...env } = process.env;
  const output = execFileSync(join(root, '.ci', 'run'), {
    env: { ...env, PATH: `${folder}${delimiter}${env.PATH}` },
    encoding: 'utf8',
  });
  expect(output).toBe('CI=true scripts/ci.mjs --install\n');
});

/** Runs CI's checks with an npm that only fails, and returns its calls and the output. @param {string} error */
function installWith(error) {
  const folder = mkdtempSync(join(tmpdir(), 'hourshare-ci-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const calls = join(folder, 'calls');
  writeFileSync(join(folder, 'npm'), `#!/bin/sh\necho "$*" >> "${calls}"\necho "npm error ${error}" >&2\nexit 1\n`);
  chmodSync(join(folder, 'npm'), 0o755);
  const { status, stdout } = spawnSync(process.execPath, [join(root, 'scripts', 'ci.mjs'), '--install'], {
    env: { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` },
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('0 passed, 1 failed, 0 skipped');
  return { calls: readFileSync(calls, 'utf8').trim().split('\n'), stdout };
}

const once = 'ci --fetch-timeout=120000';
const again = `${once} --prefer-offline`;

it.each([
  'code EIDLETIMEOUT',
  'code ETIMEDOUT',
  'code ECONNRESET',
  'network timeout at: https://registry.example/vite',
])('retries an installation from what has arrived after "%s", at most twice', (error) => {
  const { calls, stdout } = installWith(error);
  expect(calls).toEqual([once, again, again]);
  expect(stdout).toContain(`  install: npm error ${error}\n`);
});

it("doesn't retry an installation that fails for another reason", () => {
  expect(installWith('code EINTEGRITY\nnpm warn deprecated p-timeout').calls).toEqual([once]);
});
