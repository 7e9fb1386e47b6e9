import { execFile } from 'node:child_process';
import { appendFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { injectManifest } from '@serwist/build';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { build, defaultClientConditions, defineConfig, type Plugin, type Rolldown } from 'vite';
import { readMessages } from './messages.mjs';
import type { RenderedPage } from './src/app/public-pages.ts';

/** The licenses of everything in the built app, linked from About. */
const LICENSES = 'licenses.txt';

/** The service worker, whose folder is its scope. */
const WORKER = 'service-worker.js';

/** Public pages aren't among them: the server adds its address to their head, and compresses them when it sends them. */
const COMPRESSED = /\.(?:css|js|json|map|svg|txt|webmanifest)$|^app\.html$/;

/** Compresses files once at build time, so that the server only picks a variant. */
function compressFiles(): Plugin {
  return {
    name: 'compressed-siblings',
    apply: 'build',
    // Runs last, after plugins that write their own files, and only if the build succeeded.
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler({ dir = '' }) {
        const names = await readdir(dir, { recursive: true });
        await Promise.all(
          names
            .filter((name) => COMPRESSED.test(name))
            .map(async (name) => {
              const path = join(dir, name);
              const content = await readFile(path);
              await writeFile(`${path}.gz`, gzipSync(content, { level: 9 }));
              const params = {
                [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
                [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
              };
              await writeFile(`${path}.br`, brotliCompressSync(content, { params }));
            }),
        );
      },
    },
  };
}

/** The file names of catalogs, up to the language. */
const catalogsPrefix = (messages: Messages) => `static/messages-${messages.hash}-`;

type Messages = ReturnType<typeof readMessages>;

/** Replaces messages with short ids, and tells platform/i18n/messages.ts where the catalogs are. */
function messageIds(messages: Messages, catalogs: string): Plugin {
  return {
    name: 'message-ids',
    // Before other plugins, because positions refer to the original source.
    enforce: 'pre',
    apply: 'build',
    config: () => ({
      define: { CATALOGS: JSON.stringify(catalogs), BASE_MESSAGES: JSON.stringify(messages.base) },
    }),
    transform: {
      filter: { id: /\/(?:web\/src\/.*\.tsx?|contract\/src\/sentences\.ts)$/ },
      handler: (code, id) => messages.replaceIn(id, code),
    },
  };
}

/** Writes the catalogs of each language. */
function messageCatalogs(messages: Messages): Plugin {
  return {
    name: 'message-catalogs',
    apply: 'build',
    generateBundle() {
      for (const { name, code } of messages.catalogs)
        this.emitFile({ type: 'asset', fileName: `${catalogsPrefix(messages)}${name}`, source: code });
    },
  };
}

interface Rendered {
  pages: RenderedPage[];
  /** What the empty page shows someone who is signed in. */
  frame: string;
}

/** Renders the public pages with a separate build: for Node, but with browser code. */
async function renderPages(root: string, messages: Messages, dist: string): Promise<Rendered> {
  const outDir = join(root, '..', '.cache', 'prerender');
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [messageIds(messages, pathToFileURL(join(dist, catalogsPrefix(messages))).href), react()],
    // The router registers itself on `self` for its developer tools, which Node lacks.
    define: { 'self.__TSR_ROUTER__': 'globalThis.__TSR_ROUTER__' },
    ssr: { noExternal: true, resolve: { conditions: ['source', ...defaultClientConditions] } },
    build: { ssr: 'src/prerender.tsx', outDir, emptyOutDir: true, target: 'es2023', copyPublicDir: false },
  });
  // In a separate process: browser code leaves a channel open that would keep this one running.
  const url = pathToFileURL(join(outDir, 'prerender.js')).href;
  const render = `const { renderFrame, renderPages } = await import(${JSON.stringify(url)});
    const rendered = { frame: renderFrame(), pages: await renderPages() };
    process.stdout.write(JSON.stringify(rendered), () => process.exit());`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', render]);
  const rendered: Rendered = JSON.parse(stdout);
  return rendered;
}

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

