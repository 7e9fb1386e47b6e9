import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { createDatabase } from '../../harness/databases.mjs';
import { copyCheckout } from './checkout-copies.mjs';
import { findPostgres } from '../../harness/postgres.mjs';
import { onSignal, root, run } from '../../scripts/processes.mjs';
import { bundledPackages, installedComponents } from './packages.mjs';

// Makes a release twice and uses it as people do: in a folder with a space, from npx, without a network, and to move
// its data to another folder and to PostgreSQL. Its arguments are those of `npm run release`.

const temporary = mkdtempSync(join(tmpdir(), 'hourshare-check-release-'));
/** The process groups of servers. @type {number[]} */
const groups = [];
function cleanUp() {
  for (const group of groups)
    try {
      process.kill(-group, 'SIGKILL');
    } catch {
      // It has ended.
    }
  rmSync(temporary, { recursive: true, force: true });
}
onSignal(cleanUp);

const folder = (/** @type {string} */ name) => join(temporary, name);
const HOME = folder('home of a user');
const DATA = join(HOME, 'hourshare-data');
const ASSET = { name: 'Van', subscription_cost: 42 };
const ACCOUNT = { username: 'mira', password: 'sparrow-lantern-42-quilt' };

/** An environment without settings, and without what npm tells the scripts it runs. */
const bare = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => /^(?:PATH|LANG|TMPDIR|SystemRoot)$/.test(name)),
);
/** npm has an empty cache, and finds nothing outside of the archive. */
const npm = {
  npm_config_cache: folder('npm cache'),
  npm_config_registry: 'http://127.0.0.1:9/',
  npm_config_update_notifier: 'false',
  npm_config_offline: 'true',
};
const env = { ...bare, ...npm, HOME, USERPROFILE: HOME, PORT: '0' };

/** @template T @param {string} name @param {() => Promise<T> | T} check */
async function step(name, check) {
  const startedAt = performance.now();
  const result = await check();
  console.log(`passed  ${name}  (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
  return result;
}

/** @param {string} command @param {string[]} args @param {{ cwd: string, env?: NodeJS.ProcessEnv }} options */
async function outputOf(command, args, options) {
  const { code, output } = await run(command, args, { ...options, quiet: true });
  assert(code === 0, `"${command} ${args.join(' ')}" ended with ${code}:\n${output}`);
  return output;
}

/** Starts a server, and returns its address and how to stop it. @param {string} command @param {string[]} args @param {{ cwd: string, env: NodeJS.ProcessEnv }} options */
async function startServer(command, args, options) {
  // Its own process group, so that a failed check can end all of it.
  const server = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const group = Number(server.pid);
  groups.push(group);
  // Not before the last program that can write to the log has ended.
  const ended = once(server, 'close');
  let log = '';
  const address = await new Promise((resolve, reject) => {
    for (const stream of [server.stdout, server.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        log += text;
        const [, found] = /ready at (\S+)\n/.exec(log) ?? [];
        if (found) resolve(found);
      });
    ended.then(() => reject(new Error(`The server ended before it was ready:\n${log}`)), reject);
  });
  /** As a service manager does, or a terminal. @param {'SIGTERM' | 'Control-C'} how */
  const stop = async (how) => {
    process.kill(how === 'SIGTERM' ? group : -group, how === 'SIGTERM' ? how : 'SIGINT');
    const [code, signal] = await ended;
    assert(/"msg":"stopping"/.test(log) && !/could not stop/.test(log), `The server didn't stop on ${how}:\n${log}`);
    // npm ends by the signal that it got from a terminal.
    assert(code === 0 || how === 'Control-C', `${command} ended with ${code ?? signal} on ${how}:\n${log}`);
  };
  return { address, stop };
}

