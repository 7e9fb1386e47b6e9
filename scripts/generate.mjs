import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { apiPage, configurationPage, openApiFile } from './generated-docs.mjs';
import { schemaFile } from './generated-schema.mjs';
import { root } from './processes.mjs';

// Writes the files that are made from other files. With `--check` it writes nothing and fails when one is stale.

/**
 * `make` answers the whole content, the same at every run on every machine. It imports from the built app, so the app
 * is built first.
 * @type {{ file: string, make: () => Promise<string> }[]}
 */
const GENERATED = [
  { file: 'docs/configuration.md', make: configurationPage },
  { file: 'docs/openapi.json', make: openApiFile },
  { file: 'docs/api.md', make: apiPage },
  { file: 'server/src/schema.ts', make: schemaFile },
];

/**
 * @param {typeof GENERATED} entries
 * @param {{ folder: string, check: boolean }} options
 * @returns {Promise<string[]>} the files that were stale: written, or with `check` only found
 */
export async function generate(entries, { folder, check }) {
  const stale = [];
  for (const { file, make } of entries) {
    const path = join(folder, file);
    const content = await make();
    if (existsSync(path) && readFileSync(path, 'utf8') === content) continue;
    stale.push(file);
    if (check) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  return stale;
}

if (process.argv[1] === import.meta.filename) {
  const check = process.argv.includes('--check');
  const stale = await generate(GENERATED, { folder: root, check });
  for (const file of stale)
    console.log(check ? `${file} is stale: run "npm run generate" and commit it` : `wrote ${file}`);
  console.log(`${GENERATED.length} generated files, ${stale.length} ${check ? 'stale' : 'written'}`);
  process.exitCode = check && stale.length > 0 ? 1 : 0;
}
