import { exampleHours, exampleMoney, exampleSplit } from './example.ts';

// Results of the example above. The page does not count or claim users.
const { priceCents, offeredHours, usedHours, memberCents } = exampleSplit();
const figures = [
  {
    figure: exampleMoney(memberCents),
    text: `of ${exampleMoney(priceCents)} come back to who pays, in the example above`,
  },
  { figure: exampleHours(usedHours), text: `used of ${exampleHours(offeredHours)} on offer, counted to the second` },
  { figure: '0 ¢', text: 'lost to rounding: the parts of every month add up to its price' },
];

export const StaticFigures = () => (
  <dl
    aria-label="The example in figures"
    className="mt-12 grid gap-x-8 gap-y-5 border-y border-line py-6 sm:grid-cols-3"
  >
    {figures.map(({ figure, text }) => (
      <div key={figure} className="flex flex-col-reverse justify-end">
        <dt className="mt-0.5 text-muted">{text}</dt>
        <dd className="figures font-display text-[28px] leading-tight font-bold">{figure}</dd>
      </div>
    ))}
  </dl>
);
