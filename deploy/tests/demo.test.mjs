import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { root } from '../../scripts/processes.mjs';

/** A checkout whose build, sample data, and server take no time. */
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hourshare-demo-'));
  for (const part of ['demo', 'server/dist', 'scripts']) mkdirSync(join(folder, part), { recursive: true });
  cpSync(join(root, 'demo', 'demo.mjs'), join(folder, 'demo', 'demo.mjs'));
  write('scripts/build.mjs', "export const build = async (options) => (console.log('build', options), true);");
  write('scripts/processes.mjs', 'export const root = process.cwd();');
  write(
    'demo/clocked-app.mjs',
    `import { mkdirSync, readdirSync, existsSync } from 'node:fs';
    export class HasAccounts extends Error {
      constructor(usernames) { super('has accounts'); this.usernames = usernames; }
    }
    export async function openClockedApp({ DATA_DIR: data }) {
      const usernames = existsSync(data) ? readdirSync(data) : [];
      if (usernames.length > 0) throw new HasAccounts(usernames);
      mkdirSync(data, { recursive: true });
      return { data, close: async () => {} };
    }`,
  );
  write(
    'demo/household.mjs',
    `import { writeFileSync } from 'node:fs';
    export const PASSWORD = 'secret';
    export const PEOPLE = ['mira', 'ben'];
    export const beginning = (today) => today.getTime();
    export async function liveTogether({ data }) {
      for (const name of PEOPLE) writeFileSync(data + '/' + name, '');
    }`,
  );
  write('server/dist/main.js', "console.log('server', process.env.DATA_DIR, process.env.PORT);");
  return () => rmSync(folder, { recursive: true });
});

const write = (/** @type {string} */ file, /** @type {string} */ content) => writeFileSync(join(folder, file), content);

/** Runs the demo without the HourShare settings of this environment. @param {NodeJS.ProcessEnv} [env] */
function runDemo(env = {}) {
  const { DATA_DIR: _data, DATABASE_URL: _url, DATABASE_URL_FILE: _file, PORT: _port, ...own } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['demo/demo.mjs'], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...own, ...env },
  });
  return { status, stderr, lines: stdout.trim().split('\n') };
}

it('fills a folder of its own, which git ignores, builds without options, so only what changed, and has its own port', () => {
  const data = join(folder, 'demo-data');
  const first = runDemo();
  expect(first).toMatchObject({ status: 0, stderr: '' });
  expect([first.lines[0], first.lines.at(-1)]).toEqual(['build undefined', `server ${data} 3001`]);
  expect(readFileSync(join(root, '.gitignore'), 'utf8').split('\n')).toContain('/demo-data/');
  expect(runDemo().lines).toContain(`The sample data is in ${data}; for new data, delete that folder.`);
});

it('starts again where it was interrupted, but only in its own folder', () => {
  const data = join(folder, 'demo-data');
  mkdirSync(data);
  writeFileSync(join(data, 'mira'), '');
  expect(runDemo().status).toBe(0);
  expect(existsSync(join(data, 'ben'))).toBe(true);

  const other = join(folder, 'data');
  mkdirSync(other);
  writeFileSync(join(other, 'someone'), '');
  expect(runDemo({ DATA_DIR: other })).toMatchObject({ status: 1, stderr: 'has accounts\n' });
  expect(existsSync(join(other, 'someone'))).toBe(true);
});
