import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

// Compares what the browser loads for a page, compressed, with its budget: node web/budgets.mjs [folder of a build]
// Hand-written because size-limit adds up named files without following imports, or needs a browser.

/** A page has its static imports, and its catalog in the longest language. */
const PAGES = [
  { name: 'JavaScript of the landing page', chunk: 'landing-page', messages: 'public', maxKB: 130 },
  { name: 'JavaScript before the dashboard is usable', chunk: 'dashboard-page', messages: 'app', maxKB: 200 },
];
const MAX_CSS_KB = 22;

const dist = process.argv[2] ?? join(import.meta.dirname, 'dist');
const names = readdirSync(dist, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
const read = (/** @type {string} */ name) => readFileSync(join(dist, name), 'utf8');
/** The server sends files that are compressed the same way. @param {string[]} files */
const kB = (files) => files.reduce((sum, file) => sum + gzipSync(read(file), { level: 9 }).length / 1000, 0);

/** Returns scripts with all their static imports. @param {string[]} scripts */
function withImports(scripts) {
  const all = new Set(scripts);
  // Also visits the files that it adds.
  for (const script of all)
    for (const [, name = ''] of read(script).matchAll(/\b(?:from|import)\s*["'](\.[^"']+\.js)["']/g))
      all.add(join(dirname(script), name).replaceAll('\\', '/'));
  return [...all];
}

const isCatalog = (/** @type {string} */ name) => /\bmessages-[^/]+\.js$/.test(name);
const entries = [...read('index.html').matchAll(/<(?:script|link)\b[^>]*\b(?:src|href)="\/?([^"]+\.js)"/g)]
  .map(([, name = '']) => name)
  .filter((name) => !isCatalog(name));

/** @param {typeof PAGES[number]} page */
function filesOf({ chunk, messages }) {
  const found = names.filter((name) => new RegExp(`/${chunk}-[\\w-]{8}\\.js$`).test(name));
  if (found.length !== 1) throw new Error(`${found.length} chunks are named ${chunk}: is the page still lazy?`);
  const catalogs = names
    .filter((name) => isCatalog(name) && name.endsWith(`-${messages}.js`))
    .toSorted((one, other) => kB([other]) - kB([one]));
  return [...withImports([...entries, ...found]), ...catalogs.slice(0, 1)];
}

const budgets = PAGES.map((page) => ({ ...page, files: filesOf(page) }));
const css = names.filter((name) => name.endsWith('.css'));
for (const { name, files, maxKB } of [...budgets, { name: 'CSS', files: css, maxKB: MAX_CSS_KB }]) {
  console.log(`${name}: ${kB(files).toFixed(1)} kB of ${maxKB} kB`);
  if (kB(files) <= maxKB) continue;
  process.exitCode = 1;
  for (const file of files.toSorted((one, other) => kB([other]) - kB([one])).slice(0, 5))
    console.error(`  ${kB([file]).toFixed(1).padStart(7)} kB  ${file}`);
}
