import { Children, startTransition, useEffect, useMemo, useState, type ReactNode } from 'react';
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
      className={classes(
        'relative min-w-0 rounded-card border border-line bg-surface p-4 shadow-lift md:p-5',
        className,
      )}
    >
      {children}
    </Tag>
  );
}

/** Fills a screen of 1,080 pixels in height. */
const BATCH = 8;

interface CardGridProps {
  children: ReactNode;
  /**
   * Whether a long list renders in batches, so that the first cards can be used early. A page that someone returns to has
   * its list already, and needs its whole height to scroll back to its place.
   */
  gradual?: boolean;
}

/** One card per row, two where there is room. */
export function CardGrid({ children, gradual = false }: CardGridProps) {
  const [count, setCount] = useState(gradual ? BATCH : Infinity);
  // The same elements for each batch, so that React doesn't render the cards before it again.
  const cards = useMemo(() => Children.toArray(children), [children]);
  const total = cards.length;
  useEffect(() => {
    if (count < total) startTransition(() => setCount(count + BATCH));
  }, [count, total]);
  return (
    <ul role="list" className="grid items-stretch gap-2.5 md:grid-cols-2 md:gap-4">
      {cards.slice(0, count)}
    </ul>
  );
}
