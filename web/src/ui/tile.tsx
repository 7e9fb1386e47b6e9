import { initialOf } from '../lib/formatting.ts';

/** The square that stands for a thing, or the disc that stands for a person, by its initial. */
export function Tile({ name, shape = 'square' }: { name: string; shape?: 'square' | 'disc' | 'small-disc' }) {
  const look =
    shape === 'square'
      ? 'size-10 rounded-control bg-sunken text-ink text-[17px] font-display'
      : `rounded-full bg-accent-soft text-accent-text ${shape === 'disc' ? 'size-9 text-[15px]' : 'size-8 text-[14px]'}`;
  return (
    <span aria-hidden className={`inline-flex shrink-0 items-center justify-center font-bold ${look}`}>
      {initialOf(name)}
    </span>
  );
}