/** Sends a body if there is one. @param {string} address @param {string} path @param {object} [body] @param {string} [token] */
async function ask(address, path, body, token) {
  const response = await fetch(`${address}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: body ? JSON.stringify(body) : null,
  });
  const text = await response.text();
  assert(response.ok, `${path} answered ${response.status}: ${text}`);
  return text;
}

const files = (/** @type {string} */ at) =>
  readdirSync(at, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(at, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .toSorted();

/** @param {string[]} args of `npm run release` */
async function makeTwice(args) {
  const [first, second] = [folder('first'), folder('second')];
  const epoch = (await outputOf('git', ['log', '-1', '--format=%ct'], { cwd: root })).trim();
  const release = (/** @type {string} */ checkout, /** @type {string} */ out) =>
    outputOf(process.execPath, [join(checkout, 'deploy', 'release', 'release.mjs'), ...args, '--out', out], {
      cwd: checkout,
      env: { ...process.env, SOURCE_DATE_EPOCH: epoch },
    });
  await step('made here', () => release(root, first));
  await step('made and built in another folder', async () => {
    const copy = folder('another checkout');
    copyCheckout(copy);
    await release(copy, second);
    rmSync(copy, { recursive: true });
  });
  await step('same bytes', () => {
    assert(
      files(first).length === 3 && files(first).join() === files(second).join(),
      'The releases have different files.',
    );
    for (const name of files(first))
      assert(
        readFileSync(join(first, name)).equals(readFileSync(join(second, name))),
        `${name} differs between two builds.`,
      );
  });
  return first;
}

/** Returns the archive's name without .tgz. @param {string} release */
function verifyChecksums(release) {
  const sums = readFileSync(join(release, 'SHA256SUMS'), 'utf8').trim().split('\n');
  const names = sums.map((line) => {
    const [sum, name = ''] = line.split('  ');
    const actual = createHash('sha256')
      .update(readFileSync(join(release, name)))
      .digest('hex');
    assert(sum === actual, `SHA256SUMS has ${sum} for ${name}, which is ${actual}.`);
    return name;
  });
  const archive = names.find((name) => name.endsWith('.tgz'));
  assert(names.length === 2 && archive, `SHA256SUMS lists ${names.join(', ')}.`);
  return archive?.slice(0, -'.tgz'.length) ?? '';
}

/** @param {string} unpacked @param {string} sbomFile */
function compareLists(unpacked, sbomFile) {
  const sbom = JSON.parse(readFileSync(sbomFile, 'utf8'));
  const notices = readFileSync(join(unpacked, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  const bundled = bundledPackages(readFileSync(join(unpacked, 'web', 'dist', 'licenses.txt'), 'utf8'));
  const installed = installedComponents(unpacked, files(unpacked));
  const shipped = new Set([...installed, ...bundled].map(({ name, version }) => `${name}@${version}`));
  const listed = new Set(sbom.components.map((/** @type {any} */ { name, version }) => `${name}@${version}`));
  assert(installed.length > 100 && bundled.length > 20, 'The archive has fewer packages than expected.');
  for (const each of shipped) assert(listed.has(each), `The SBOM lacks ${each}, which the archive has.`);
  for (const each of listed) assert(shipped.has(each), `The SBOM lists ${each}, which the archive lacks.`);
  const noticed = new Set(bundledPackages(notices).map(({ name, version }) => `${name}@${version}`));
  for (const each of shipped) assert(noticed.has(each), `THIRD-PARTY-NOTICES.txt lacks ${each}.`);
  for (const font of readdirSync(join(unpacked, 'web', 'dist', 'static')).filter((name) => name.endsWith('.woff2')))
    assert(
      bundled.some(({ name, license }) => license === 'OFL-1.1' && font.startsWith(name.replace(/^.*\//, ''))),
      `The web app's licenses lack the font ${font}.`,
    );
}

