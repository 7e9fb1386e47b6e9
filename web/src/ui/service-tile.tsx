import type { ReactNode } from 'react';
import { classes } from './class-names.ts';
import { tintOfService, type Tint } from './service-mark.ts';

export const tints: Record<Tint, string> = {
  watch: 'bg-watch text-watch-text',
  listen: 'bg-listen text-listen-text',
  work: 'bg-work text-work-text',
  store: 'bg-store text-store-text',
  move: 'bg-move text-move-text',
  learn: 'bg-learn text-learn-text',
};

const sizes = {
  badge: 'size-[25px] rounded-[8px] *:size-3.5',
  small: 'size-8 rounded-[10px] *:size-4',
  medium: 'size-10 rounded-control *:size-5',
  large: 'size-12 rounded-tile *:size-6',
  huge: 'size-16 rounded-[18px] *:size-8',
  /** In the middle of a ring. */
  disc: 'size-16 rounded-full *:size-7',
};

export type PictureSize = keyof typeof sizes;

interface PictureBoxProps {
  tint: Tint;
  size?: PictureSize | undefined;
  className?: string | undefined;
  children: ReactNode;
}

/** The tinted square that an asset's picture is in. */
export const PictureBox = ({ tint, size = 'medium', className, children }: PictureBoxProps) => (
  <span
    aria-hidden
    className={classes('inline-flex shrink-0 items-center justify-center', sizes[size], tints[tint], className)}
  >
    {children}
  </span>
);

interface ServiceTileProps {
  /** One of `markedServices`. */
  mark: string;
  size?: PictureSize | undefined;
  className?: string | undefined;
}

/** The picture of a known service. The landing page has only these, so that it doesn't load the glyphs. */
export const ServiceTile = ({ mark, ...box }: ServiceTileProps) => (
  <PictureBox tint={tintOfService(mark)} {...box}>
    <span className={`mark mark-${mark}`} />
  </PictureBox>
);
