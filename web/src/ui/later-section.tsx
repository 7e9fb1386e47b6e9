import { Suspense, useState, type ReactNode } from 'react';
import { t } from '../platform/i18n/messages.ts';
import { Button } from './button.tsx';
import { Spinner } from './spinner.tsx';

interface LaterSectionProps {
  id: string;
  title: string;
  hint?: string;
  /** What its spinner says. */
  loading: string;
  children: ReactNode;
}

/** The end of a tab that loads when it is opened. */
export function LaterSection({ id, title, hint, loading, children }: LaterSectionProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section aria-labelledby={id} className="mt-8 border-t border-line pt-5">
      <div className="flex items-center justify-between gap-5">
        <div className="min-w-0">
          <h3 id={id} className="font-semibold">
            {title}
          </h3>
          {hint !== undefined && <p className="text-[14px] text-muted">{hint}</p>}
        </div>
        <Button look="outline" aria-expanded={isOpen} aria-describedby={id} onClick={() => setOpen(!isOpen)}>
          {isOpen ? t('Hide') : t('Show')}
        </Button>
      </div>
      {isOpen && (
        <Suspense fallback={<Spinner label={loading} className="py-6" />}>
          <div className="mt-4">{children}</div>
        </Suspense>
      )}
    </section>
  );
}
