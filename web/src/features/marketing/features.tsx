import type { ReactNode } from 'react';
import { t } from '../../platform/i18n/messages.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { hueOf } from '../../ui/hue.ts';
import { ExampleStrip } from './example-strip.tsx';
import { ANA_HOURS, exampleHours, exampleMoney as money, type ExampleSplit } from './example.ts';
import { Section } from './section.tsx';
import { TryStart } from './try-start.tsx';

const Title = ({ children }: { children: ReactNode }) => (
  <h3 className="font-display text-[20px] leading-tight font-bold">{children}</h3>
);

/** The price, divided by who pays what; the table below says the same. */
const SplitBar = ({ split: { lines, priceCents, ownerCents } }: { split: ExampleSplit }) => {
  const [ana = 0, ben = 0] = lines.map(({ cents }) => (cents / priceCents) * 100);
  const part = { y: '1', height: '34', rx: '9', strokeWidth: 2 };
  return (
    <svg aria-hidden className="mt-auto h-9 w-full stroke-panel rtl:-scale-x-100">
      <rect {...part} width={`${ana}%`} className="fill-panel-ink/85" />
      <rect {...part} x={`${ana}%`} width={`${ben}%`} className="fill-panel-ink/50" />
      <rect {...part} x={`${ana + ben}%`} width={`${(ownerCents / priceCents) * 100}%`} className="fill-panel-ink/15" />
    </svg>
  );
};

function SplitTable({ split: { lines, priceCents, offeredHours, usedHours, ownerCents } }: { split: ExampleSplit }) {
  const price = money(priceCents);
  const total = exampleHours(offeredHours);
  const rows = [
    ...lines.map(({ name, usedHours: hours, cents }) => ({
      name,
      text: t('{price} × {used} ÷ {total} =', { price, used: exampleHours(hours), total }),
      cents,
    })),
    {
      name: t('You'),
      text: t('{hours} no one used', { hours: exampleHours(offeredHours - usedHours) }),
      cents: ownerCents,
    },
    { name: t('One month'), text: '', cents: priceCents },
  ];
  return (
    <table className="figures w-full">
      <tbody>
        {rows.map(({ name, text, cents }) => (
          <tr key={name} className="border-t border-panel-ink/25 last:text-[17px]">
            <th scope="row" className="py-2.5 text-start font-normal">
              {name}
            </th>
            <td className="text-end max-sm:hidden">{text}</td>
            <td className="w-18 text-end font-semibold">{money(cents)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** ana's allowance and what she has used of it, which follow the slider. */
function Allowance({ name, usedHours: used }: { name: string; usedHours: number }) {
  const { allowed } = ANA_HOURS;
  const over = Math.max(0, used - allowed);
  const scale = Math.max(used, allowed);
  const left =
    over > 0
      ? t('{hours} over', { hours: exampleHours(over) })
      : t('{hours} left', { hours: exampleHours(allowed - used) });
  return (
    <div className="figures mt-5">
      <p className="mb-1.5 flex flex-wrap justify-between gap-x-4 text-small text-muted">
        <span>{t('{hours} used', { hours: exampleHours(used) })}</span>
        <span>{t('{hours} allowed', { hours: exampleHours(allowed) })}</span>
      </p>
      <ExampleStrip parts={[(used - over) / scale, over / scale]} colors={[hueOf(0), 'over']} text={left} />
      <p className="mt-2 flex items-center gap-2.5">
        <Avatar name={name} hue={0} size="small" />
        {name}
        <b className={`ms-auto font-display text-[20px] font-bold ${over > 0 ? 'text-over-text' : ''}`}>{left}</b>
      </p>
    </div>
  );
}

const card = 'rounded-paper p-5 md:px-7 md:py-6.5';

export const Features = ({ split }: { split: ExampleSplit }) => (
  <Section id="features" title={t('Made for what you already share')}>
    <ul role="list" className="grid gap-4 md:grid-cols-[1.45fr_1fr]">
      <li className={`flex flex-col gap-6 bg-panel text-panel-ink md:row-span-2 ${card}`}>
        <div>
          <Title>{t('Costs that add up')}</Title>
          <p className="mt-1.5">
            {t('Costs follow actual use, and the shares always add up to the price, to the cent.')}
          </p>
        </div>
        <SplitBar split={split} />
        <SplitTable split={split} />
      </li>
      <li className={`border border-line bg-surface ${card}`}>
        <Title>{t('Hours, not guesses')}</Title>
        <p className="mt-1 text-muted">
          {t('Everyone starts and ends a session with one press. One server clock keeps every device in sync.')}
        </p>
        <TryStart asset={split.asset} />
      </li>
      <li className={`border border-line bg-surface ${card}`}>
        <Title>{t('Fair allowances')}</Title>
        <p className="mt-1 text-muted">
          {t('Give each person the monthly hours you agreed on. You both see how many are used.')}
        </p>
        {split.lines.slice(0, 1).map((ana) => (
          <Allowance key={ana.name} {...ana} />
        ))}
      </li>
    </ul>
  </Section>
);
