import { t } from '../../platform/i18n/messages.ts';
import { exampleHours, exampleMoney, type ExampleSplit } from './example.ts';

// Results of the example above. The page does not count or claim users.
function figures({ priceCents, offeredHours, usedHours, memberCents }: ExampleSplit) {
  return [
    {
      figure: exampleMoney(memberCents),
      text: t('of {price} recovered by the owner in this example', { price: exampleMoney(priceCents) }),
    },
    {
      figure: exampleHours(usedHours),
      text: t('used of {hours} available, counted to the second', { hours: exampleHours(offeredHours) }),
    },
    { figure: t('0¢'), text: t('lost to rounding. Every split adds up exactly.') },
  ];
}

export const StaticFigures = ({ split }: { split: ExampleSplit }) => (
  <dl
    aria-label={t('The example in figures')}
    className="mt-12 grid gap-x-8 gap-y-5 border-y border-line py-6 sm:grid-cols-3"
  >
    {figures(split).map(({ figure, text }, index) => (
      <div key={index} className="flex flex-col-reverse justify-end">
        <dt className="mt-0.5 text-muted">{text}</dt>
        <dd className="figures font-display text-[28px] leading-tight font-bold">{figure}</dd>
      </div>
    ))}
  </dl>
);
