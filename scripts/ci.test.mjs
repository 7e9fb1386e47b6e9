import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
