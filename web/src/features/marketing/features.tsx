import { Clock3, ReceiptText, UsersRound } from 'lucide-react';
import { t } from '../../lib/messages.ts';
import { Section } from './section.tsx';

const features = () => [
  {
    Icon: Clock3,
    title: t('Hours, not guesses'),
    text: t('Everyone starts and ends a session with one press. One server clock keeps every device in sync.'),
  },
  {
    Icon: UsersRound,
    title: t('Fair allowances'),
    text: t('Give each person the monthly hours you agreed on. You both see how many are used.'),
  },
  {
    Icon: ReceiptText,
    title: t('Costs that add up'),
    text: t('Costs follow actual use, and the shares always add up to the price, to the cent.'),
  },
];

export const Features = () => (
  <Section id="features" title={t('Made for what you already share')}>
    <ul role="list" className="grid gap-3.5 md:grid-cols-3">
      {features().map(({ Icon, title, text }) => (
        <li key={title} className="rounded-card border border-line bg-surface p-5">
          <Icon aria-hidden size={22} className="text-accent-text" />
          <h3 className="mt-3 text-[17px] font-semibold">{title}</h3>
          <p className="mt-1 text-muted">{text}</p>
        </li>
      ))}
    </ul>
  </Section>
);
