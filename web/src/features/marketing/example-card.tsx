import type { ReactNode } from 'react';
import { listFormat } from '../../platform/i18n/language.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { Badge } from '../../ui/badge.tsx';
import { hueOf } from '../../ui/hue.ts';
import { Swatch } from '../../ui/swatch.tsx';
import { ServiceTile } from '../../ui/service-tile.tsx';
import { HoursSlider } from './hours-slider.tsx';
import { ExampleRing, ExampleStrip } from './example-strip.tsx';
import { exampleHours, exampleMoney as money, type ExampleSplit } from './example.ts';

/** Not broken where it fits on a line. */
const strong = (text: ReactNode) => <b className="inline-block font-semibold text-ink">{text}</b>;

export interface ExampleCardProps {
  split: ExampleSplit;
  anaHours: number;
  onAnaHours: (hours: number) => void;
}

/** The worked example: one asset, who used it, and what each person pays. Visitors try it with other hours of ana. */
export function ExampleCard({ split, anaHours, onAnaHours }: ExampleCardProps) {
  const { asset, priceCents, offeredHours, usedHours, hourCents, lines, memberCents, ownerCents } = split;
  const parts = lines.map(({ part }) => part);
  const sum = [ownerCents, ...lines.map(({ cents }) => cents)].map(money).join(' + ');
  const use = lines.map((line) => t('{name} {hours}', { name: line.name, hours: exampleHours(line.usedHours) }));
  return (
    <figure
      aria-label={t('Example: how one month of a subscription is split')}
      className="min-w-0 rounded-paper border border-line bg-surface p-4 sm:p-5.5"
    >
      <div className="flex items-center gap-3">
        <ServiceTile mark="netflix" />
        <div className="min-w-0 flex-1">
          <p className="font-semibold">{asset}</p>
          <p className="figures text-[13.5px] text-muted">{t('{price}/mo', { price: money(priceCents) })}</p>
        </div>
        <Badge tone="live">{t('{name} is watching', { name: 'ana' })}</Badge>
      </div>
      <div className="mt-4.5 flex flex-col items-center gap-x-6 gap-y-4 sm:flex-row">
        <ExampleRing parts={parts} figure={money(memberCents)} label={t('back to you')} />
        <table className="w-full flex-1 text-[14.5px]">
          <thead className="sr-only">
            <tr>
              <th scope="col">{t('Person')}</th>
              <th scope="col">{t('Used [[hours]]')}</th>
              <th scope="col">{t('Pays')}</th>
            </tr>
          </thead>
          <tbody className="figures divide-y divide-line">
            <tr>
              <th scope="row" className="py-2.5 text-start font-normal">
                <span className="inline-flex items-center gap-2.5">
                  <span aria-hidden className="size-3 rounded-[4px] bg-calm inset-ring inset-ring-line-field" />
                  {t('You')}
                </span>
              </th>
              <td className="text-end text-muted">{t('the rest')}</td>
              <td className="w-19 text-end font-semibold">{money(ownerCents)}</td>
            </tr>
            {lines.map((line, index) => (
              <tr key={line.name}>
                <th scope="row" className="py-2.5 text-start font-normal">
                  <span className="inline-flex items-center gap-2.5">
                    <Swatch tone={hueOf(index)} />
                    {line.name}
                  </span>
                </th>
                <td className="text-end">{exampleHours(line.usedHours)}</td>
                <td className="text-end font-semibold">{money(line.cents)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="figures mt-4 text-[12px]">
        <ExampleStrip
          parts={parts}
          text={t('Hours used: {list}, of {total}', {
            list: listFormat({ type: 'unit' }).format(use),
            total: exampleHours(offeredHours),
          })}
        />
        <p aria-hidden className="mt-0.5 flex justify-between text-muted">
          <span>{t('{hours} used', { hours: exampleHours(usedHours) })}</span>
          <span className="font-medium text-ink">{exampleHours(offeredHours)}</span>
        </p>
      </div>
      <HoursSlider name="ana" hours={anaHours} onChange={onAnaHours} />
      <figcaption className="figures mt-3.5 rounded-control bg-sunken px-3.5 py-3 text-[14px] text-muted">
        <p className="text-pretty">
          {rich('{hours} available at {price} an hour. <sum>{parts} = {total}.</sum> Always.', {
            hours: exampleHours(offeredHours),
            price: money(hourCents),
            parts: sum,
            total: money(priceCents),
            sum: strong,
          })}
        </p>
        <p className="mt-1.5">
          {t('You cover the hours no one uses, because the plan is yours. You can also split the price evenly.')}
        </p>
      </figcaption>
    </figure>
  );
}
