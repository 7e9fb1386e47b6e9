import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './processes.mjs';

// Writes the files that are made from other files. With `--check` it writes nothing and fails when one is stale.

/**
 * `make` answers the whole content, the same at every run on every machine. It imports from the built app, so the app
 * is built first.
 * @type {{ file: string, make: () => Promise<string> }[]}
 */
const GENERATED = [];

const check = process.argv.includes('--check');
for (const { file, make } of GENERATED) {
  const path = join(root, file);
  const content = await make();
  const isCurrent = existsSync(path) && readFileSync(path, 'utf8') === content;
  if (isCurrent) continue;
  if (check) {
    console.error(`${file} is stale: run "npm run generate" and commit it`);
    process.exitCode = 1;
  } else {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    console.log(`wrote ${file}`);
  }
}
console.log(`${GENERATED.length} generated ${GENERATED.length === 1 ? 'file' : 'files'}`);