function replacePart(html: string, pattern: RegExp, replacement: string): string {
  if (!pattern.test(html)) throw new Error(`index.html has no ${String(pattern)}`);
  return html.replace(pattern, () => replacement);
}

const RUNTIME = /\/rolldown-runtime-[\w-]+\.js$/;

/**
 * Puts the bundler's own functions, which it gives a file of their own, into the script that every page loads first. A script that
 * doesn't import that one keeps the file: its name wouldn't change with the other's.
 */
function mergeRuntime(): Plugin {
  return {
    name: 'merged-runtime',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => replacePart(html, /\s*<script [^>]*\/rolldown-runtime-[^>]*><\/script>/, ''),
    },
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const base = chunks.find(({ name }) => name === 'base');
      const runtime = chunks.find(({ fileName }) => RUNTIME.test(fileName));
      const [, body, names] = /^(.*)export\{([^}]+)\};?\s*$/s.exec(runtime?.code ?? '') ?? [];
      if (!base || !runtime || body === undefined || names === undefined) throw new Error('The runtime has changed');
      const asProperties = (list: string) => list.replaceAll(/([\w$]+) as ([\w$]+)/g, '$2:$1');
      const statement = new RegExp(`import\\{([^}]+)\\}from"\\./${basename(runtime.fileName)}";`);
      for (const chunk of chunks) {
        const [found = '', imported = ''] = statement.exec(chunk.code) ?? [];
        if (found === '' || !(chunk === base || chunk.imports.includes(base.fileName))) continue;
        // An import has the names the other way around.
        const taken = `const{${imported.replaceAll(' as ', ':')}}=bundlerRuntime;`;
        chunk.code = chunk.code.replace(found, () =>
          chunk === base
            ? `export const bundlerRuntime=(()=>{${body}return{${asProperties(names)}}})();${taken}`
            : `import{bundlerRuntime}from"./${basename(base.fileName)}";${taken}`,
        );
      }
    },
  };
}

/** Returns the scripts a page needs at start, so that the browser can load them in parallel. */
function findPageScripts(bundle: Rolldown.OutputBundle, name: string): string[] {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const page = chunks.find((chunk) => chunk.facadeModuleId?.endsWith(`/pages/${name}-page.tsx`));
  if (!page) throw new Error(`The page ${name} has no chunk of its own`);
  const names = new Set([page.fileName]);
  for (const each of names)
    for (const next of chunks.find(({ fileName }) => fileName === each)?.imports ?? []) names.add(next);
  return [...names].filter((each) => !RUNTIME.test(each));
}

/** Returns the scripts and messages that a page needs at start, besides those that every page starts. */
function pageScripts(messages: Messages, bundle: Rolldown.OutputBundle, page: RenderedPage): string[] {
  const groups = new Set(['public', page.messages]);
  const catalogs = [...groups].map((group) => `${catalogsPrefix(messages)}${page.language}-${group}.js`);
  return [...findPageScripts(bundle, page.name), ...catalogs];
}

/** Returns what tells first-paint.ts what someone who is signed in needs. */
function earlyScripts(messages: Messages, bundle: Rolldown.OutputBundle): string {
  const names = Object.values(bundle).flatMap((file) =>
    file.type === 'chunk' && ['common', 'app'].includes(file.name) ? `/${file.fileName}` : [],
  );
  if (names.length !== 2) throw new Error(`The chunks common and app are needed, not ${names.join(', ')}`);
  const languages = new Set(messages.catalogs.map(({ language }) => language));
  const data = { scripts: names, catalogs: [`/${catalogsPrefix(messages)}`], languages: [...languages] };
  return Object.entries(data)
    .map(([name, values]) => `data-${name}="${values.join(' ')}"`)
    .join(' ');
}

const FIRST_PAINT = /(?<=<script src="[^"]*first-paint[^"]*")/;
const EMPTY_ROOT = /<div id="root"><\/div>/;

