import { createAtom } from '@tanstack/react-store';

// Some calls need a recent check of who is at the keyboard. platform/http/call.ts asks for it here, and ui/identity-place.tsx shows the
// question.

interface Question {
  /** The place that shows it. */
  place: string;
  answer: (isProven: boolean) => void;
}

// The last one opened is on top.
let places: readonly string[] = [];
let asked: Promise<boolean> | null = null;

export const identityQuestion = createAtom<Question | null>(null);

/** Asks the user to prove who they are, once for all calls that currently need it. Resolves to whether they did. */
export function proveIdentity(): Promise<boolean> {
  const place = places.at(-1);
  if (place === undefined) return Promise.resolve(false);
  asked ??= new Promise<boolean>((resolve) => identityQuestion.set({ place, answer: resolve })).finally(() => {
    asked = null;
    identityQuestion.set(null);
  });
  return asked;
}

/** Adds a place for the question. Returns a function that removes it and answers no to a question shown there. */
export function addIdentityPlace(place: string): () => void {
  places = [...places, place];
  return () => {
    places = places.filter((each) => each !== place);
    const question = identityQuestion.get();
    if (question?.place === place) question.answer(false);
  };
}
