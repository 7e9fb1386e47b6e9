import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { root } from '../../scripts/processes.mjs';

const PRINT = `console.log(JSON.stringify([import.meta.filename.match(/[^/\\\\]+$/)[0], process.argv.slice(2), process.env.DATA_DIR]));`;

describe('the command of a release', () => {
  const temporary = mkdtempSync(join(tmpdir(), 'hourshare-command-'));
  afterAll(() => rmSync(temporary, { recursive: true }));
  const folder = join(temporary, 'a release');
  const home = join(temporary, 'home');
  const dist = join(folder, 'server', 'dist');
  mkdirSync(join(folder, 'scripts'), { recursive: true });
  mkdirSync(dist, { recursive: true });
  for (const file of ['hourshare.mjs', 'preflight.cjs'])
    cpSync(join(root, 'scripts', file), join(folder, 'scripts', file));
  const manifest = { version: '1.2.3', type: 'module', engines: { node: '>=20.19.0' } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  for (const name of ['main', 'admin']) writeFileSync(join(dist, `${name}.js`), PRINT);
  // As npm does for a command.
  const command = join(temporary, 'hourshare');
  symlinkSync(join(folder, 'scripts', 'hourshare.mjs'), command);

  /** @param {string[]} args @param {Record<string, string>} [env] @param {string[]} [flags] of Node */
  function run(args, env = {}, flags = []) {
    const options = {
      cwd: temporary,
      env: { HOME: home, USERPROFILE: home, ...env },
      encoding: /** @type {const} */ ('utf8'),
    };
    const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, command, ...args], options);
    return { status, stdout, stderr };
  }
  const data = join(home, 'hourshare-data');

  it('starts the server and prints the data folder', () => {
    expect(run([])).toEqual({
      status: 0,
      stdout: `HourShare keeps its data in ${data}\n${JSON.stringify(['main.js', [], data])}\n`,
      stderr: '',
    });
  });

  it("runs the administrator's command with its arguments", () => {
    const stdout = `${JSON.stringify(['admin.js', ['delete', 'ben', '--yes'], data])}\n`;
    expect(run(['admin', 'delete', 'ben', '--yes'])).toEqual({ status: 0, stdout, stderr: '' });
  });

  it.each([
    [{ DATA_DIR: '/srv/hours' }, '/srv/hours'],
    [{ DATA_DIR: ' ', DATABASE_URL: 'postgresql://host/hours' }, ' '],
    [{ DATABASE_URL: 'postgresql://host/hours' }, undefined],
    [{ DATABASE_URL_FILE: '/run/secrets/database-url' }, undefined],
    [{ DATA_DIR: '', DATABASE_URL: ' ' }, data],
  ])('with %j, keeps data where the settings say', (env, expected) => {
    const [name, , dataDir] = JSON.parse(run([], env).stdout.trim().split('\n').at(-1) ?? '');
    expect([name, dataDir ?? undefined]).toEqual(['main.js', expected]);
  });

  it('asks for DATA_DIR where the user has no home folder', () => {
    expect(run([], { HOME: '', USERPROFILE: '' })).toEqual({
      status: 1,
      stdout: '',
      stderr: 'This user has no home folder; set DATA_DIR to the folder that keeps the data.\n',
    });
  });

  it('prints its version and what it can do', () => {
    expect(run(['--version'])).toEqual({ status: 0, stdout: '1.2.3\n', stderr: '' });
    expect(run(['--help'])).toMatchObject({ status: 0, stdout: expect.stringContaining('hourshare admin …') });
  });

  it.each([['start'], ['--port', '80'], ['--version', 'x'], [''], ['toString']])('rejects %s', (...args) => {
    expect(run(args)).toEqual({
      status: 2,
      stdout: '',
      stderr: `Unknown argument "${args.join(' ')}". Run "hourshare --help".\n`,
    });
  });

  it('rejects an old Node.js without mentioning a checkout', () => {
    const pretend = join(temporary, 'version.cjs');
    writeFileSync(pretend, "Object.defineProperty(process.versions, 'node', { value: '18.20.8' });");
    expect(run([], {}, ['-r', pretend])).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'HourShare needs Node.js 20.19 or newer, but this is 18.20.8; install a newer version from https://nodejs.org.\n',
    });
  });

  /** Runs a server that can't be loaded. @param {string} main */
  function runBroken(main) {
    const broken = mkdtempSync(join(temporary, 'broken-'));
    cpSync(folder, broken, { recursive: true });
    writeFileSync(join(broken, 'server', 'dist', 'main.js'), main);
    const options = { env: { DATA_DIR: data }, encoding: /** @type {const} */ ('utf8') };
    const { status, stderr } = spawnSync(process.execPath, [join(broken, 'scripts', 'hourshare.mjs')], options);
    return { status, stderr };
  }

  it.each([
    ["throw new Error('Cannot find native binding. Try npm.');", 'Cannot find native binding.'],
    ["import 'absent';", "Cannot find package 'absent' imported from "],
  ])('says in one sentence that a part is missing: %s', (main, reason) => {
    const { status, stderr } = runBroken(main);
    expect([status, stderr.split('\n').length]).toEqual([1, 2]);
    expect(stderr).toContain(`HourShare can't run here: ${reason}`);
  });

  it('keeps the stack of an unexpected error', () => {
    const { status, stderr } = runBroken("throw new TypeError('x is undefined. It must not be.');");
    expect(status).toBe(1);
    expect(stderr).toMatch(/TypeError: x is undefined\. It must not be\.\n +at .*main\.js:1:7/);
  });

  it('passes on signals and the exit code, because it is the same process', async () => {
    const waiting = join(temporary, 'waiting');
    cpSync(folder, waiting, { recursive: true });
    writeFileSync(
      join(waiting, 'server', 'dist', 'main.js'),
      "process.on('SIGTERM', () => process.exit(7)); setInterval(() => {}, 1000); console.log('ready');",
    );
    const child = spawn(process.execPath, [join(waiting, 'scripts', 'hourshare.mjs')], { env: { DATA_DIR: data } });
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([7, null]);
  });

  it('tells systemd when the server is ready, and not before', async () => {
    const service = join(temporary, 'service');
    cpSync(folder, service, { recursive: true });
    writeFileSync(
      join(service, 'server', 'dist', 'main.js'),
      `import { appendFileSync } from 'node:fs';
      export const started = new Promise((resolve) => setImmediate(resolve)).then(() => appendFileSync('told', 'ready\\n'));`,
    );
    writeFileSync(join(service, 'systemd-notify'), '#!/bin/sh\necho "$@" >> told\n', { mode: 0o755 });
    /** @param {Record<string, string>} env */
    const start = (env) => {
      const options = { cwd: service, env: { DATA_DIR: data, ...env }, encoding: /** @type {const} */ ('utf8') };
      const { status, stderr } = spawnSync(process.execPath, [join(service, 'scripts', 'hourshare.mjs')], options);
      const told = readFileSync(join(service, 'told'), 'utf8');
      rmSync(join(service, 'told'));
      return { status, stderr, told };
    };
    const NOTIFY_SOCKET = '/run/systemd/notify';
    expect(start({ PATH: `${service}:${process.env.PATH}` })).toEqual({ status: 0, stderr: '', told: 'ready\n' });
    expect(start({ PATH: `${service}:${process.env.PATH}`, NOTIFY_SOCKET })).toEqual({
      status: 0,
      stderr: '',
      told: 'ready\n--ready\n',
    });
    expect(start({ PATH: '/none', NOTIFY_SOCKET }).stderr).toMatch(
      /^systemd-notify failed, so systemd waits in vain \(.*ENOENT\)\.\n$/,
    );
  });

  it('refuses to run in a checkout', () => {
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts', 'hourshare.mjs')], {
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: 'This is a checkout of HourShare; run "npm start" or "npm run admin" in it.\n',
    });
  });
});
