import { findGlyph } from './glyph.ts';
import { PictureBox, ServiceTile, tints, type PictureSize } from './service-tile.tsx';
import { findServiceMark, tintOfService } from './service-mark.ts';

interface TileProps {
  /** The name of an asset. */
  name: string;
  size?: PictureSize;
  className?: string;
}

/** An asset's picture: the mark of a known service, else a glyph guessed from the name. */
export function Tile({ name, ...box }: TileProps) {
  const mark = findServiceMark(name);
  if (mark) return <ServiceTile mark={mark} {...box} />;
  const { icon: Icon, tint } = findGlyph(name);
  return (
    <PictureBox tint={tint} {...box}>
      <Icon />
    </PictureBox>
  );
}

/** Returns the colors of an asset's picture, for what is about this asset alone. */
export function tintOf(name: string): string {
  const mark = findServiceMark(name);
  return tints[mark ? tintOfService(mark) : findGlyph(name).tint];
}
