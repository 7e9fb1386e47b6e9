import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

// Compares what the browser loads for a page, compressed, with its budget: node web/budgets.mjs [folder of a build]
// Hand-written because size-limit adds up named files without following imports, or needs a browser.

/**
 * A page has its static imports, and its catalog in the longest language. Each file is a request: of the 20 that a cold
 * dashboard may take, 7 are scripts, up to 8 are calls, and 5 are the page, its style, its marks, and two fonts
 * (bench/page-loads.mjs).
 */
const PAGES = [
  {
    name: 'JavaScript of the landing page',
    page: 'index.html',
    chunks: ['landing-page'],
    messages: 'public',
    maxKB: 130,
    maxFiles: 4,
  },
  {
    name: 'JavaScript before the dashboard is usable',
    page: 'app.html',
    chunks: ['app'],
    messages: 'app',
    maxKB: 200,
    maxFiles: 5,
  },
  {
    name: 'JavaScript of the dashboard',
    page: 'app.html',
    chunks: ['app', 'later'],
    messages: 'app',
    maxKB: 210,
    maxFiles: 6,
  },
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
const entriesOf = (/** @type {string} */ page) =>
  [...read(page).matchAll(/<(?:script|link)\b[^>]*\b(?:src|href)="\/?([^"]+\.js)"/g)]
    .map(([, name = '']) => name)
    .filter((name) => !isCatalog(name));

/** @param {typeof PAGES[number]} budget */
function filesOf({ page, chunks, messages }) {
  const found = chunks.map((chunk) => {
    const [file, ...others] = names.filter((name) => new RegExp(`/${chunk}-[\\w-]{8}\\.js$`).test(name));
    if (file === undefined || others.length > 0) throw new Error(`not one chunk is named ${chunk}: is it still lazy?`);
    return file;
  });
  const catalogs = names
    .filter((name) => isCatalog(name) && name.endsWith(`-${messages}.js`))
    .toSorted((one, other) => kB([other]) - kB([one]));
  return [...withImports([...entriesOf(page), ...found]), ...catalogs.slice(0, 1)];
}

const budgets = PAGES.map((page) => ({ ...page, files: filesOf(page) }));
const css = names.filter((name) => name.endsWith('.css'));
for (const { name, files, maxKB, maxFiles } of [
  ...budgets,
  { name: 'CSS', files: css, maxKB: MAX_CSS_KB, maxFiles: 1 },
]) {
  console.log(`${name}: ${kB(files).toFixed(1)} kB of ${maxKB} kB, ${files.length} of ${maxFiles} files`);
  if (kB(files) <= maxKB && files.length <= maxFiles) continue;
  process.exitCode = 1;
  for (const file of files.toSorted((one, other) => kB([other]) - kB([one])))
    console.error(`  ${kB([file]).toFixed(1).padStart(7)} kB  ${file}`);
}
