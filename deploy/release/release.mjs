import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import * as tar from 'tar';
import { build } from '../../scripts/build.mjs';
import { onSignal, root, run } from '../../scripts/processes.mjs';
import { packageNotices } from './notices.mjs';
import { bundledPackages, installedPackages, listedPackages, productionPackages } from './packages.mjs';
import { releaseManifest, releaseSbom, withOverrides } from './packages.mjs';

// Makes a release: an archive that needs only Node.js, its SBOM, and checksums.
// --here makes one for this machine's platform alone, --out names another folder than release/.

/** What a release has in the same place as the checkout. */
const COPIED = [
  ...readdirSync(root).filter((name) => /^(?:LICENSE|(?!README)[A-Z]+\.md)$/.test(name)),
  'bench/results.md',
  'deploy',
  'docs',
  'scripts/hourshare.mjs',
  'scripts/preflight.cjs',
  'server/dist',
  'web/dist',
];
/** docs/images are pictures for the checkout's README, and scripts and tests need the checkout. */
const OMITTED = /^(?:deploy\/archive\.md|deploy\/(?:release|tests)|(?:deploy|docs)\/.*\.mjs|docs\/images)$/;

const NOTICES_INTRODUCTION = `HourShare contains the following software and fonts made by others. The packages in node_modules are complete and
unchanged; the code of others is part of the files in web/dist.
`;

const readJson = (/** @type {string} */ file) => JSON.parse(readFileSync(file, 'utf8'));
const writeJson = (/** @type {string} */ file, /** @type {unknown} */ value) =>
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);

/** @param {string} command @param {string[]} args @param {string} cwd */
async function outputOf(command, args, cwd) {
  const { code, output } = await run(command, args, { cwd, quiet: true });
  if (code !== 0) throw new Error(`"${command} ${args.join(' ')}" failed:\n${output.trim()}`);
  return output.trim();
}

/** Returns the time that every file of the release gets: the last commit's. */
async function releaseTime() {
  const epoch =
    process.env.SOURCE_DATE_EPOCH ?? (await run('git', ['log', '-1', '--format=%ct'], { quiet: true })).output;
  if (!/^\d+\s*$/.test(epoch))
    throw new Error('This folder has no commit; set SOURCE_DATE_EPOCH to the time of its last change, in seconds.');
  return new Date(Number(epoch) * 1000);
}

