import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { dateFormat } from '../../platform/i18n/language.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Wordmark } from '../../ui/brand.tsx';

/** The heading of a printed page; hidden on screens. */
export function PrintHead() {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    // The page may have been open for days. flushSync is needed because printing starts when this returns.
    const updateDate = () => flushSync(() => setNow(new Date()));
    window.addEventListener('beforeprint', updateDate);
    return () => window.removeEventListener('beforeprint', updateDate);
  }, []);
  return (
    <div className="print-head hidden print:flex">
      <p className="font-display font-bold">
        <Wordmark />
      </p>
      <p className="text-muted">
        {t('Printed on {day}', { day: dateFormat({ year: 'numeric', month: 'long', day: 'numeric' }).format(now) })}
      </p>
    </div>
  );
}
