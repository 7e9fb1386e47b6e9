import { Section } from './section.tsx';

const steps = [
  { title: 'Add your subscriptions', text: 'Name, price, done. They stay yours.' },
  {
    title: 'Invite friends and set monthly usage allocations',
    text: 'By username. Everyone gets a monthly allowance they can see.',
  },
  { title: 'Track and save', text: 'Start, end, and see who used how much of what you pay for.' },
];

export const HowItWorks = () => (
  <Section id="howItWorks" title="How it works">
    <ol role="list" className="grid gap-3.5 md:grid-cols-3">
      {steps.map(({ title, text }, index) => (
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
