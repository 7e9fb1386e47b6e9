import type { ReactNode } from 'react';

interface EmptyStateProps {
  title: string;
  children: ReactNode;
  action?: ReactNode;
  /** A ring (ui/ring.tsx), the only picture. */
  art?: ReactNode;
  role?: 'alert';
}

/** What a page says when there is nothing to show: a picture, why, and one thing to do. */
export const EmptyState = ({ title, children, action, art, role }: EmptyStateProps) => (
  <section className="flex flex-col items-center gap-x-14 gap-y-4 rounded-paper border border-line bg-surface p-6 text-center shadow-lift md:flex-row md:p-12 md:text-start">
    {art}
    <div role={role} className="min-w-0 max-md:w-full">
      <h2 className="font-display text-[26px] leading-tight font-bold tracking-tight text-balance md:text-[30px]">
        {title}
      </h2>
      <p className="mt-2 max-w-[44ch] text-[16px] text-pretty text-muted [overflow-wrap:anywhere]">{children}</p>
      {action && <div className="mt-5 max-md:*:w-full">{action}</div>}
    </div>
  </section>
);
