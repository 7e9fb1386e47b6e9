import { classes } from './class-names.ts';

// Both shapes have four corners, so that one turns into the other.
const PLAY = '[clip-path:polygon(15%_0,100%_50%,100%_50%,15%_100%)]';
const STOP = 'rounded-[2.5px] [clip-path:polygon(0_0,100%_0,100%_100%,0_100%)]';

/** A play sign that turns into a filled stop sign while something runs. */
export const PlayStop = ({ running, large = false }: { running: boolean; large?: boolean }) => (
  <span
    aria-hidden
    className={classes(
      'shrink-0 bg-current transition-[clip-path,border-radius] duration-160',
      large ? 'size-4.5' : 'size-[11px]',
      'forced-color-adjust-none forced-colors:bg-[ButtonText]',
      running ? STOP : PLAY,
      running && large && 'rounded-[5px]!',
    )}
  />
);
