import { build } from './build.mjs';

// Builds what has changed and becomes the server, so that signals, exit code and memory are one process's.

if (!(await build())) process.exit(1);
try {
  await import(new URL('../server/dist/main.js', import.meta.url).href);
} catch (error) {
  if (!(error instanceof Error) || !error.message.startsWith('Cannot find package')) throw error;
  console.error(
    `Packages that HourShare needs are missing; run "npm ci" (${error.message.replace(/ imported from .*/s, '')}).`,
  );
  process.exit(1);
}
