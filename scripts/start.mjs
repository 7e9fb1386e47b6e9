import { build } from './build.mjs';

// Builds what has changed and becomes the server, so that signals, exit code and memory are one process's.

if (!(await build())) process.exit(1);
await import(new URL('../server/dist/main.js', import.meta.url).href);
