import { Check } from 'lucide-react';
import { useState } from 'react';
import { t } from '../platform/i18n/messages.ts';
import { saveForms, useUnsavedForms } from '../platform/forms/unsaved.ts';
import { Button } from './button.tsx';
import { DialogFooter } from './dialog.tsx';

interface SaveFooterProps {
  onClose: () => void;
  /** Shows a form that could not be saved. */
  onShow: (place: string) => void;
  /** The place of the form that closes the dialog once saved. */
  closing: string;
  /** Whether what is shown has a form that this saves. */
  hasForm?: boolean;
}

/** The end of a dialog with several forms: whether there are unsaved edits, and one button that saves them all. */
export function SaveFooter({ onClose, onShow, closing, hasForm = true }: SaveFooterProps) {
  const { forms: all, isSaving } = useUnsavedForms();
  const forms = all.filter(({ isCovered }) => !isCovered);
  const [hasFailed, setHasFailed] = useState(false);
  const savable = forms.filter(({ save }) => save !== undefined);
  const isIdle = savable.length === 0;
  // Stays once there was something to save: the button may have the focus.
  const [wasNeeded, setNeeded] = useState(false);
  if (!wasNeeded && forms.length > 0) setNeeded(true);
  const isNeeded = hasForm || wasNeeded;
  const save = async () => {
    setHasFailed(false);
    const isLast = ({ place }: { place: string }) => Number(place === closing);
    const failed = await saveForms(savable.toSorted((a, b) => isLast(a) - isLast(b)));
    setHasFailed(failed !== undefined);
    if (failed) onShow(failed.place);
  };

  return (
    <DialogFooter>
      {isNeeded && (
        <p
          className={`me-auto flex min-w-0 items-center gap-2 text-[14px] text-muted max-sm:basis-full ${forms.length === 0 ? 'max-sm:sr-only' : ''}`}
        >
          {isSaving ? (
            t('Saving...')
          ) : forms.length === 0 ? (
            <>
              <Check aria-hidden size={16} className="shrink-0" />
              {t('All changes saved')}
            </>
          ) : hasFailed && !isIdle ? (
            <span className="font-medium text-over-text">{t("Couldn't save your changes.")}</span>
          ) : (
            <>
              <span aria-hidden className="size-2 shrink-0 rounded-full bg-accent" />
              {t('Unsaved changes.')}
            </>
          )}
        </p>
      )}
      <Button look="outline" onClick={onClose}>
        {t('Close [[dialog]]')}
      </Button>
      {isNeeded && (
        <Button
          // Not disabled: it keeps the focus.
          busy={isSaving}
          aria-disabled={isIdle || undefined}
          onClick={() => !isIdle && void save()}
        >
          {isSaving ? t('Saving...') : t('Save Changes')}
        </Button>
      )}
    </DialogFooter>
  );
}
