import type { ReactNode } from 'react';

export function Prose({ title, children }: { title: string; children: ReactNode }) {
  return (
    <article className="mx-auto max-w-[720px] px-3.5 py-8 md:py-12 [&_a]:font-semibold [&_a]:text-accent-text [&_a]:underline [&_a]:underline-offset-3 [&_h2]:mt-8 [&_h2]:mb-2 [&_h2]:font-display [&_h2]:text-xl [&_h2]:font-bold [&_li]:mt-1 [&_p]:mt-3 [&_p]:leading-relaxed [&_ul]:mt-3 [&_ul]:list-disc [&_ul]:ps-5">
      <h1 className="title-1 hyphens-auto [overflow-wrap:anywhere]">{title}</h1>
      {children}
    </article>
  );
}
