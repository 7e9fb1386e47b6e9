import { useBlocker, type ShouldBlockFn } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { keepFocusInPage } from '../ui/focus.ts';
import { t } from '../platform/i18n/messages.ts';
import { parseDialogSearch } from '../platform/paths.ts';
import { currentSignIn } from '../platform/auth/sign-in.ts';
import {
  askWith,
  hasUnsaved,
  holdLeaving,
  unsavedForms,
  useUnsavedForms,
  type EditedForm,
} from '../platform/forms/unsaved.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { dialogOf } from './dialog-address.ts';

type Leaving = Pick<Parameters<ShouldBlockFn>[0], 'current' | 'next'>;

const dialogAt = ({ search }: Leaving['current']) => dialogOf(parseDialogSearch({ ...search }));

/** Returns the forms that lose their edits. A dialog that opens or closes over a page keeps those of the page. */
function lostForms(forms: EditedForm[], { current, next }: Leaving): EditedForm[] {
  if (current.pathname !== next.pathname) return forms;
  const closesDialog = dialogAt(current) !== null && dialogAt(current) !== dialogAt(next);
  return closesDialog ? forms.filter(({ isCovered }) => !isCovered) : [];
}

/** Someone who signed out in another tab can't save anything here. */
const losesEdits = (leaving: Leaving): boolean =>
  currentSignIn() !== null && lostForms(unsavedForms(), leaving).length > 0;

/**
 * Asks before a page or a dialog with unsaved edits is left. Dialogs are closed by navigating, so that this covers
 * Escape, Close, a press on the veil, links and the back button; the browser itself asks before a reload. During a save
 * it waits: once everything is saved, there is nothing to ask.
 */
export function DiscardQuestion() {
  const blocker = useBlocker({ shouldBlockFn: losesEdits, enableBeforeUnload: hasUnsaved, withResolver: true });
  const [action, setAction] = useState<{ proceed: () => void; reset: () => void } | null>(null);
  useEffect(() => {
    const reset = () => setAction(null);
    return askWith((run) => {
      const proceed = () => {
        reset();
        run();
      };
      // The menu that asked is gone, and can't have the focus back.
      const stay = () => {
        reset();
        keepFocusInPage();
      };
      setAction({ proceed, reset: stay });
    });
  }, []);
  const isBlocked = blocker.status === 'blocked';
  useEffect(() => {
    holdLeaving(isBlocked);
    return () => holdLeaving(false);
  }, [isBlocked]);
  const question = isBlocked ? blocker : action;
  const { forms, isSaving } = useUnsavedForms();
  const isSaved = (blocker.status === 'blocked' ? lostForms(forms, blocker) : forms).length === 0;
  const proceed = question?.proceed;
  useEffect(() => {
    if (isSaved) proceed?.();
  }, [isSaved, proceed]);
  if (!question || isSaving || isSaved) return null;
  return (
    <ConfirmDialog
      title={t('Discard changes?')}
      cancel={t('Keep editing')}
      confirm={t('Discard')}
      onConfirm={question.proceed}
      onCancel={question.reset}
    >
      <p>{t("Your edits haven't been saved.")}</p>
    </ConfirmDialog>
  );
}
