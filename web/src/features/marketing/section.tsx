import type { ReactNode } from 'react';
import { classes } from '../../ui/class-names.ts';
import { useReveal } from './use-reveal.ts';

interface SectionProps {
  id: string;
  title: string;
  intro?: string;
  children: ReactNode;
}

/** A landing page section that fades in when first seen. */
export function Section({ id, title, intro, children }: SectionProps) {
  const [ref, isWaiting] = useReveal<HTMLElement>();
  return (
    <section
      ref={ref}
      id={id}
      aria-labelledby={`${id}-heading`}
      className={classes(
        'scroll-mt-6 pt-16 transition-[opacity,translate] duration-200 md:pt-24 print:translate-y-0 print:opacity-100',
        isWaiting && 'translate-y-3 opacity-0',
      )}
    >
      <h2 id={`${id}-heading`} className="font-display text-[26px] leading-tight font-bold md:text-[32px]">
        {title}
      </h2>
      {intro && <p className="mt-2 max-w-[44em] text-[16px] text-pretty text-muted">{intro}</p>}
      <div className="mt-6">{children}</div>
    </section>
  );
}
