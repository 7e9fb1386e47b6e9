import { classes } from './class-names.ts';
import { hueOf, type Hue } from './hue.ts';
import { getInitial } from './initial.ts';

const faces: Record<Hue | 'none', string> = {
  none: 'border-[1.5px] border-dashed border-line-field bg-surface text-muted',
  m1: 'bg-m1-soft text-m1-text',
  m2: 'bg-m2-soft text-m2-text',
  m3: 'bg-m3-soft text-m3-text',
  m4: 'bg-m4-soft text-m4-text',
  m5: 'bg-m5-soft text-m5-text',
  m6: 'bg-m6-soft text-m6-text',
  m7: 'bg-m7-soft text-m7-text',
  m8: 'bg-m8-soft text-m8-text',
};

const sizes = {
  tiny: 'size-5 text-[10px]',
  small: 'size-7 text-[12.5px]',
  medium: 'size-9 text-[15px]',
  large: 'size-12 text-[19px]',
  huge: 'size-18 text-[28px]',
};

export interface AvatarProps {
  name: string;
  /** As on the wire, or the id of the user; null for someone who has yet to join, or has left for good. */
  hue: number | null;
  size?: keyof typeof sizes;
  /** Uses something now. */
  live?: boolean;
  className?: string | undefined;
}

/** A person's face: their initial in their hue, which is the same everywhere. Their name stands beside it. */
export const Avatar = ({ name, hue, size = 'medium', live = false, className }: AvatarProps) => (
  <span
    aria-hidden
    className={classes(
      'inline-flex shrink-0 items-center justify-center rounded-full font-display font-bold',
      sizes[size],
      faces[hueOf(hue)],
      live && 'shadow-[0_0_0_2px_var(--surface),0_0_0_4.5px_var(--live)]',
      className,
    )}
  >
    {getInitial(name)}
  </span>
);

interface AvatarStackProps {
  people: (Pick<AvatarProps, 'name' | 'hue' | 'live'> & { key: string | number })[];
  size?: AvatarProps['size'];
}

/** Faces that overlap; someone who uses something now is in front. */
export const AvatarStack = ({ people, size = 'small' }: AvatarStackProps) => (
  <span aria-hidden className="flex [&>*+*]:-ms-2">
    {people.map(({ key, live = false, ...person }) => (
      <Avatar
        key={key}
        {...person}
        size={size}
        live={live}
        className={live ? 'z-1' : 'shadow-[0_0_0_2px_var(--surface)]'}
      />
    ))}
  </span>
);
