export { addGuest, findGuest } from './store.ts';
