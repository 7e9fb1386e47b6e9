import type { ReactNode } from 'react';

/** Names on the left, values on the right. */
export const DefinitionList = ({ children }: { children: ReactNode }) => <dl className="min-w-0 flex-1">{children}</dl>;

export function Definition({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-h-9 flex-wrap items-baseline gap-x-4 py-1.5">
      <dt className="text-muted">{name}</dt>
      <dd className="figures ms-auto min-w-0 text-end font-semibold [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}

/** Puts the value below its name, for user-written text that may span several lines. */
export function LongDefinition({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="py-1.5">
      <dt className="text-[14px] text-muted">{name}</dt>
      <dd className="mt-0.5 whitespace-pre-line [overflow-wrap:anywhere]" dir="auto">
        {children}
      </dd>
    </div>
  );
}
