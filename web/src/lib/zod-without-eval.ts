import { config } from 'zod';

// Zod tests for eval when a schema is defined, which the content security policy forbids and browsers report. The build
// puts this file into the chunk of Zod (vite.config.ts), so that it runs before the first schema.
config({ jitless: true });
