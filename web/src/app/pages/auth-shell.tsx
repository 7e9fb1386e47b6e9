import type { ReactNode } from 'react';

interface AuthShellProps {
  title: string;
  children: ReactNode;
  below: ReactNode;
}

export function AuthShell({ title, children, below }: AuthShellProps) {
  return (
    <div className="mx-auto w-full max-w-[424px] px-3.5 py-8 md:py-14">
      <div className="rounded-paper border border-line bg-surface p-5 sm:p-7">
        <h1 className="mb-5 font-display text-[26px] leading-tight font-bold hyphens-auto [overflow-wrap:anywhere]">
          {title}
        </h1>
        {children}
      </div>
      <div className="mt-5 grid gap-2 text-center text-[14px] text-balance text-muted">{below}</div>
    </div>
  );
}
