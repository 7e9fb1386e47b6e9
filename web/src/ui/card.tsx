import { Children, type ReactNode } from 'react';
import { useLater } from '../lib/use-later.ts';
import { classes } from './class-names.ts';

interface CardProps {
  children: ReactNode;
  className?: string;
  as?: 'div' | 'article' | 'section' | 'li';
  labelledBy?: string;
}

export function Card({ children, className, as: Tag = 'div', labelledBy }: CardProps) {
  return (
    <Tag
      aria-labelledby={labelledBy}
      className={classes('relative min-w-0 rounded-card border border-line bg-surface p-4.5', className)}
    >
      {children}
    </Tag>
  );
}

/** As many cards as a large screen shows at once. */
const PART = 12;

interface CardGridProps {
  children: ReactNode;
  /**
   * Whether a long list appears part by part, so that the first cards can be used early. A page that someone returns to
   * has its list already, and needs its whole height to scroll back to its place.
   */
  gradual?: boolean;
}

/** One card per row, two where there is room. */
export function CardGrid({ children, gradual = false }: CardGridProps) {
  return (
    <ul role="list" className="grid items-stretch gap-3.5 md:grid-cols-2">
      {gradual ? <CardParts cards={Children.toArray(children)} /> : children}
    </ul>
  );
}

function CardParts({ cards }: { cards: ReactNode[] }) {
  const rest = cards.slice(PART);
  return (
    <>
      {cards.slice(0, PART)}
      {rest.length > 0 && <NextCards cards={rest} />}
    </>
  );
}

function NextCards({ cards }: { cards: ReactNode[] }) {
  return useLater() && <CardParts cards={cards} />;
}
