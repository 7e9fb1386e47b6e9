import { RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../platform/i18n/messages.ts';
import { Button } from './button.tsx';
import { EmptyState } from './empty-state.tsx';
import { BrokenRing } from './ring.tsx';

interface FailedStateProps {
  title: string;
  /** What people may worry about. */
  children: ReactNode;
  onRetry: () => void;
  busy: boolean;
}

/** In place of a page whose data couldn't be loaded. */
export const FailedState = ({ title, children, onRetry, busy }: FailedStateProps) => (
  <EmptyState
    role="alert"
    title={title}
    art={<BrokenRing />}
    action={
      <Button size="large" icon={<RefreshCw aria-hidden size={18} />} busy={busy} onClick={onRetry}>
        {t('Try again')}
      </Button>
    }
  >
    {children}
  </EmptyState>
);
