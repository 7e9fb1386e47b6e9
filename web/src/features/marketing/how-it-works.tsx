import { t } from '../../platform/i18n/messages.ts';
import { Section } from './section.tsx';

const steps = () => [
  { title: t('Add your subscriptions'), text: t('Name, price, done. They stay yours.') },
  {
    title: t('Invite friends and set monthly usage allocations'),
    text: t('Add people by username. Each of them sees their monthly allowance.'),
  },
  { title: t('Track and save'), text: t('Start and end sessions, and see who uses how much of what you pay for.') },
];

// The rows of the steps line up (subgrid), however many lines a title takes.
export const HowItWorks = () => (
  <Section id="howItWorks" title={t('How it works')}>
    <ol role="list" className="grid gap-x-7 gap-y-6 md:grid-cols-3">
      {steps().map(({ title, text }, index) => (
        <li
          key={title}
          className="grid content-start gap-y-1 border-t-4 border-accent pt-4 md:row-span-2 md:grid-rows-subgrid"
        >
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
