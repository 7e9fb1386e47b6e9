import { classes } from './class-names.ts';
import { findGlyph, type Tint } from './glyph.ts';
import { findServiceMark, tintOfService } from './service-mark.ts';

const tints: Record<Tint, string> = {
  watch: 'bg-watch text-watch-text',
  listen: 'bg-listen text-listen-text',
  work: 'bg-work text-work-text',
  store: 'bg-store text-store-text',
  move: 'bg-move text-move-text',
  learn: 'bg-learn text-learn-text',
};

const sizes = {
  badge: { box: 'size-[25px] rounded-[8px]', picture: 'size-3.5' },
  small: { box: 'size-8 rounded-[10px]', picture: 'size-4' },
  medium: { box: 'size-10 rounded-control', picture: 'size-5' },
  large: { box: 'size-12 rounded-tile', picture: 'size-6' },
  huge: { box: 'size-16 rounded-[18px]', picture: 'size-8' },
  /** In the middle of a ring. */
  disc: { box: 'size-16 rounded-full', picture: 'size-7' },
};

interface TileProps {
  /** The name of an asset. */
  name: string;
  size?: keyof typeof sizes;
  className?: string;
}

/** An asset's picture: the mark of a known service, else a glyph guessed from the name. */
export function Tile({ name, size = 'medium', className }: TileProps) {
  const { box, picture } = sizes[size];
  const mark = findServiceMark(name);
  const { icon: Icon, tint } = findGlyph(name);
  return (
    <span
      aria-hidden
      className={classes(
        'inline-flex shrink-0 items-center justify-center',
        box,
        tints[mark ? tintOfService(mark) : tint],
        className,
      )}
    >
      {mark ? <span className={`mark mark-${mark} ${picture}`} /> : <Icon className={picture} />}
    </span>
  );
}
