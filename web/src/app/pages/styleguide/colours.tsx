import { Specimen, Specimens } from './specimen.tsx';

const grounds = [
  ['canvas', 'bg-canvas text-ink'],
  ['surface', 'bg-surface text-ink'],
  ['raised', 'bg-raised text-ink'],
  ['sunken', 'bg-sunken text-ink'],
  ['muted', 'bg-surface text-muted'],
] as const;

const meanings = [
  ['accent', 'bg-accent text-accent-ink'],
  ['accent-soft', 'bg-accent-soft text-accent-text'],
  ['live', 'bg-live text-live-ink'],
  ['live-soft', 'bg-live-soft text-live-text'],
  ['over', 'bg-over text-over-ink'],
  ['over-soft', 'bg-over-soft text-over-text'],
  ['calm', 'bg-calm text-ink'],
] as const;

// In order, with their patterns.
const members = [
  'bg-m1 text-accent-ink',
  'bg-m2 pattern-stripes',
  'bg-m3 pattern-dots',
  'bg-m4 pattern-bars',
  'bg-m5 pattern-stripes-back',
  'bg-m6 pattern-lines',
  'bg-m7 pattern-grid',
  'bg-m8 pattern-crosses',
];

const Colour = ({ name, look }: { name: string; look: string }) => (
  <span className={`inline-flex h-16 w-32 items-end rounded-control border border-line p-2 text-[13.5px] ${look}`}>
    {name}
  </span>
);

export const Colours = () => (
  <Specimens title="Colours">
    <Specimen name="Grounds">
      {grounds.map(([name, look]) => (
        <Colour key={name} name={name} look={look} />
      ))}
    </Specimen>
    <Specimen name="Meanings">
      {meanings.map(([name, look]) => (
        <Colour key={name} name={name} look={look} />
      ))}
    </Specimen>
    <Specimen name="Members">
      {members.map((look, index) => (
        <Colour key={look} name={`m${index + 1}`} look={look} />
      ))}
    </Specimen>
    <Specimen name="Type">
      <span className="font-display text-[30px] font-bold tracking-[-0.01em]">First heading</span>
      <span className="font-display text-[19px] font-bold">Second heading</span>
      <span className="font-semibold">Third heading</span>
      <span>Text</span>
      <span className="text-[13.5px] text-muted">Beside it</span>
      <span className="figures">0:11:11 $11.10 12.5 h</span>
    </Specimen>
  </Specimens>
);
