export { StartupError } from './database/startup-error.ts';
