import { randomBytes } from 'node:crypto';
import { appendFile, cp, rm } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import { builtServer } from './built-server.ts';

/**
 * Builds a newer version of the server until the test ends, with more migrations, each of some statements. Returns the URL of the
 * folder with its main.js.
 */
export async function buildNewerServer(migrations: Record<string, readonly string[]>): Promise<URL> {
  const folder = fileURLToPath(new URL('../../', builtServer())).replace(/\/$/, '');
  const newer = `${folder}.newer.${randomBytes(6).toString('hex')}`;
  onTestFinished(() => rm(newer, { recursive: true, force: true }));
  await cp(folder, newer, { recursive: true, verbatimSymlinks: true });
  await appendFile(
    `${newer}/server/src/migrations/index.js`,
    `import { sql } from 'kysely';
    for (const [name, statements] of Object.entries(${JSON.stringify(migrations)}))
      migrations[name] = {
        async up(db) {
          for (const statement of statements) await sql.raw(statement).execute(db);
        },
      };`,
  );
  return pathToFileURL(`${newer}/server/src/`);
}
