import { CircleAlert, Info } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../platform/i18n/messages.ts';
import { classes } from './class-names.ts';

interface BannerProps {
  tone?: 'error' | 'note';
  children: ReactNode;
  /** Adds a button that retries. */
  onRetry?: (() => void) | undefined;
  className?: string;
}

export function Banner({ tone = 'error', children, onRetry, className }: BannerProps) {
  const Icon = tone === 'error' ? CircleAlert : Info;
  return (
    <div
      role={tone === 'error' ? 'alert' : 'status'}
      className={classes(
        'flex items-center gap-3 rounded-control px-3.5 py-2.5 text-[14.5px]',
        tone === 'error' ? 'bg-over-soft text-over-text' : 'bg-sunken text-muted',
        className,
      )}
    >
      <Icon aria-hidden size={18} className="shrink-0" />
      <p className="min-w-0 flex-1 font-medium [overflow-wrap:anywhere]">{children}</p>
      {onRetry && (
        <button
          type="button"
          onClick={onRetry}
          className="-my-2 min-h-11 shrink-0 rounded-control px-2 font-semibold underline underline-offset-3"
        >
          {t('Try again')}
        </button>
      )}
    </div>
  );
}
