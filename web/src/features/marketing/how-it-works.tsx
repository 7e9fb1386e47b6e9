import type { ReactNode } from 'react';
import { t } from '../../lib/messages.ts';
import { Badge } from '../../ui/badge.tsx';
import { buttonClasses } from '../../ui/button.tsx';
import { Tile } from '../../ui/tile.tsx';
import { ANA_HOURS, exampleHours, exampleMoney, exampleSplit } from './example.ts';
import { Section } from './section.tsx';

// Pictures of what each step looks like in the app; nothing in them can be pressed.

const box = 'flex min-h-11 flex-1 items-center rounded-control border border-line-field px-3';

function AddedAsset() {
  const { asset, priceCents } = exampleSplit();
  return (
    <div className="space-y-3">
      <div className="flex items-center gap-3">
        <Tile name={asset} />
        <span className={box}>{asset}</span>
      </div>
      <div className="flex flex-wrap gap-3">
        <span className={box}>{exampleMoney(priceCents)}</span>
        <span className={buttonClasses()}>{t('Create Asset')}</span>
      </div>
    </div>
  );
}

const Members = () => (
  <div className="divide-y divide-line">
    {exampleSplit().lines.map(({ name, offeredHours }) => (
      <div key={name} className="flex min-h-13 items-center gap-3">
        <Tile name={name} shape="small-disc" />
        <span className="flex-1 font-semibold">{name}</span>
        <span className="text-muted">
          {t('{hours, plural, one {# hour/month} other {# hours/month}}', { hours: offeredHours })}
        </span>
      </div>
    ))}
  </div>
);

const RunningSession = () => (
  <div className="space-y-4">
    <div className="flex items-center justify-between gap-3">
      <span className="font-display text-[30px] leading-none font-bold text-live-text">1:24:07</span>
      <Badge tone="live">{t('Active')}</Badge>
    </div>
    <div className="flex flex-wrap items-center justify-between gap-3">
      <span className="text-[13.5px] whitespace-nowrap text-muted">
        {t('{used} of {total}', { used: exampleHours(ANA_HOURS.used), total: exampleHours(ANA_HOURS.allowed) })}
      </span>
      <span className={buttonClasses('live')}>{t('End Session')}</span>
    </div>
  </div>
);

const steps = () => [
  { title: t('Add your subscriptions'), text: t('Name, price, done. They stay yours.'), picture: <AddedAsset /> },
  {
    title: t('Invite friends and set monthly usage allocations'),
    text: t('Add people by username. Each of them sees their monthly allowance.'),
    picture: <Members />,
  },
  {
    title: t('Track and save'),
    text: t('Start and end sessions, and see who uses how much of what you pay for.'),
    picture: <RunningSession />,
    isLive: true,
  },
];

interface StepProps {
  number: number;
  title: string;
  text: string;
  picture: ReactNode;
  isLive?: boolean;
}

// The rows of the steps line up (subgrid), however many lines a title takes.
const Step = ({ number, title, text, picture, isLive = false }: StepProps) => (
  <li className="grid content-start gap-y-0 md:row-span-3 md:grid-rows-subgrid">
    <div className="flex gap-3">
      <span
        aria-hidden
        className="inline-flex size-6.5 shrink-0 items-center justify-center rounded-full bg-ink text-[13.5px] font-semibold text-canvas"
      >
        {number}
      </span>
      <h3 className="text-[17px] leading-snug font-semibold">{title}</h3>
    </div>
    <p className="mt-1 ps-9.5 text-pretty text-muted">{text}</p>
    <div
      aria-hidden
      className={`figures mt-4 flex min-h-38 flex-col justify-center rounded-card border bg-surface p-4 ${isLive ? 'border-live' : 'border-line'}`}
    >
      {picture}
    </div>
  </li>
);

export const HowItWorks = () => (
  <Section id="howItWorks" title={t('How it works')}>
    <ol role="list" className="grid gap-x-7 gap-y-8 md:grid-cols-3 md:grid-rows-[auto_auto_auto]">
      {steps().map((step, index) => (
        <Step key={step.title} number={index + 1} {...step} />
      ))}
    </ol>
  </Section>
);
