import { CircleCheck, Clock3, ReceiptText, UsersRound } from 'lucide-react';
import type { ReactNode } from 'react';

const heading = 'font-display text-[26px] leading-tight font-bold md:text-[32px]';

function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section id={id} aria-labelledby={`${id}-heading`} className="scroll-mt-6 pt-16 md:pt-24">
      <h2 id={`${id}-heading`} className={heading}>
        {title}
      </h2>
      <div className="mt-6">{children}</div>
    </section>
  );
}

const features = [
  {
    Icon: Clock3,
    title: 'Hours, not guesses',
    text: 'Everyone starts and ends a session with one press. The clock runs on the server, on every device the same.',
  },
  {
    Icon: UsersRound,
    title: 'Fair allowances',
    text: 'Give each person as many hours a month as you agreed. Both of you see how many are used.',
  },
  {
    Icon: ReceiptText,
    title: 'A price that adds up',
    text: 'Costs follow actual use, and the parts always add up to the price, to the cent.',
  },
];

export const Features = () => (
  <Section id="features" title="Made for what you already share">
    <ul role="list" className="grid gap-3.5 md:grid-cols-3">
      {features.map(({ Icon, title, text }) => (
        <li key={title} className="rounded-card border border-line bg-surface p-5">
          <Icon aria-hidden size={22} className="text-accent-text" />
          <h3 className="mt-3 text-[17px] font-semibold">{title}</h3>
          <p className="mt-1 text-muted">{text}</p>
        </li>
      ))}
    </ul>
  </Section>
);

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
    <ol className="grid gap-3.5 md:grid-cols-3">
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

const households = [
  {
    who: 'Three roommates, one streaming plan',
    text: 'Two of them watch most evenings, one on Sundays. Each has an allowance, and nobody has to keep a list.',
  },
  {
    who: 'A family with a storage plan',
    text: 'One pays, four use it. Everyone sees their own hours; the owner sees who still has some left.',
  },
  {
    who: 'Friends with a design tool',
    text: 'A seat is dear and used for a few hours a week. They pass it on, and the clock shows who has it now.',
  },
];

export const Testimonials = () => (
  <Section id="testimonials" title="Who it is for">
    <ul role="list" className="grid gap-3.5 md:grid-cols-3">
      {households.map(({ who, text }) => (
        <li key={who} className="flex gap-3 rounded-card bg-sunken p-5">
          <CircleCheck aria-hidden size={20} className="mt-0.5 shrink-0 text-accent-text" />
          <div>
            <h3 className="font-semibold">{who}</h3>
            <p className="mt-1 text-muted">{text}</p>
          </div>
        </li>
      ))}
    </ul>
  </Section>
);
