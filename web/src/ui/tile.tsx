import { findGlyph } from './glyph.ts';
import { PictureBox, ServiceTile, tints, type PictureSize } from './service-tile.tsx';
import { findServiceMark, tintOfService } from './service-mark.ts';

interface TileProps {
  /** The name of an asset. */
  name: string;
  size?: PictureSize;
  className?: string;
}

/** Returns the mark of a known service, or a glyph guessed from the name, and the tint for either. */
function findPicture(name: string) {
  const mark = findServiceMark(name);
  return mark === null ? { mark, ...findGlyph(name) } : { mark, tint: tintOfService(mark) };
}

/** An asset's picture. */
export function Tile({ name, ...box }: TileProps) {
  const picture = findPicture(name);
  if (picture.mark !== null) return <ServiceTile mark={picture.mark} {...box} />;
  const { icon: Icon, tint } = picture;
  return (
    <PictureBox tint={tint} {...box}>
      <Icon />
    </PictureBox>
  );
}

/** Returns the colors of an asset's picture, for what is about this asset alone. */
export const tintOf = (name: string): string => tints[findPicture(name).tint];
