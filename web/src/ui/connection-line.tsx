import { WifiOff } from 'lucide-react';
import { useConnection } from '../platform/http/connection.ts';
import { t } from '../platform/i18n/messages.ts';
import { queryClient } from '../platform/http/query-client.ts';
import { classes } from './class-names.ts';
import { LastUpdated } from './last-updated.tsx';

interface ConnectionLineProps {
  className?: string;
  /** Aligns the text with the content below. */
  innerClassName: string;
}

/**
 * Shows a lost connection while it lasts. Every dialog has its own, because it covers the page's from sight, keyboard
 * and screen readers.
 */
export function ConnectionLine({ className, innerClassName }: ConnectionLineProps) {
  const state = useConnection();
  return (
    // Always mounted: a live region inserted together with its text is often not read.
    <div role="status" className={classes('bg-ink text-surface empty:hidden print:hidden', className)}>
      {state !== 'online' && (
        <div className={classes('flex flex-wrap items-center gap-x-3 py-1.5 text-[14.5px]', innerClassName)}>
          <WifiOff aria-hidden size={18} className="shrink-0" />
          <p className="min-w-0 flex-1 font-medium">
            {state === 'offline'
              ? t("You're offline. You may be seeing older data. Anything you've typed is safe.")
              : t("Can't reach the server. You may be seeing older data. Anything you've typed is safe.")}
            <LastUpdated />
          </p>
          <button
            type="button"
            onClick={() => void queryClient.refetchQueries({ type: 'active' })}
            className="min-h-11 shrink-0 rounded-control px-2 font-semibold underline underline-offset-3 outline-current!"
          >
            {t('Retry now')}
          </button>
        </div>
      )}
    </div>
  );
}
