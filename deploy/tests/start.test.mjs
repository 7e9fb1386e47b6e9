import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { copyCheckout } from '../release/checkout-copies.mjs';
import { root } from '../../scripts/processes.mjs';

const preflight = join(root, 'scripts', 'preflight.cjs');

/** @type {[path: string, status: number, type: string, content: string][]} */
const ANSWERS = [
  ['/', 200, 'text/html', 'Get Started Free</a>'],
  ['/about', 200, 'text/html', 'About HourShare</h1>'],
  ['/licenses.txt', 200, 'text/plain', 'SIL OPEN FONT LICENSE'],
  ['/dashboard', 200, 'text/html', '<div id="root">'],
  ['/healthz', 200, 'application/json', ''],
  ['/readyz', 200, 'application/json', ''],
  ['/api/nope/', 404, 'application/json', '"not_found"'],
  ['/api/me/', 401, 'application/json', '"not_signed_in"'],
];

describe('the preflight check', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hourshare-preflight-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'scripts'));
  cpSync(preflight, join(folder, 'scripts', 'preflight.cjs'));
  writeFileSync(
    join(folder, 'package.json'),
    '{ "engines": { "node": ">=20.19.0" }, "devDependencies": { "vitest": "1.0.0" } }',
  );
  // An old Node.js can't parse this file, so the preflight check must stop it first.
  for (const name of ['start', 'test'])
    writeFileSync(join(folder, 'scripts', `${name}.mjs`), "console.log('started'); void /[[a-z]--[b]]/v;");

  /** @param {string} name @param {string} [version] as process.versions.node has it @param {string} [cwd] */
  const run = (name, version = process.versions.node, cwd = folder) => {
    const pretend = join(folder, 'version.cjs');
    writeFileSync(pretend, `Object.defineProperty(process.versions, 'node', { value: '${version}' });`);
    const args = ['-r', pretend, '-r', './scripts/preflight.cjs', `scripts/${name}.mjs`];
    return spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  };

  it.each(['16.20.2', '18.20.8', '20.18.3'])('rejects Node.js %s with one sentence', (version) => {
    for (const name of ['start', 'test']) {
      const { status, stdout, stderr } = run(name, version);
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr).toMatch(/^HourShare needs Node\.js 20\.19 or newer, but this is [\d.]+; install [^\n]+\n$/);
    }
  });

  it.each(['20.19.0', '22.0.0', '26.1.0'])('accepts Node.js %s', (version) => {
    expect(run('start', version)).toMatchObject({ status: 0, stdout: 'started\n' });
  });

  it('says how to install what NODE_ENV=production omitted', () => {
    const { status, stdout, stderr } = run('test');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^Packages that build or test HourShare are missing; run "npm ci --include=dev"[^\n]*\n$/);
    mkdirSync(join(folder, 'node_modules', 'vitest'), { recursive: true });
    expect(run('test')).toMatchObject({ status: 0, stdout: 'started\n' });
  });

  it('is followed by one sentence if a built app misses a package that it needs', () => {
    const built = join(folder, 'built');
    for (const parent of ['scripts', 'server/dist']) mkdirSync(join(built, parent), { recursive: true });
    cpSync(join(root, 'scripts', 'start.mjs'), join(built, 'scripts', 'start.mjs'));
    writeFileSync(join(built, 'scripts', 'build.mjs'), 'export const build = async () => true;');
    /** @param {string} code of the app */
    const startApp = (code) => {
      writeFileSync(join(built, 'server', 'dist', 'main.js'), code);
      writeFileSync(join(built, 'package.json'), '{ "type": "module" }');
      return spawnSync(process.execPath, ['scripts/start.mjs'], { cwd: built, encoding: 'utf8' });
    };
    expect(startApp("import 'no-such-package';")).toMatchObject({
      status: 1,
      stdout: '',
      stderr: `Packages that HourShare needs are missing; run "npm ci" (Cannot find package 'no-such-package').\n`,
    });
    expect(startApp("throw new Error('A fault.');").stderr).toContain('Error: A fault.\n    at ');
  });

  it('rejects a path with a # in it', () => {
    const awkward = join(folder, 'first #1');
    mkdirSync(join(awkward, 'scripts'), { recursive: true });
    for (const file of ['package.json', 'scripts/preflight.cjs', 'scripts/test.mjs'])
      cpSync(join(folder, file), join(awkward, file));
    const { status, stdout, stderr } = run('test', process.versions.node, awkward);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toBe(`HourShare can't be built in ${awkward}; move it to a path without # or ?.\n`);
  });

  it('is loaded by each npm script that people run first', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    for (const name of ['start', 'test', 'dev', 'build', 'ci', 'demo'])
      expect(scripts[name]).toMatch(/^(?:exec )?node -r \.\/scripts\/preflight\.cjs /);
  });
});

