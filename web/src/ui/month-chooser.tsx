import { ChevronLeft, ChevronRight } from 'lucide-react';
import { t } from '../platform/i18n/messages.ts';
import { monthAfter, monthText } from '../platform/format/months.ts';
import { Button } from './button.tsx';

interface MonthChooserProps {
  /** `YYYY-MM` */
  month: string;
  /** The last month that can be selected. */
  current: string;
  onChange: (month: string) => void;
}

export function MonthChooser({ month, current, onChange }: MonthChooserProps) {
  const isLatest = month >= current;
  return (
    <div role="group" aria-label={t('Month')} className="-ms-3 flex items-center gap-1">
      <Button look="quiet" aria-label={t('Previous month')} onClick={() => onChange(monthAfter(month, -1))}>
        <ChevronLeft aria-hidden size={20} className="rtl:-scale-x-100" />
      </Button>
      <p aria-live="polite" className="min-w-36 text-center font-semibold">
        {monthText(month)}
      </p>
      <Button
        look="quiet"
        aria-label={t('Next month')}
        // Not `disabled`, which would drop the focus on reaching the last month.
        aria-disabled={isLatest || undefined}
        onClick={() => !isLatest && onChange(monthAfter(month, 1))}
      >
        <ChevronRight aria-hidden size={20} className="rtl:-scale-x-100" />
      </Button>
    </div>
  );
}
