import { classes } from './class-names.ts';

/** Returns the class names of an element with one child that collapses while it leaves; `useLeft` keeps it until then. */
export const collapse = (isLeaving: boolean): string =>
  classes(
    'grid grid-cols-[minmax(0,1fr)] transition-[grid-template-rows,opacity] duration-160',
    isLeaving ? 'grid-rows-[0fr] opacity-0 *:min-h-0 *:overflow-hidden' : 'grid-rows-[1fr]',
  );
