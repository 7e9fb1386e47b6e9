import { useState } from 'react';
import { t } from '../platform/i18n/messages.ts';
import { announce } from './toasts.ts';

export const importConfirmDialog = async () => (await import('./confirm-dialog.tsx')).ConfirmDialog;

type Dialog = Awaited<ReturnType<typeof importConfirmDialog>>;

/** A question that a press asks, for what the dashboard shows: its dialog loads with the first press, whose button is busy meanwhile. */
export function useQuestion<Question extends string>() {
  const [loading, setLoading] = useState<Question | null>(null);
  const [asked, setAsked] = useState<{ question: Question; Dialog: Dialog } | null>(null);
  const ask = async (question: Question) => {
    setLoading(question);
    try {
      const Dialog = await importConfirmDialog();
      setAsked({ question, Dialog });
    } catch {
      announce(t("Couldn't open this. Check your connection and try again."), { failed: true });
    }
    setLoading(null);
  };
  return { loading, asked, ask: (question: Question) => void ask(question), close: () => setAsked(null) };
}
