import type { ReactNode } from 'react';
import { Spinner } from './spinner.tsx';

interface PageHeaderProps {
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  /** What is loading; shown as a small spinner in the gap beside the title, so that nothing moves when it goes. */
  loading?: string | undefined;
}

export function PageHeader({ title, children, action, loading }: PageHeaderProps) {
  return (
    <header className="mb-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-3.5">
      {/* What is as wide as its text would move the action when the text below the title changes. */}
      <div className="min-w-0 grow basis-40">
        <div className="flex items-center">
          <h1 className="title-1 min-w-0 hyphens-auto [overflow-wrap:anywhere]">{title}</h1>
          {loading !== undefined && <Spinner label={loading} size={20} className="ms-1 -me-6 shrink-0" />}
        </div>
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
