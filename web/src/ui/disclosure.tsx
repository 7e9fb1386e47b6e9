import { ChevronRight } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { classes } from './class-names.ts';

interface DisclosureProps {
  /** Opens it later: a reader may have closed it since. */
  ref?: Ref<HTMLDetailsElement>;
  /** The part that is always visible. */
  summary: ReactNode;
  /** Makes the summary a heading. */
  heading?: 'h2' | 'h3';
  children: ReactNode;
  /** Whether it starts open. */
  open?: boolean;
  className?: string;
  /** Called when it is opened, for what loads only then. */
  onOpen?: () => void;
}

/** A native details element, which find-in-page can open. */
export const Disclosure = ({
  ref,
  summary,
  heading: Summary,
  children,
  open = false,
  className,
  onOpen,
}: DisclosureProps) => (
  <details
    ref={ref}
    open={open}
    onToggle={({ currentTarget }) => currentTarget.open && onOpen?.()}
    className={classes('min-w-0', className)}
  >
    <summary className="flex min-h-12 cursor-pointer list-none items-center gap-2 rounded-control py-1.5 select-none [&::-webkit-details-marker]:hidden">
      <ChevronRight
        aria-hidden
        size={18}
        className="shrink-0 text-muted transition-transform rtl:-scale-x-100 [[open]>summary>&]:rotate-90 rtl:[[open]>summary>&]:-rotate-90"
      />
      {Summary ? (
        <Summary className="min-w-0 flex-1 font-semibold">{summary}</Summary>
      ) : (
        <span className="min-w-0 flex-1">{summary}</span>
      )}
    </summary>
    <div className="pb-3 ps-6.5">{children}</div>
  </details>
);
