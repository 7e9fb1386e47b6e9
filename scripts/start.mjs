import { build } from './build.mjs';

// Builds what has changed and becomes the server: one process, so that signals, exit code and memory are the server's own.

if (!(await build())) process.exit(1);
await import(new URL('../server/dist/main.js', import.meta.url).href);
