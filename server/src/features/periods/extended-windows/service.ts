export { extendWindows, isTooLate } from './store.ts';
