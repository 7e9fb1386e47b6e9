import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';

const TEXT_FILE = /\.(?:css|html|js|json|map|svg|txt|webmanifest)$/;

/** Compresses once at build time, as hard as possible, so that the server only picks a file. */
function compressedSiblings(): Plugin {
  let folder = '';
  return {
    name: 'compressed-siblings',
    apply: 'build',
    configResolved(config) {
      folder = join(config.root, config.build.outDir);
    },
    async closeBundle() {
      const names = await readdir(folder, { recursive: true });
      await Promise.all(
        names
          .filter((name) => TEXT_FILE.test(name))
          .map(async (name) => {
            const path = join(folder, name);
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
  };
}

// What every page needs comes as one file, so do the calls and the cache. Left alone, each module that two pages share
// would be a file of its own, and many small requests start a page late. Only leaves and libraries belong here: a group
// takes along whatever its members import.
const BASE =
  /lucide-react\/dist\/esm\/(?!icons)|node_modules\/(?:react|react-dom|scheduler|use-sync-external-store|@tanstack\/(?:react-router|router-core|history|store|react-store))\/|src\/lib\/(?:sign-in|use-sign-in|page-title|announcements|formatting)\.|src\/ui\/(?:button|class-names|spinner|badge|tile|progress)\./;
const HTTP =
  /src\/lib\/(?:http|http-errors|refresh|transmit|idempotency|random-id|server-clock|log|time)\.|accounts\/api\./;
const DATA = /node_modules\/@tanstack\/(?:query-core|react-query)\/|src\/lib\/(?:endpoint-query|lists|query-client)\./;

// A NODE_ENV that the caller happens to have must not put React's development build into what people download.
export default defineConfig(({ command }) => {
  if (command === 'build') process.env['NODE_ENV'] = 'production';
  return {
    root: import.meta.dirname,
    plugins: [react(), tailwindcss(), compressedSiblings()],
    resolve: {
      // The contract's TypeScript is used as it stands, so that it needs no build of its own first.
      conditions: ['source', ...defaultClientConditions],
    },
    build: {
      outDir: 'dist',
      // Not 'assets': /assets is a page of this app.
      assetsDir: 'static',
      // The content security policy allows fonts and scripts only from files.
      assetsInlineLimit: 0,
      target: 'es2023',
      modulePreload: { polyfill: false },
      rolldownOptions: {
        output: {
          codeSplitting: {
            groups: [
              { name: 'base', test: BASE, priority: 3 },
              { name: 'http', test: HTTP, priority: 2 },
              { name: 'data', test: DATA, priority: 1 },
            ],
          },
        },
      },
    },
    server: {
      host: '127.0.0.1',
      proxy: { '/api': 'http://127.0.0.1:3000' },
    },
  };
});
