import type { ReactNode } from 'react';

interface PageHeaderProps {
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
}

export function PageHeader({ title, children, action }: PageHeaderProps) {
  return (
    <header className="mb-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-3.5">
      <div className="min-w-0">
        <h1 className="title-1 hyphens-auto [overflow-wrap:anywhere]">{title}</h1>
        {children && <p className="mt-1.5 text-muted">{children}</p>}
      </div>
      {action}
    </header>
  );
}

export function SectionHeading({ children, id, aside }: { children: ReactNode; id?: string; aside?: ReactNode }) {
  return (
    <div className="mt-7 mb-3.5 flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-1">
      <h2 id={id} className="title-2">
        {children}
      </h2>
      {aside}
    </div>
  );
}