/** @param {string} folder @param {boolean} isForHere */
async function installPackages(folder, isForHere) {
  const project = readJson(join(root, 'package.json'));
  const manifest = releaseManifest(project, readJson(join(root, 'server', 'package.json')).dependencies);
  const { packages: locked } = readJson(join(root, 'package-lock.json'));
  const wanted = withOverrides(productionPackages({ packages: locked }, { isForHere }), project.overrides);
  const { name, version } = manifest;
  const writeLock = (/** @type {object} */ packages, root = manifest) =>
    writeJson(join(folder, 'package-lock.json'), {
      name,
      version,
      lockfileVersion: 3,
      requires: true,
      packages: { '': root, ...packages },
    });
  writeJson(join(folder, 'package.json'), manifest);
  writeLock(wanted);
  // npm checks each package's hash, so one in its cache is as good as one from the registry.
  const flags = [
    '--prefer-offline',
    '--ignore-scripts',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  await outputOf('npm', ['ci', ...flags], folder);

  const installed = installedPackages(wanted, folder);
  const missing = Object.keys(wanted).filter((path) => !(path in installed));
  if (!isForHere && missing.length > 0) throw new Error(`npm didn't install ${missing.join(', ')}.`);
  const bundled = bundledPackages(readFileSync(join(root, 'web', 'dist', 'licenses.txt'), 'utf8'));
  const versions = Object.fromEntries(bundled.map((each) => [each.name, each.version]));
  const everything = { ...manifest, dependencies: { ...versions, ...manifest.dependencies } };
  writeJson(join(folder, 'package.json'), everything);
  writeLock(listedPackages(installed, bundled, locked), everything);
  const args = [
    'sbom',
    '--package-lock-only',
    '--sbom-format=cyclonedx',
    '--sbom-type=application',
    '--loglevel=error',
  ];
  const sbom = releaseSbom(JSON.parse(await outputOf('npm', args, folder)), name);
  writeJson(join(folder, 'package.json'), manifest);
  // Both name the registry or files outside; npx writes its own.
  for (const name of ['package-lock.json', 'node_modules/.package-lock.json', 'node_modules/.bin'])
    rmSync(join(folder, name), { recursive: true, force: true });
  return { sbom, paths: Object.keys(installed).toSorted() };
}

/** @param {string} folder @param {string[]} packagePaths */
function copyFiles(folder, packagePaths) {
  for (const path of COPIED)
    cpSync(join(root, path), join(folder, path), {
      recursive: true,
      filter: (source) => !OMITTED.test(relative(root, source).replaceAll(sep, '/')),
    });
  // Where the server finds it, and npm doesn't look for packages of the registry.
  const contract = join(folder, 'server', 'node_modules', '@hourshare', 'contract');
  for (const name of ['package.json', 'dist'])
    cpSync(join(root, 'contract', name), join(contract, name), { recursive: true });
  const readme = readFileSync(join(root, 'deploy/archive.md'), 'utf8');
  writeFileSync(join(folder, 'README.md'), readme.replaceAll('](../', ']('));

  const notices = packageNotices(packagePaths.map((path) => join(folder, path)));
  const web = readFileSync(join(root, 'web', 'dist', 'licenses.txt'), 'utf8');
  writeFileSync(
    join(folder, 'THIRD-PARTY-NOTICES.txt'),
    [NOTICES_INTRODUCTION, '# node_modules\n', ...notices, '# web/dist\n', web.replace(/^[^]*?(?=^## )/m, '')].join(
      '\n',
    ),
  );
}

/** Packs a folder so that the same content gives the same bytes. @param {string} folder @param {string} file @param {Date} mtime */
async function pack(folder, file, mtime) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(join(folder, '..'), join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .toSorted();
  await tar.create(
    {
      file,
      cwd: join(folder, '..'),
      gzip: { level: 9 },
      portable: true,
      mtime,
      // Whatever the umask was when they were written.
      onWriteEntry: ({ stat }) => {
        if (stat) stat.mode = stat.mode & 0o100 ? 0o755 : 0o644;
      },
    },
    files,
  );
}

const sha256 = (/** @type {string} */ file) => createHash('sha256').update(readFileSync(file)).digest('hex');

/** @param {{ isForHere: boolean, out: string }} options */
async function makeRelease({ isForHere, out }) {
  const mtime = await releaseTime();
  const { code, output } = await run('git', ['status', '--porcelain'], { quiet: true });
  // Without Git, as in a Docker build, no one can tell.
  if (code === 0 && output)
    console.warn('Not everything here is committed, so no one can make this archive from a commit.');
  if (!(await build())) throw new Error('There is nothing to pack.');

  const { name, version } = readJson(join(root, 'package.json'));
  const stage = mkdtempSync(join(tmpdir(), 'hourshare-release-'));
  const removeStage = () => rmSync(stage, { recursive: true, force: true });
  onSignal(removeStage);
  try {
    const folder = join(stage, `${name}-${version}`);
    mkdirSync(folder);
    const { sbom, paths } = await installPackages(folder, isForHere);
    copyFiles(folder, paths);
    mkdirSync(out, { recursive: true });
    const release = join(out, `${name}-${version}${isForHere ? `-${process.platform}-${process.arch}` : ''}`);
    await pack(folder, `${release}.tgz`, mtime);
    writeJson(`${release}.cdx.json`, sbom);
    const files = [`${release}.cdx.json`, `${release}.tgz`];
    writeFileSync(join(out, 'SHA256SUMS'), files.map((file) => `${sha256(file)}  ${basename(file)}\n`).join(''));
    console.log(`${release}.tgz: ${(statSync(`${release}.tgz`).size / 1_000_000).toFixed(1)} MB`);
  } finally {
    removeStage();
  }
}

try {
  const { values } = parseArgs({
    options: { here: { type: 'boolean', default: false }, out: { type: 'string', default: join(root, 'release') } },
  });
  await makeRelease({ isForHere: values.here, out: resolve(values.out) });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