describe('a checkout in a folder with an awkward name', { timeout: 600_000 }, () => {
  const temporary = mkdtempSync(join(tmpdir(), 'hourshare-start-'));
  const folder = join(temporary, "it's ä %1", 'hours & shares');
  afterAll(() => rmSync(temporary, { recursive: true }));

  beforeAll(() => copyCheckout(folder));

  /** Runs an npm script in the folder until the test ends at the latest. @param {string} script @param {number} port */
  async function start(script, port) {
    const { DATABASE_URL: _, APP_URL: __, ...env } = process.env;
    const child = spawn('npm', ['run', script], {
      cwd: folder,
      env: { ...env, HOST: '127.0.0.1', PORT: String(port), DATA_DIR: join(temporary, 'data'), NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'pipe'],
      // Its own process group, so that programs that outlive npm can be ended too.
      detached: true,
    });
    const exited = once(child, 'exit');
    onTestFinished(async () => {
      try {
        process.kill(-Number(child.pid), 'SIGKILL');
      } catch {
        // The process group is empty.
      }
      await exited;
    });
    /** Stops it as a service manager does. @returns {Promise<unknown[]>} exit code and signal */
    const end = () => {
      child.kill('SIGTERM');
      return exited;
    };
    let log = '';
    let hasGrown = () => {};
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        log += text;
        hasGrown();
      });
    const ended = exited.then(() => Promise.reject(new Error(`npm run ${script} ended: ${log}`)));
    ended.catch(() => {});
    /** Waits for output after the previous match. @param {RegExp} pattern */
    const printed = async (pattern) => {
      for (;;) {
        const match = pattern.exec(log);
        if (match) {
          log = log.slice(match.index + match[0].length);
          return match[1] ?? '';
        }
        await Promise.race([new Promise((resolve) => (hasGrown = () => resolve(undefined))), ended]);
      }
    };
    return { printed, end };
  }
  const textOf = async (/** @type {string} */ url) => (await fetch(url)).text();

  it('is built and served by npm start until SIGTERM ends both', async () => {
    const { printed, end } = await start('start', 0);
    const url = await printed(/ready at (\S+)/);
    for (const [path, status, type, content] of ANSWERS) {
      const response = await fetch(`${url}${path}`);
      const answer = { status: response.status, type: response.headers.get('content-type') };
      expect({ path, ...answer }).toEqual({ path, status, type: expect.stringContaining(type) });
      expect(await response.text()).toContain(content);
    }
    expect(await end()).toEqual([0, null]);
    await expect(fetch(`${url}/healthz`)).rejects.toThrow('fetch failed');
  });

  it('is reloaded by npm run dev when the server or web app changes', async () => {
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const { port } = /** @type {import('node:net').AddressInfo} */ (free.address());
    await new Promise((resolve) => free.close(resolve));

    const { printed, end } = await start('dev', port);
    expect(await printed(/ready at (\S+)/)).toBe(`http://127.0.0.1:${port}`);
    expect((await fetch(`http://127.0.0.1:${port}/api/me/`)).status).toBe(401);
    /** @param {string} file @param {string} before @param {string} after */
    const change = (file, before, after) => {
      const content = readFileSync(join(folder, file), 'utf8');
      expect(content).toContain(before);
      writeFileSync(join(folder, file), content.replace(before, after));
    };

    change('server/src/main.ts', 'HourShare is ready', 'A changed HourShare is ready');
    expect(await printed(/A changed HourShare is ready at (\S+)/)).toBe(`http://127.0.0.1:${port}`);
    expect((await fetch(`http://127.0.0.1:${port}/api/me/`)).status).toBe(401);

    const page = `http://127.0.0.1:${port}/src/ui/brand.tsx`;
    expect(await textOf(page)).not.toContain('Changed mark');
    change('web/src/ui/brand.tsx', 'aria-hidden', 'aria-label="Changed mark"');
    await printed(/hmr update \/src\/ui\/brand\.tsx|page reload/);
    expect(await textOf(page)).toContain('Changed mark');

    await end();
    await expect(fetch(page)).rejects.toThrow('fetch failed');
  });
});
