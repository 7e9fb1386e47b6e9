import { join, sep } from 'node:path';
import { createServer as createVite } from 'vite';
import { freePort } from '../harness/free-port.mjs';
import { onSignal, root, run, tool } from './processes.mjs';

// Runs the app at PORT and reloads changes: Vite serves the web app and proxies /api to the server, changes in
// server/ or contract/ are compiled, and Node restarts the server. Hand-written because concurrently can't compile
// in between.

const COMPILED = ['contract', 'server'];

/** Returns whether both workspaces compiled. Types aren't checked, which would take ten times as long. */
async function compile() {
  for (const workspace of COMPILED) {
    const { code } = await run(tool('tsc'), ['-p', join(workspace, 'tsconfig.build.json'), '--noCheck']);
    if (code !== 0) return false;
  }
  return true;
}

/** @param {import('vite').ViteDevServer} vite */
function compileOnChange({ watcher }) {
  const folders = COMPILED.map((workspace) => join(root, workspace, 'src') + sep);
  let compiled = Promise.resolve(true);
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  watcher.add(folders);
  watcher.on('all', (_, file) => {
    if (!folders.some((folder) => file.startsWith(folder)) || !/(?<!\.test)\.ts$/.test(file)) return;
    clearTimeout(timer);
    // Compiles once for all files of a save or checkout.
    timer = setTimeout(() => void (compiled = compiled.then(compile)), 100);
  });
}

async function dev() {
  if (!(await compile())) process.exit(1);
  const { loadConfig } = await import(new URL('../server/dist/config.js', import.meta.url).href);
  const { PORT, HOST, APP_URL } = loadConfig(process.env);
  const serverPort = await freePort();
  const vite = await createVite({
    root: join(root, 'web'),
    server: { port: PORT, host: HOST, strictPort: true, proxy: { '/api': `http://127.0.0.1:${serverPort}` } },
  });
  onSignal(() => vite.close());
  await vite.listen();
  compileOnChange(vite);

  const address = APP_URL ?? vite.resolvedUrls?.local[0] ?? vite.resolvedUrls?.network[0];
  const env = { ...process.env, APP_URL: address, HOST: '127.0.0.1', PORT: String(serverPort) };
  const { code } = await run(process.execPath, ['--watch', '--watch-preserve-output', 'server/dist/main.js'], { env });
  process.exit(code);
}

await dev().catch((/** @type {unknown} */ error) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
});
