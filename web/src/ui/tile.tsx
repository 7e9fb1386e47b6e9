import { getInitial } from './initial.ts';
import { findServiceMark } from './service-mark.ts';

/** A square with a service's mark, or a disc for a person; otherwise with an initial. */
export function Tile({
  name,
  shape = 'square',
}: {
  name: string;
  shape?: 'square' | 'small-square' | 'disc' | 'small-disc';
}) {
  const isSquare = shape === 'square' || shape === 'small-square';
  const look = isSquare
    ? `rounded-control bg-sunken text-ink font-display ${shape === 'square' ? 'size-10 text-[17px]' : 'size-8 text-[14px]'}`
    : `rounded-full bg-accent-soft text-accent-text ${shape === 'disc' ? 'size-9 text-[15px]' : 'size-8 text-[14px]'}`;
  const mark = isSquare ? findServiceMark(name) : null;
  return (
    <span aria-hidden className={`inline-flex shrink-0 items-center justify-center font-bold ${look}`}>
      {mark ? <span className={`mark mark-${mark}`} /> : getInitial(name)}
    </span>
  );
}
