import type { ReactNode } from 'react';
import { t } from '../../lib/messages.ts';
import { exampleHours, exampleMoney as money, type ExampleSplit } from './example.ts';
import { Section } from './section.tsx';

const Title = ({ children }: { children: ReactNode }) => (
  <h3 className="font-display text-[20px] leading-tight font-bold">{children}</h3>
);

function SplitTable({ split: { lines, priceCents, offeredHours, usedHours, ownerCents } }: { split: ExampleSplit }) {
  return (
    <table className="figures mt-auto w-full text-[15px] [&_td]:text-end [&_th]:text-start [&_th]:font-normal [&_tr>*]:border-t [&_tr>*]:border-accent-ink/25 [&_tr>*]:py-2.5">
      <tbody>
        {lines.map(({ name, usedHours: hours, cents }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>
              {t('{price} × {used} ÷ {total} =', {
                price: money(priceCents),
                used: exampleHours(hours),
                total: exampleHours(offeredHours),
              })}
            </td>
            <td className="w-18 font-semibold">{money(cents)}</td>
          </tr>
        ))}
        <tr>
          <th scope="row">{t('You')}</th>
          <td>{t('{hours} nobody used', { hours: exampleHours(offeredHours - usedHours) })}</td>
          <td className="font-semibold">{money(ownerCents)}</td>
        </tr>
        <tr className="text-[17px] font-bold">
          <th scope="row" colSpan={2} className="font-bold!">
            {t('One month')}
          </th>
          <td>{money(priceCents)}</td>
        </tr>
      </tbody>
    </table>
  );
}

const card = 'rounded-dialog p-5 md:px-7 md:py-6.5';

export const Features = ({ split }: { split: ExampleSplit }) => (
  <Section id="features" title={t('Made for what you already share')}>
    <ul role="list" className="grid gap-4 md:grid-cols-[1.45fr_1fr]">
      <li className={`flex flex-col gap-6 bg-accent text-accent-ink md:row-span-2 ${card}`}>
        <div>
          <Title>{t('Costs that add up')}</Title>
          <p className="mt-1.5">
            {t('Costs follow actual use, and the shares always add up to the price, to the cent.')}
          </p>
        </div>
        <SplitTable split={split} />
      </li>
      <li className={`border border-line bg-surface ${card}`}>
        <Title>{t('Hours, not guesses')}</Title>
        <p className="mt-1 text-muted">
          {t('Everyone starts and ends a session with one press. One server clock keeps every device in sync.')}
        </p>
      </li>
      <li className={`border border-line bg-surface ${card}`}>
        <Title>{t('Fair allowances')}</Title>
        <p className="mt-1 text-muted">
          {t('Give each person the monthly hours you agreed on. You both see how many are used.')}
        </p>
        <svg aria-hidden width="100%" height="12" className="mt-5 block rounded-[3px] bg-calm rtl:-scale-x-100">
          <rect width="72%" height="12" fill="var(--m1)" />
        </svg>
        <div className="ruler mt-[3px]" />
        <p aria-hidden className="figures mt-0.5 flex justify-between text-[12px] text-muted">
          <span>{t('{hours} used', { hours: exampleHours(14.4) })}</span>
          <span className="font-medium text-ink">{exampleHours(20)}</span>
        </p>
      </li>
    </ul>
  </Section>
);