/** Fills the empty page with a public one. Addresses have no host, because the build doesn't know it. */
function pageHtml(shell: string, page: RenderedPage, scripts: string[]): string {
  const { language, region } = new Intl.Locale(page.language).maximize();
  const links = [
    `<link rel="canonical" href="${page.address}" />`,
    ...page.alternates.map((each) => `<link rel="alternate" hreflang="${each.language}" href="${each.address}" />`),
    `<link rel="alternate" hreflang="x-default" href="${page.alternates[0]?.address}" />`,
    `<meta property="og:locale" content="${language}_${region}" />`,
  ];
  const preloads = scripts
    .filter((script) => !shell.includes(script))
    .map((script) => `<link rel="modulepreload" crossorigin href="/${script}">`);
  const head = `${links.join('\n    ')}\n    <title>${escapeHtml(page.title)}</title>`;
  let html = replacePart(shell, /<html lang="en" dir="ltr">/, `<html lang="${page.language}" dir="${page.dir}">`);
  // Before the script that runs before the first paint, which reads them.
  html = replacePart(html, /<title>.*<\/title>/, head);
  for (const [name, text] of [
    ['name="description"', page.description],
    ['property="og:title"', page.title],
    ['property="og:description"', page.description],
  ] as const)
    html = replacePart(html, new RegExp(`(?<=<meta\\s+${name}\\s+content=")[^"]*`), escapeHtml(text));
  html = replacePart(html, /\s*<noscript>.*<\/noscript>/s, '');
  html = replacePart(html, EMPTY_ROOT, `<div id="root" data-page="${page.address}">${page.html}</div>`);
  return replacePart(html, /<\/head>/, `${preloads.join('\n  ')}\n  </head>`);
}

/**
 * Renders each public page to an HTML file for each language; index.html is the English landing page. app.html is the page for all
 * other paths, with the frame alone.
 */
function prerenderPages(messages: Messages): Plugin {
  let root = '';
  return {
    name: 'prerendered-pages',
    apply: 'build',
    configResolved(config) {
      ({ root } = config);
    },
    // A classic script in the head, so that it runs before the first paint.
    transformIndexHtml: (_html, { bundle = {} }) => {
      const firstPaint = Object.keys(bundle).find((name) => name.includes('first-paint'));
      return firstPaint === undefined ? [] : [{ tag: 'script', attrs: { src: `/${firstPaint}` }, injectTo: 'head' }];
    },
    async writeBundle({ dir = '' }, bundle) {
      const shell = await readFile(join(dir, 'index.html'), 'utf8');
      const { pages, frame } = await renderPages(root, messages, dir);
      const app = replacePart(shell, EMPTY_ROOT, `<div id="root">${frame}</div>`);
      await writeFile(join(dir, 'app.html'), replacePart(app, FIRST_PAINT, ` ${earlyScripts(messages, bundle)}`));
      for (const page of pages) {
        const file = join(dir, page.address === '/' ? 'index.html' : `${page.address}.html`);
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, pageHtml(shell, page, pageScripts(messages, bundle, page)));
      }
    },
  };
}

/** What the app of someone who is signed in doesn't need without a connection. */
const NOT_PRECACHED = [
  'messages-*',
  'landing-page-*',
  'about-page-*',
  'privacy-page-*',
  'terms-page-*',
  'styleguide-*',
];