/** @param {string} unpacked */
function followLinks(unpacked) {
  const documents = files(unpacked).filter((file) => /^(?!.*node_modules\/).*\.md$/.test(file));
  assert(documents.includes('README.md'), 'The archive has no README.md.');
  for (const document of documents)
    for (const [, target = ''] of readFileSync(join(unpacked, document), 'utf8').matchAll(/\]\((?!\w+:|#)([^)#\s]+)/g))
      assert(
        existsSync(join(unpacked, dirname(document), target)),
        `${document} links to ${target}, which isn't there.`,
      );
}

/** @param {string} at */
const fileTimes = (at) =>
  files(at)
    .map((file) => `${file} ${statSync(join(at, file)).mtimeMs}`)
    .join('\n');

/** Moves a running server's data to other folders and engines. @param {string} unpacked @param {string} address @param {string} token */
async function tryBackup(unpacked, address, token) {
  const backup = folder('backup.gz');
  const assets = await ask(address, '/api/assets/', undefined, token);
  assert(assets.includes(ASSET.name), 'The asset is missing.');
  await step('a backup, while the server runs', () =>
    outputOf(process.execPath, ['scripts/hourshare.mjs', 'admin', 'backup', backup], { cwd: unpacked, env }),
  );
  /** @param {NodeJS.ProcessEnv} settings */
  const restore = async (settings) => {
    const options = { cwd: unpacked, env: { ...env, ...settings } };
    await outputOf(process.execPath, ['scripts/hourshare.mjs', 'admin', 'restore', backup], options);
    const restored = await startServer(process.execPath, ['scripts/hourshare.mjs'], options);
    const found = await ask(restored.address, '/api/assets/', undefined, token);
    assert(found === assets, `After the restore, the assets are ${found}, not ${assets}.`);
    await restored.stop('SIGTERM');
  };
  await step('a restore into another folder, with its sign-ins', () => restore({ DATA_DIR: folder('restored') }));
  const postgres = await findPostgres();
  if ('missing' in postgres) throw new Error(postgres.missing);
  try {
    // A named server may have other data.
    const database = await createDatabase(postgres.url);
    try {
      await step('a restore into PostgreSQL, with its sign-ins', () =>
        restore({ DATABASE_URL: database.url, DATA_DIR: folder('restored secret') }),
      );
    } finally {
      await database.drop();
    }
  } finally {
    await postgres.stop();
  }
}

/** @param {string} unpacked */
async function tryArchive(unpacked) {
  const before = fileTimes(unpacked);
  const hourshare = (/** @type {string[]} */ ...args) =>
    outputOf(process.execPath, ['scripts/hourshare.mjs', ...args], { cwd: unpacked, env });
  const server = await step('npm start', () => startServer('npm', ['start'], { cwd: unpacked, env }));
  const token = await step('an account with an asset', async () => {
    await ask(server.address, '/healthz');
    await ask(server.address, '/readyz');
    assert((await ask(server.address, '/')).includes('<title>'), 'The page has no title.');
    await ask(server.address, '/api/register/', { ...ACCOUNT, email: 'mira@example.org' });
    const { access } = JSON.parse(await ask(server.address, '/api/login/', ACCOUNT));
    await ask(server.address, '/api/assets/', ASSET, access);
    return access;
  });
  await tryBackup(unpacked, server.address, token);
  await step('packages that load when they are used', () =>
    outputOf(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        "await import('@simplewebauthn/server'); await import('@simplewebauthn/server/helpers');",
      ],
      { cwd: unpacked, env },
    ),
  );
  await step('commands of the administrator, while the server runs and after', async () => {
    assert.match(await hourshare('admin', 'stats'), /^Accounts: +1,/m);
    await server.stop('SIGTERM');
    assert((await hourshare('admin', 'users')).includes(ACCOUNT.username), 'users lacks the account.');
  });
  await step('nothing written outside of the data folder', () => {
    assert(fileTimes(unpacked) === before, 'The server changed files of the release.');
    assert(existsSync(join(DATA, 'secret')), `The data isn't in ${DATA}.`);
    assert(readdirSync(HOME).join() === 'hourshare-data', `The home folder has ${readdirSync(HOME).join(', ')}.`);
  });
}

/** @param {string} archive */
async function tryNpx(archive) {
  const cwd = folder('elsewhere');
  mkdirSync(cwd);
  const npx = ['--yes', `--package=${archive}`, 'hourshare'];
  const server = await step('npx without a network', () => startServer('npx', npx, { cwd, env }));
  await step('the same data', () => ask(server.address, '/api/login/', ACCOUNT));
  await step('Control-C', () => server.stop('Control-C'));
  assert(readdirSync(cwd).length === 0, 'npx wrote into the current folder.');
}

async function checkRelease() {
  mkdirSync(HOME);
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const release = await makeTwice(process.argv.slice(2));
  const archive = await step('checksums', () => verifyChecksums(release));
  const unpacked = join(folder('un packed'), `${name}-${version}`);
  await step('unpacked', async () => {
    mkdirSync(dirname(unpacked));
    await outputOf('tar', ['-xzf', join(release, `${archive}.tgz`)], { cwd: dirname(unpacked) });
    assert(readdirSync(dirname(unpacked)).join() === `${name}-${version}`, 'The archive has more than one folder.');
  });
  await step('SBOM and notices', () => compareLists(unpacked, join(release, `${archive}.cdx.json`)));
  await step('links between documents', () => followLinks(unpacked));
  await tryArchive(unpacked);
  await tryNpx(join(release, `${archive}.tgz`));
}

await checkRelease().then(
  () => console.log('The release works.'),
  (/** @type {unknown} */ error) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  },
);
cleanUp();
