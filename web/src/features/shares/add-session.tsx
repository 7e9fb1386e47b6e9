import { useEffect, useRef, useState } from 'react';
import { t } from '../../platform/i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { takeFocus } from '../../ui/focus.ts';
import { useAddSession } from '../sessions/log-api.ts';
import { RecordForm } from './record-form.tsx';

/** What most people forget to press Start for. */
const RECENT_HOURS = [1, 2] as const;

const AddForm = ({ shareId, onDone }: { shareId: number; onDone: () => void }) => (
  <RecordForm
    label={t('Add a session')}
    verb={t('Add')}
    record={useAddSession(shareId)}
    recent={RECENT_HOURS}
    onDone={onDone}
  />
);

/** Adds a past session of the member's own; the last hours with two presses. */
export function AddSession({ shareId }: { shareId: number }) {
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const shouldRestoreFocus = useRef(false);
  // The focused field is gone.
  useEffect(() => {
    if (isOpen || !shouldRestoreFocus.current) return;
    shouldRestoreFocus.current = false;
    takeFocus(opener.current);
  }, [isOpen]);
  return (
    <div className="mb-4">
      {isOpen ? (
        <AddForm
          shareId={shareId}
          onDone={() => {
            shouldRestoreFocus.current = true;
            setOpen(false);
          }}
        />
      ) : (
        <Button ref={opener} look="outline" size="small" onClick={() => setOpen(true)}>
          {t('Add a session')}
        </Button>
      )}
    </div>
  );
}