/** Builds the service worker with the list of files that it keeps (docs/decisions/0090-offline.md). */
function serviceWorker(messages: Messages): Plugin {
  let root = '';
  return {
    name: 'service-worker',
    apply: 'build',
    configResolved(config) {
      ({ root } = config);
    },
    // After the pages, of which it keeps the empty one.
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler({ dir = '' }) {
        const outDir = join(root, '..', '.cache', 'service-worker');
        const catalogs: Record<string, string[]> = {};
        for (const { language, name } of messages.catalogs)
          (catalogs[language] ??= []).push(`/${catalogsPrefix(messages)}${name}`);
        await build({
          root,
          configFile: false,
          logLevel: 'warn',
          // The only function that Serwist takes from there.
          resolve: { alias: { '@serwist/utils': join(root, 'src/platform/offline/parallel.ts') } },
          define: { CATALOG_FILES: JSON.stringify(catalogs), 'process.env.NODE_ENV': '"production"' },
          build: {
            outDir,
            emptyOutDir: true,
            target: 'es2023',
            copyPublicDir: false,
            license: { fileName: LICENSES },
            rolldownOptions: {
              input: 'src/service-worker.ts',
              output: { format: 'iife', entryFileNames: WORKER },
            },
          },
        });
        await injectManifest({
          swSrc: join(outDir, WORKER),
          swDest: join(dir, WORKER),
          globDirectory: dir,
          globPatterns: ['app.html', 'static/*.{js,css,woff2,svg}'],
          globIgnores: NOT_PRECACHED.map((name) => `static/${name}`),
          dontCacheBustURLsMatching: /^static\//,
          modifyURLPrefix: { '': '/' },
        });
        const licenses = await readFile(join(outDir, LICENSES), 'utf8');
        await appendFile(join(dir, LICENSES), licenses.replace(/^# Licenses[^#]*/, '\n'));
      },
    },
  };
}

/** Adds the licenses of fonts and other files; Vite's own list covers only scripts. */
function appendFileLicenses(): Plugin {
  let root = '';
  return {
    name: 'licenses-of-files',
    apply: 'build',
    configResolved(config) {
      ({ root } = config);
    },
    async writeBundle({ dir = '' }, bundle) {
      const sources = Object.values(bundle).flatMap((file) => (file.type === 'asset' ? file.originalFileNames : []));
      const folders = sources.map((source) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(source)?.[0]);
      // Part of every style sheet, and of the marks, without a separate file.
      folders.push('../node_modules/tailwindcss', '../node_modules/simple-icons');
      for (const folder of new Set(folders.filter((each) => each !== undefined))) {
        const path = join(root, folder);
        const manifest: { name: string; version: string; license: string } = JSON.parse(
          await readFile(join(path, 'package.json'), 'utf8'),
        );
        const file = (await readdir(path)).find((name) => /^(?:licen[cs]e|copying)/i.test(name));
        if (file === undefined) throw new Error(`${manifest.name} ships files, but not the license they come under`);
        const text = await readFile(join(path, file), 'utf8');
        const heading = `## ${manifest.name} - ${manifest.version} (${manifest.license})`;
        await appendFile(join(dir, LICENSES), `\n${heading}\n\n${text.trim()}\n`);
      }
    },
  };
}

// Groups what pages need together into a few chunks, because over HTTP/1.1, each round of six
// small requests costs a round trip. A group includes everything its members import, but for what is in one with a higher
// priority.
const BASE =
  /lucide-react\/dist\/esm\/(?!icons)|lucide-react\/dist\/esm\/icons\/play\.|node_modules\/(?:react|react-dom|scheduler|use-sync-external-store|@tanstack\/(?:react-router|router-core|history|store|react-store))\/|accounts\/pending-logout\.|src\/platform\/(?:auth\/(?:sign-in|use-user)|i18n\/(?:language|messages)|paths|log)\.|node_modules\/icu-minify\/|src\/platform\/use-settled\.|src\/ui\/(?:page-title|toasts|initial|avatar|brand|button|class-names|spinner|badge|service-tile|swatch|hue|play-stop|session-button)\./;
// All are imported through one file, so imports don't tell which page needs which.
const ICONS = /lucide-react\/dist\/esm\/icons\//;

// Runs before any file that defines a schema.
const ZOD = /node_modules\/zod\/|src\/platform\/forms\/zod-without-eval\./;

const source = (file: string) => join(import.meta.dirname, 'src', file);
const MAIN = source('main.tsx');
const APP = ['app/layout/signed-in-frame.tsx', 'app/pages/dashboard/dashboard-page.tsx'].map(source);
const SIGN_IN_PAGES = ['login', 'register'].map((name) => source(`app/pages/${name}-page.tsx`));
/** What the dashboard loads while it reads its lists, in one request: some parts only concern those who wait for something. */
const LATER = [
  'app/live/live-updates.tsx',
  'app/layout/offline.tsx',
  'app/inbox/waiting-list.tsx',
  'app/inbox/near-renewals.tsx',
].map(source);
const DIALOGS = ['dialog', 'confirm-dialog'].map((name) => source(`ui/${name}.tsx`));

/** What every page needs. The router's index imports what guards unsaved changes, which few pages do. */
const nameBase = (id: string, graph: Rolldown.ChunkingContext) =>
  !/\/useBlocker\./.test(id) && (BASE.test(id) || imported([MAIN], graph).has(id)) ? 'base' : null;

/** What the dashboard, with what comes after it, shares with the pages before it. */
const nameCommon = (id: string, graph: Rolldown.ChunkingContext) =>
  imported(SIGN_IN_PAGES, graph).has(id) && imported([...APP, ...LATER], graph).has(id) ? 'common' : null;

/** Names a group with some modules and what else they import, but for what the pages before the dashboard need. */
const nameWith = (name: string, modules: string[]) => (id: string, graph: Rolldown.ChunkingContext) =>
  imported(modules, graph).has(id) && !imported(SIGN_IN_PAGES, graph).has(id) ? name : null;

/** Returns some modules with all that they import before they run, except lucide-react, whose index imports every icon. */
function imported(modules: string[], graph: Rolldown.ChunkingContext): Set<string> {
  const all = new Set(modules);
  // Also visits the modules that it adds.
  for (const id of all)
    for (const next of graph.getModuleInfo(id)?.importedIds ?? []) if (!/lucide-react/.test(next)) all.add(next);
  return all;
}

// The caller's NODE_ENV must not put React's development build into production.
export default defineConfig(({ command }) => {
  const forBuild: Plugin[] = [];
  if (command === 'build') {
    process.env['NODE_ENV'] = 'production';
    const messages = readMessages(import.meta.dirname);
    forBuild.push(
      messageIds(messages, `/${catalogsPrefix(messages)}`),
      messageCatalogs(messages),
      prerenderPages(messages),
      appendFileLicenses(),
      mergeRuntime(),
      serviceWorker(messages),
      compressFiles(),
    );
  }
  return {
    root: import.meta.dirname,
    plugins: [react(), tailwindcss(), ...forBuild],
    resolve: {
      // Uses the contract's TypeScript directly, so that it needs no build first.
      conditions: ['source', ...defaultClientConditions],
      // React itself has what these libraries bring along for React 17.
      alias: [
        { find: /^use-sync-external-store\/shim$/, replacement: 'react' },
        { find: /^(use-sync-external-store)\/shim\/(with-selector)$/, replacement: '$1/$2' },
      ],
    },
    build: {
      outDir: 'dist',
      emptyOutDir: true,
      license: { fileName: LICENSES },
      // Not 'assets', because /assets is a page of this app.
      assetsDir: 'static',
      // The content security policy allows fonts and scripts only from files.
      assetsInlineLimit: 0,
      target: 'es2023',
      modulePreload: {
        polyfill: false,
        resolveDependencies: (_file, needed) => needed.filter((each) => !RUNTIME.test(`/${each}`)),
      },
      rolldownOptions: {
        input: { main: join(import.meta.dirname, 'index.html'), 'first-paint': 'src/first-paint.ts' },
        output: {
          codeSplitting: {
            groups: [
              { name: nameBase, priority: 7 },
              { name: 'zod', test: ZOD, priority: 6 },
              { name: nameCommon, priority: 5 },
              { name: nameWith('app', APP), priority: 4 },
              { name: nameWith('dialogs', DIALOGS), priority: 3 },
              { name: nameWith('later', LATER), priority: 1 },
              { name: 'icons', test: ICONS, minShareCount: 2 },
            ],
          },
        },
      },
    },
  };
});
