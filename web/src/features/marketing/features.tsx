import { Clock3, ReceiptText, UsersRound } from 'lucide-react';
import { Section } from './section.tsx';

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
