import { config } from 'zod';

// Zod probes for eval when a schema is defined, which violates the content security policy. The build puts this file in
// Zod's chunk (vite.config.ts), so that it runs before the first schema.
config({ jitless: true });
