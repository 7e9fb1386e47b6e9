import { useId, type ReactNode } from 'react';
import { SectionHeading } from '../../../ui/page-header.tsx';

/** A section of the style guide. */
export function Specimens({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <SectionHeading id={id}>{title}</SectionHeading>
      <div className="grid gap-6">{children}</div>
    </section>
  );
}

/** One control in several states, under its name in the code. */
export const Specimen = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="min-w-0">
    <p className="mb-2 text-[13.5px] text-muted">{name}</p>
    <div className="flex flex-wrap items-center gap-3">{children}</div>
  </div>
);
