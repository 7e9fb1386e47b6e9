import { t } from '../../lib/messages.ts';
import { Section } from './section.tsx';

const steps = () => [
  { title: t('Add your subscriptions'), text: t('Name, price, done. They stay yours.') },
  {
    title: t('Invite friends and set monthly usage allocations'),
    text: t('Add people by username. Each of them sees their monthly allowance.'),
  },
  { title: t('Track and save'), text: t('Start and end sessions, and see who uses how much of what you pay for.') },
];

export const HowItWorks = () => (
  <Section id="howItWorks" title={t('How it works')}>
    <ol role="list" className="grid gap-3.5 md:grid-cols-3">
      {steps().map(({ title, text }, index) => (
        <li key={title} className="rounded-card border border-line bg-surface p-5">
          <p aria-hidden className="figures font-semibold text-accent-text">
            {index + 1}
          </p>
          <h3 className="mt-2 text-[17px] font-semibold">{title}</h3>
          <p className="mt-1 text-muted">{text}</p>
        </li>
      ))}
    </ol>
  </Section>
);
