import { useLocation } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';

interface SettingRowProps {
  /** Addresses that end on it open the row. */
  id: string;
  icon: LucideIcon;
  title: string;
  hint?: ReactNode;
  /** What a press does, such as "Change". */
  action: string;
  children: ReactNode;
}

/** A setting that opens where it is. Reads nothing before it is first opened, and keeps what was typed when it closes. */
export function SettingRow({ id, icon: Icon, title, hint, action, children }: SettingRowProps) {
  const isNamed = useLocation({ select: ({ hash }) => hash === id });
  const [wasOpened, setOpened] = useState(isNamed);
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (isNamed && details.current) details.current.open = true;
  }, [isNamed]);
  return (
    <section aria-labelledby={id} className="border-t border-line first:border-t-0">
      <details ref={details} className="group min-w-0" onToggle={() => setOpened(true)}>
        <summary className="-mx-2 flex min-h-16 cursor-pointer list-none items-center gap-3.5 rounded-control px-2 py-2.5 select-none hover:bg-sunken/60 [&::-webkit-details-marker]:hidden">
          <SettingIcon icon={Icon} />
          <span className="min-w-0 flex-1">
            <h3 id={id} className="scroll-mt-24 text-[15px] font-semibold">
              {title}
            </h3>
            {hint !== undefined && <span className="block text-[13.5px] text-muted">{hint}</span>}
          </span>
          <span aria-hidden className="shrink-0 text-[14.5px] font-semibold text-accent-text group-open:invisible">
            {action}
          </span>
        </summary>
        {wasOpened && <div className="pt-1 pb-4.5 sm:ps-12.5">{children}</div>}
      </details>
    </section>
  );
}

export const SettingIcon = ({ icon: Icon }: { icon: LucideIcon }) => (
  <span className="inline-flex size-9 shrink-0 items-center justify-center rounded-control bg-sunken text-muted">
    <Icon aria-hidden size={18} />
  </span>
);
