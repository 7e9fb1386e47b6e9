import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

it('rejects a page that loads too much, with what it imports', () => {
  const dist = mkdtempSync(join(tmpdir(), 'hourshare-budgets-'));
  onTestFinished(() => rmSync(dist, { recursive: true }));
  mkdirSync(join(dist, 'static'));
  const write = (/** @type {string} */ name, /** @type {string} */ content) => writeFileSync(join(dist, name), content);
  for (const page of ['index.html', 'app.html']) write(page, '<script src="/static/main-aaaaaaaa.js"></script>');
  write('static/main-aaaaaaaa.js', 'import("./landing-page-aaaaaaaa.js")');
  write('static/landing-page-aaaaaaaa.js', 'import"./large-aaaaaaaa.js";import("./lazy-aaaaaaaa.js")');
  write('static/lazy-aaaaaaaa.js', randomBytes(200_000).toString('base64'));
  for (const name of ['app', 'later']) write(`static/${name}-aaaaaaaa.js`, '');
  write('static/messages-aaaaaaaa-en-public.js', randomBytes(10_000).toString('base64'));
  const check = (/** @type {number} */ bytes) => {
    write('static/large-aaaaaaaa.js', randomBytes(bytes).toString('base64'));
    const { status, stderr } = spawnSync('node', [join(import.meta.dirname, 'budgets.mjs'), dist], {
      encoding: 'utf8',
    });
    return { status, stderr };
  };
  expect(check(110_000)).toEqual({ status: 0, stderr: '' });
  expect(check(125_000)).toEqual({ status: 1, stderr: expect.stringContaining('static/large-aaaaaaaa.js') });
  write('static/app-aaaaaaaa.js', [1, 2, 3, 4, 5].map((each) => `import"./part${each}-aaaaaaaa.js"`).join(';'));
  for (const each of [1, 2, 3, 4, 5]) write(`static/part${each}-aaaaaaaa.js`, '');
  expect(check(110_000)).toEqual({ status: 1, stderr: expect.stringContaining('static/part5-aaaaaaaa.js') });
});
