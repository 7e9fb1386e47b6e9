import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface StateRowProps {
  Icon: LucideIcon;
  title: string;
  /** What is so now. */
  children: ReactNode;
  action?: ReactNode;
  /** What the action led to. */
  below?: ReactNode;
}

/** One subject of a card: what it is, how it is, and at most one thing to do about it. */
export const StateRow = ({ Icon, title, children, action, below }: StateRowProps) => (
  <div className="py-3.5 first:pt-0 last:pb-0">
    <div className="flex flex-wrap items-center gap-x-3.5 gap-y-2.5">
      <span
        aria-hidden
        className="inline-flex size-9 shrink-0 items-center justify-center rounded-control bg-sunken text-muted"
      >
        <Icon size={18} />
      </span>
      <div className="min-w-0 flex-1 basis-44 [overflow-wrap:anywhere]">
        <h3 className="text-[15px] leading-snug font-semibold">{title}</h3>
        <div className="figures text-[13.5px] leading-snug text-muted">{children}</div>
      </div>
      {action}
    </div>
    {below}
  </div>
);
