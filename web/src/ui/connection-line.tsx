import { useConnection } from '../platform/http/connection.ts';
import { t } from '../platform/i18n/messages.ts';
import { queryClient } from '../platform/http/query-client.ts';
import { classes } from './class-names.ts';
import { LastUpdated } from './last-updated.tsx';
import { PausedRing } from './ring.tsx';
import { textLink } from './text-link.ts';

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
    <div role="status" className={classes('bg-sunken empty:hidden print:hidden', className)}>
      {state !== 'online' && (
        <div className={classes('flex min-h-11 items-center gap-2.5 text-[14px]', innerClassName)}>
          <PausedRing />
          <p className="min-w-0 flex-1 font-medium">
            <LastUpdated state={state === 'offline' ? t('Offline') : t("Can't reach the server")} />
          </p>
          <button
            type="button"
            onClick={() => void queryClient.refetchQueries({ type: 'active' })}
            className={`${textLink} min-h-11 shrink-0 px-2`}
          >
            {t('Retry')}
          </button>
        </div>
      )}
    </div>
  );
}
