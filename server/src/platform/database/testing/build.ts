import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

// Tests that start processes need built files, because Node 20 can't run TypeScript. They have their own build,
// named after a hash of its source, because server/dist may be rebuilt while they run.

const server = fileURLToPath(new URL('../../../../', import.meta.url));
const builds = join(server, '../node_modules/.cache/hourshare-database');
const sourceFolders = ['src/platform/database', 'src/migrations'];
const keptMs = 24 * 3600 * 1000;

/** Builds this folder's code if it has changed. Returns the URL of the build's src. */
export function buildDatabase(): string {
  const sources = sourceFolders.flatMap((part) => sourcesIn(join(server, part)));
  const hash = createHash('sha256');
  for (const file of sources) hash.update(relative(server, file)).update(readFileSync(file));
  const build = join(builds, hash.digest('hex').slice(0, 16));
  if (!existsSync(build)) make(build, sources);
  return pathToFileURL(`${build}/`).href;
}

function make(build: string, sources: string[]): void {
  removeOld();
  const unfinished = `${build}.${randomUUID()}`;
  mkdirSync(unfinished, { recursive: true });
  writeFileSync(join(unfinished, 'package.json'), '{ "type": "module" }\n');
  const config = {
    extends: join(server, 'tsconfig.build.json'),
    // Types are checked elsewhere, and those of the contract may not be built yet.
    compilerOptions: { rootDir: join(server, 'src'), outDir: unfinished, noCheck: true },
    files: sources,
    include: [],
  };
  writeFileSync(join(unfinished, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(server, '../node_modules/.bin/tsc');
  const { status, stdout } = spawnSync(tsc, ['-p', unfinished], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The database's code can't be built for its tests:\n${stdout}`);
  try {
    renameSync(unfinished, build);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another run finished first.
    if (!existsSync(build)) throw error;
  }
}

function removeOld(): void {
  if (!existsSync(builds)) return;
  for (const name of readdirSync(builds)) {
    const path = join(builds, name);
    if (Date.now() - statSync(path).mtimeMs > keptMs) rmSync(path, { recursive: true, force: true });
  }
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(folder, entry.name))
    .toSorted();
}
