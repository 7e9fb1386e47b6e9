import type { ReactNode } from 'react';
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

/** One card per row, two where there is room. */
export function CardGrid({ children }: { children: ReactNode }) {
  return (
    <ul role="list" className="grid items-stretch gap-3.5 md:grid-cols-2">
      {children}
    </ul>
  );
}
