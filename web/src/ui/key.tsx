import type { ReactNode } from 'react';

/** The name of a key, as on a keyboard. */
export const Key = ({ children }: { children: ReactNode }) => (
  <kbd className="inline-flex h-6 min-w-6 items-center justify-center gap-0.5 rounded-md border border-line-field px-1.5 font-sans text-[12px] text-muted">
    {children}
  </kbd>
);
