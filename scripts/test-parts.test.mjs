import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { root } from './processes.mjs';

const NO_REGISTRY = `npm error Exit handler never called!
npm error This is an error with npm itself. Please report this error at:
npm error   <https://github.com/npm/cli/issues>
npm error A complete log of this run can be found in: /home/sam/.npm/_logs/1.log`;

const NOT_FOUND = `npm warn Unknown user config "nodedir".
npm error code E404
npm error 404 Not Found - GET https://registry.example/chromium
npm error A complete log of this run can be found in: /home/sam/.npm/_logs/1.log`;

const CRASH = `node:internal/modules/cjs/loader:1228
  throw err;
  ^

Error: ENOSPC: no space left on device, write
    at Object.writeSync (node:fs:924:3)`;

it.each([
  ["that can't reach its registry", NO_REGISTRY, "without a reason, as if it can't reach its registry"],
  ['that misses a package', NOT_FOUND, '404 Not Found - GET https://registry.example/chromium'],
  ['that crashes', CRASH, 'Error: ENOSPC: no space left on device, write'],
])('says why npm could not install the parts: an npm %s', (_, output, reason) => {
  const folder = mkdtempSync(join(tmpdir(), 'hourshare-parts-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'scripts'));
  for (const name of ['processes.mjs', 'test-parts.mjs', 'test-parts'])
    cpSync(join(root, 'scripts', name), join(folder, 'scripts', name), { recursive: true });
  writeFileSync(
    join(folder, 'npm'),
    `#!/bin/sh\necho run >> ${join(folder, 'runs')}\ncat >&2 << 'END'\n${output}\nEND\nexit 1\n`,
    { mode: 0o755 },
  );
  // A browser and a server are looked for one after the other.
  const install = `import('./scripts/test-parts.mjs').then(async ({ installTestParts: install }) =>
    console.log(JSON.stringify([await install(), await install()])))`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', install], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: [folder, dirname(process.execPath), process.env.PATH].join(delimiter) },
  });
  expect(stderr).toBe('');
  const sentence = `npm could not install it (${reason})`;
  expect(JSON.parse(stdout.split('\n')[1] ?? '')).toEqual([sentence, sentence]);
  expect(readFileSync(join(folder, 'runs'), 'utf8')).toBe('run\n');
});
