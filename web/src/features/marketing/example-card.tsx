import type { ReactNode } from 'react';
import { currentLanguage } from '../../lib/language.ts';
import { rich, t } from '../../lib/messages.ts';
import { Badge } from '../../ui/badge.tsx';
import { Ring } from '../../ui/ring.tsx';
import { Tile } from '../../ui/tile.tsx';
import { ExampleStrip } from './example-strip.tsx';
import { exampleHours, exampleMoney as money, exampleSplit } from './example.ts';

const strong = (text: ReactNode) => <b className="font-semibold text-ink">{text}</b>;

/** The worked example: one asset, who used it, and what each person pays. */
export function ExampleCard() {
  const { asset, priceCents, offeredHours, hourCents, lines, ownerCents, usedPart } = exampleSplit();
  const parts = [ownerCents, ...lines.map(({ cents }) => cents)].map(money).join(' + ');
  const use = lines.map(({ name, usedHours }) => t('{name} {hours}', { name, hours: exampleHours(usedHours) }));
  return (
    <figure
      aria-label={t('Example: how one month of a subscription is split')}
      className="min-w-0 rounded-dialog border border-line bg-surface p-4 sm:p-5.5"
    >
      <div className="flex items-center gap-3">
        <Tile name={asset} />
        <div className="min-w-0 flex-1">
          <p className="font-semibold">{asset}</p>
          <p className="figures text-[13.5px] text-muted">{t('{price}/mo', { price: money(priceCents) })}</p>
        </div>
        <Badge tone="live">{t('{name} is watching', { name: 'ana' })}</Badge>
      </div>
      <div className="mt-4.5 flex flex-col items-center gap-x-6 gap-y-4 sm:flex-row">
        <Ring part={usedPart} tone="accent" size={152} figure={String(Math.round(usedPart * 100))} />
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
              <th scope="row" className="py-2.5 text-left font-normal">
                {t('You')}
              </th>
              <td className="text-right text-muted">–</td>
              <td className="text-right font-semibold">{money(ownerCents)}</td>
            </tr>
            {lines.map(({ name, usedHours, cents }) => (
              <tr key={name}>
                <th scope="row" className="py-2.5 text-left font-normal">
                  {name}
                </th>
                <td className="text-right">{exampleHours(usedHours)}</td>
                <td className="text-right font-semibold">{money(cents)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="mt-4">
        <ExampleStrip
          parts={lines.map(({ part }) => part)}
          text={t('Hours used: {list}, of {total}', {
            list: new Intl.ListFormat(currentLanguage(), { type: 'unit' }).format(use),
            total: exampleHours(offeredHours),
          })}
        />
      </div>
      <figcaption className="figures mt-3.5 rounded-control bg-sunken px-3.5 py-3 text-[14px] text-muted">
        {rich('{hours} available at {price} an hour. <sum>{parts} = {total}.</sum> Always.', {
          hours: exampleHours(offeredHours),
          price: money(hourCents),
          parts,
          total: money(priceCents),
          sum: strong,
        })}
      </figcaption>
    </figure>
  );
}
