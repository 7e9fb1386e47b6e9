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

/** As many cards per row as fit, in a list. */
export function CardGrid({ children }: { children: ReactNode }) {
  return (
    <ul role="list" className="grid grid-cols-[repeat(auto-fill,minmax(min(280px,100%),1fr))] items-stretch gap-3.5">
      {children}
    </ul>
  );
}
