import type { ReactNode } from 'react';

interface EmptyStateProps {
  title: string;
  children: ReactNode;
  action?: ReactNode;
  icon?: ReactNode;
}

export function EmptyState({ title, children, action, icon }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center rounded-card border border-dashed border-line-strong px-6 py-14 text-center">
      {icon && <span className="mb-4 text-accent-text">{icon}</span>}
      <h2 className="font-display text-xl font-bold">{title}</h2>
      <p className="mt-1.5 max-w-[44ch] text-balance text-muted">{children}</p>
      {action && <div className="mt-5">{action}</div>}
    </div>
  );
}
