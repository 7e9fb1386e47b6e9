import type { ReactNode } from 'react';

interface PageHeaderProps {
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
}

export function PageHeader({ title, children, action }: PageHeaderProps) {
  return (
    <header className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-3.5">
      <div className="min-w-0">
        <h1 className="font-display text-[26px] leading-tight font-bold tracking-[-0.01em] [overflow-wrap:anywhere] md:text-[30px]">
          {title}
        </h1>
        {children && <p className="mt-1 text-muted">{children}</p>}
      </div>
      {action}
    </header>
  );
}

export function SectionHeading({ children, id, aside }: { children: ReactNode; id?: string; aside?: ReactNode }) {
  return (
    <div className="mt-8 mb-3 flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-1">
      <h2 id={id} className="font-display text-[19px] font-bold">
        {children}
      </h2>
      {aside}
    </div>
  );
}
