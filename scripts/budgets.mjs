import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { isMain, root } from './processes.mjs';

// Compares what the browser loads for a page, compressed, with its budget. A lazy page includes its static imports and its
// messages, which the browser fetches before it shows the page. Hand-written because size-limit adds up named files without
// following imports, or needs a browser.

/** @typedef {{ name: string, files: string[], maxKB: number }} Budget */

/** A page's chunk is named after its file in web/src/app/pages; `messages` is the group that its messages are in. */
const PAGES = [
  { name: 'JavaScript of the landing page', chunk: 'landing-page', messages: 'landing', maxKB: 130 },
  { name: 'JavaScript before the dashboard is usable', chunk: 'dashboard-page', messages: 'app', maxKB: 200 },
];
const MAX_CSS_KB = 20;

/** @param {string} dist @param {string} extension @returns {string[]} */
const filesOf = (dist, extension) =>
  readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(extension))
    .map((name) => join(dist, name));

/** `import … from "./x.js"`, `import "./x.js"` and `export … from "./x.js"`, but not `import("./x.js")`. @param {string} file */
function staticImports(file) {
  const code = readFileSync(file, 'utf8');
  return [...code.matchAll(/\b(?:from|import)\s*["'](\.[^"']+\.js)["']/g)].map(([, name]) =>
    join(dirname(file), String(name)),
  );
}

/** @param {string[]} entries @returns {string[]} the entries with all their static imports */
function withImports(entries) {
  const all = new Set(entries);
  // Also visits the files that it adds.
  for (const file of all) for (const imported of staticImports(file)) all.add(imported);
  return [...all];
}

/** @param {string} file */
const isCatalog = (file) => /[/\\]messages-[^/\\]+\.js$/.test(file);

/** Returns the catalogs of the language that needs most for a group, and for what it shows before. @param {string} dist @param {string} group */
function largestCatalogs(dist, group) {
  const found = filesOf(dist, `-${group}.js`)
    .filter(isCatalog)
    .map((file) => [file, file.replace(`-${group}.js`, '-base.js')].filter((each) => existsSync(each)));
  const bytes = (/** @type {string[]} */ files) => files.reduce((sum, file) => sum + sentBytes(file), 0);
  const [largest] = found.toSorted((one, other) => bytes(other) - bytes(one));
  if (largest) return largest;
  throw new Error(`expected catalogs messages-…-${group}.js below ${dist}, found none`);
}

/** @param {string} dist @returns {string[]} scripts that index.html starts or preloads */
function entryScripts(dist) {
  const html = readFileSync(join(dist, 'index.html'), 'utf8');
  return [...html.matchAll(/<(?:script|link)\b[^>]*\b(?:src|href)="\/?([^"]+\.js)"/g)].map(([, name]) =>
    join(dist, String(name)),
  );
}

/** @param {string} dist @param {string} name */
function chunk(dist, name) {
  const found = filesOf(dist, '.js').filter((file) => new RegExp(`[/\\\\]${name}-[\\w-]{8}\\.js$`).test(file));
  if (found.length === 1 && found[0]) return found[0];
  throw new Error(`expected one chunk ${name}-….js below ${dist}, found ${found.length}: is the page still lazy?`);
}

/** @param {string} dist @returns {Budget[]} */
function budgets(dist) {
  const entries = entryScripts(dist).filter((file) => !isCatalog(file));
  if (entries.length === 0) throw new Error('index.html starts no script');
  return [
    ...PAGES.map((page) => ({
      ...page,
      files: [...withImports([...entries, chunk(dist, page.chunk)]), ...largestCatalogs(dist, page.messages)],
    })),
    { name: 'CSS', files: filesOf(dist, '.css'), maxKB: MAX_CSS_KB },
  ];
}

/** The server sends files compressed the same way at build time. @param {string} file */
const sentBytes = (file) => gzipSync(readFileSync(file), { level: 9 }).length;

/** @param {string} dist @returns {{ name: string, kB: number, maxKB: number, files: { name: string, bytes: number }[] }[]} */
export function measure(dist) {
  return budgets(dist).map(({ name, files, maxKB }) => {
    const sizes = files.map((file) => ({ name: relative(dist, file), bytes: sentBytes(file) }));
    return { name, maxKB, kB: sizes.reduce((sum, { bytes }) => sum + bytes, 0) / 1000, files: sizes };
  });
}

if (isMain(import.meta.filename)) {
  const dist = process.argv[2] ?? join(root, 'web', 'dist');
  if (!existsSync(join(dist, 'index.html'))) {
    console.error(`${dist} contains no build: run "npm run build" first`);
    process.exit(1);
  }
  for (const { name, kB, maxKB, files } of measure(dist)) {
    console.log(`${name}: ${kB.toFixed(1)} kB of ${maxKB} kB`);
    if (kB <= maxKB) continue;
    process.exitCode = 1;
    console.error('  over budget; the largest files:');
    for (const file of files.toSorted((one, other) => other.bytes - one.bytes).slice(0, 5)) {
      console.error(`  ${(file.bytes / 1000).toFixed(1).padStart(7)} kB  ${file.name}`);
    }
  }
}
