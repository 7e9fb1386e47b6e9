import { build } from './build.mjs';

// Builds what has changed and becomes the administrator's command.

if (!(await build())) process.exit(1);
await import(new URL('../server/dist/admin.js', import.meta.url).href);
