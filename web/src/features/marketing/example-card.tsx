import { Badge } from '../../ui/badge.tsx';
import { Ring } from '../../ui/ring.tsx';
import { Tile } from '../../ui/tile.tsx';
import { ExampleStrip } from './example-strip.tsx';
import { exampleHours, exampleMoney as money, exampleSplit } from './example.ts';

/** The worked example: one asset, who used it, and what each person pays. */
export function ExampleCard() {
  const { priceCents, offeredHours, hourCents, lines, ownerCents, usedPart } = exampleSplit();
  const sum = [ownerCents, ...lines.map(({ cents }) => cents)].map(money).join(' + ');
  return (
    <figure
      aria-label="Example: how a month of one subscription is split"
      className="min-w-0 rounded-dialog border border-line bg-surface p-4 sm:p-5.5"
    >
      <div className="flex items-center gap-3">
        <Tile name="Netflix Premium" />
        <div className="min-w-0 flex-1">
          <p className="font-semibold">Netflix Premium</p>
          <p className="figures text-[13.5px] text-muted">{money(priceCents)} a month</p>
        </div>
        <Badge tone="live">ana is watching</Badge>
      </div>
      <div className="mt-4.5 flex flex-col items-center gap-x-6 gap-y-4 sm:flex-row">
        <Ring part={usedPart} tone="accent" size={152} figure={String(Math.round(usedPart * 100))} />
        <table className="w-full flex-1 text-[14.5px]">
          <thead className="sr-only">
            <tr>
              <th scope="col">Who</th>
              <th scope="col">Used</th>
              <th scope="col">Pays</th>
            </tr>
          </thead>
          <tbody className="figures divide-y divide-line">
            <tr>
              <th scope="row" className="py-2.5 text-left font-normal">
                You
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
          text={`Hours used: ${lines.map(({ name, usedHours }) => `${name} ${exampleHours(usedHours)}`).join(', ')}, of ${exampleHours(offeredHours)}`}
        />
      </div>
      <figcaption className="figures mt-3.5 rounded-control bg-sunken px-3.5 py-3 text-[14px] text-muted">
        {exampleHours(offeredHours)} on offer, {money(hourCents)} an hour.{' '}
        <b className="font-semibold text-ink">
          {sum} = {money(priceCents)}.
        </b>{' '}
        Always.
      </figcaption>
    </figure>
  );
}
