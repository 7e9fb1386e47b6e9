import { createHash, randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

// Node 20 runs no TypeScript, so tests of the process need built files. They have their own build, named after a hash
// of the source, because dist may be outdated or incomplete. It is a bundle with most packages: loading the 800 files of
// dist and its packages takes most of a process's time. dist itself starts in the tests of the tools and in the browser.

const root = fileURLToPath(new URL('../../../', import.meta.url));
const builds = join(root, 'node_modules/.cache/hourshare-server');
const parts = ['server/src', 'contract/src'];
/** Has the version, which the server reads. */
const manifest = join(root, 'package.json');
const KEPT_MILLISECONDS = 24 * 60 * 60 * 1000;

/** What tests start or import, by its name in the build's only folder. */
const ENTRIES = {
  main: './main.ts',
  admin: './admin.ts',
  secret: './platform/secret.ts',
  open: './platform/database/open.ts',
  'create-embedded': './platform/database/create-embedded.ts',
  migrate: './platform/database/migrate.ts',
  migrations: './migrations/index.ts',
};

/** These have files of their own, or are loaded only when needed. */
const UNBUNDLED = [
  '@electric-sql/pglite',
  '@fastify/swagger',
  '@node-rs/argon2',
  '@opentelemetry',
  '@simplewebauthn',
  '@zxcvbn-ts',
  'fxa-common-password-list',
  'pg-native',
];

/**
 * Builds the server unless it is built already; if there are migrations, each of some statements, a newer version that has
 * them. Returns the URL of the folder with its main.js.
 */
export async function buildServer(migrations: Record<string, readonly string[]> = {}): Promise<URL> {
  const newer = JSON.stringify(migrations);
  const hash = createHash('sha256')
    .update(newer)
    .update(readFileSync(fileURLToPath(import.meta.url)));
  for (const file of parts.flatMap((part) => sourcesBelow(join(root, part))))
    hash.update(relative(root, file)).update(readFileSync(file));
  hash.update(readFileSync(manifest)).update(readFileSync(join(root, 'package-lock.json')));
  const build = join(builds, hash.digest('hex').slice(0, 16));
  if (!existsSync(build)) await buildInto(build, newer);
  // As deep as the file that reads the version.
  return pathToFileURL(`${build}/server/src/platform/`);
}

async function buildInto(build: string, migrations: string): Promise<void> {
  removeOld();
  const { rolldown } = await import('rolldown');
  const unfinished = `${build}.${randomUUID()}`;
  mkdirSync(unfinished, { recursive: true });
  copyFileSync(manifest, join(unfinished, 'package.json'));
  const bundle = await rolldown({
    input: ENTRIES,
    cwd: join(root, 'server/src'),
    platform: 'node',
    external: (id) => UNBUNDLED.some((each) => id.startsWith(each)),
    resolve: { alias: { '@hourshare/contract': join(root, 'contract/src') } },
    plugins: [
      {
        name: 'newer-migrations',
        transform: (code, id) =>
          id.endsWith('server/src/migrations/index.ts') ? withMigrations(code, migrations) : null,
      },
    ],
  });
  await bundle.write({ dir: join(unfinished, 'server/src/platform'), chunkFileNames: 'part-[name].js' });
  await bundle.close();
  try {
    renameSync(unfinished, build);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another run may have finished the same build first.
    if (!existsSync(build)) throw error;
  }
}

function withMigrations(code: string, migrations: string): string {
  return `${code}
    import { sql } from 'kysely';
    for (const [name, statements] of Object.entries(${migrations}))
      migrations[name] = {
        async up(db) {
          for (const statement of statements) await sql.raw(statement).execute(db);
        },
      };`;
}

function removeOld(): void {
  if (!existsSync(builds)) return;
  for (const name of readdirSync(builds)) {
    const path = join(builds, name);
    if (Date.now() - statSync(path).mtimeMs > KEPT_MILLISECONDS) rmSync(path, { recursive: true, force: true });
  }
}

function sourcesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(
      ({ name, parentPath }) =>
        name.endsWith('.ts') && !name.endsWith('.test.ts') && !/[\\/]testing\b/.test(parentPath),
    )
    .map(({ name, parentPath }) => join(parentPath, name))
    .toSorted();
}

/** The folder of this version. */
export const builtServer = await buildServer();
