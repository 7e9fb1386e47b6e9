import type { ReactNode } from 'react';
import { t } from '../../platform/i18n/messages.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { LiveDot } from '../../ui/badge.tsx';
import { ServiceTile } from '../../ui/service-tile.tsx';
import { exampleHours, exampleMoney, type ExampleSplit } from './example.ts';
import { Section } from './section.tsx';

/* oxlint-disable hourshare/text-in-catalog -- brands, names, and a time */
const services = ['Netflix', 'Spotify', 'Figma'];

const Choice = ({ split: { priceCents } }: { split: ExampleSplit }) => (
  <>
    <div className="grid grid-cols-3 gap-2 text-small font-medium">
      {services.map((name, index) => (
        <span
          key={name}
          className={`grid justify-items-center gap-1.5 rounded-tile border py-2.5 ${index === 0 ? 'border-accent bg-accent-soft' : 'border-line'}`}
        >
          <ServiceTile mark={name.toLowerCase()} />
          {name}
        </span>
      ))}
    </div>
    <p className="figures rounded-control border border-line-field px-3 py-2">{exampleMoney(priceCents)}</p>
  </>
);

const People = () =>
  ['ana', 'ben'].map((name, index) => (
    <p key={name} className="figures flex items-center gap-3">
      <Avatar name={name} hue={index} />
      {name}
      <span className="ms-auto rounded-control border border-line-field px-3 py-2 text-small">
        {exampleHours(40 - 20 * index)}
      </span>
    </p>
  ));

const Running = () => (
  <div className="flex items-center gap-3.5">
    <ServiceTile mark="netflix" size="large" />
    <p>
      <span className="flex items-center gap-2 font-semibold">
        <LiveDot />
        Netflix
      </span>
      <b className="figures font-display text-[34px] leading-tight font-bold text-live-text">1:24:00</b>
    </p>
  </div>
);
/* oxlint-enable hourshare/text-in-catalog */

interface Step {
  title: string;
  text: string;
  picture: ReactNode;
  isLive?: boolean;
}

const steps = (split: ExampleSplit): Step[] => [
  {
    title: t('Add your subscriptions'),
    text: t('Name, price, done. They stay yours.'),
    picture: <Choice split={split} />,
  },
  {
    title: t('Invite friends and set monthly usage allocations'),
    text: t('Add people by username. Each of them sees their monthly allowance.'),
    picture: <People />,
  },
  {
    title: t('Track and save'),
    text: t('Start and end sessions, and see who uses how much of what you pay for.'),
    picture: <Running />,
    isLive: true,
  },
];

// The rows of the steps line up (subgrid), however many lines a title takes.
export const HowItWorks = ({ split }: { split: ExampleSplit }) => (
  <Section id="howItWorks" title={t('How it works')}>
    <ol role="list" className="grid gap-x-4 gap-y-8 md:grid-cols-3 md:gap-y-1">
      {steps(split).map(({ title, text, picture, isLive = false }, index) => (
        <li key={title} className="grid content-start gap-y-1 md:row-span-3 md:grid-rows-subgrid">
          <div
            aria-hidden
            className={`mb-3 grid min-h-40 content-center gap-3 rounded-paper border p-5 ${isLive ? 'border-transparent bg-live-soft' : 'border-line bg-surface'}`}
          >
            {picture}
          </div>
          <div className="flex gap-3">
            <span
              aria-hidden
              className="inline-flex size-6.5 shrink-0 items-center justify-center rounded-full bg-ink text-[13.5px] font-semibold text-canvas"
            >
              {index + 1}
            </span>
            <h3 className="text-[17px] leading-snug font-semibold">{title}</h3>
          </div>
          <p className="ps-9.5 text-pretty text-muted">{text}</p>
        </li>
      ))}
    </ol>
  </Section>
);
