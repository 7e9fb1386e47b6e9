import { useSelector } from '@tanstack/react-store';
import { createContext, useContext, useEffect, useId, useState, type ComponentType } from 'react';
import { announce } from './toasts.ts';
import { addIdentityPlace, identityQuestion } from '../platform/auth/identity.ts';
import { t } from '../platform/i18n/messages.ts';

type Answer = (isProven: boolean) => void;
type Question = ComponentType<{ onDone: Answer }>;

/** Loads the question's dialog. The app provides it to signed-in users. */
export const IdentityQuestion = createContext<(() => Promise<Question>) | null>(null);

/**
 * The place that asks the user who they are: on the page, and in every dialog, because a dialog traps the focus
 * inside itself.
 */
export function IdentityPlace() {
  const id = useId();
  const load = useContext(IdentityQuestion);
  const question = useSelector(identityQuestion);
  const [loaded, setLoaded] = useState<{ Question: Question; answer: Answer } | null>(null);
  useEffect(() => (load ? addIdentityPlace(id) : undefined), [load, id]);
  const answer = question?.place === id ? question.answer : undefined;
  useEffect(() => {
    if (!answer) return;
    load?.().then(
      (Question) => setLoaded({ Question, answer }),
      () => {
        announce(t("Couldn't open this. Check your connection and try again."), { failed: true });
        answer(false);
      },
    );
  }, [load, answer]);
  // An earlier question would be replaced while the user types.
  if (answer === undefined || loaded?.answer !== answer) return null;
  return <loaded.Question onDone={answer} />;
}
