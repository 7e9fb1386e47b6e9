import { t } from './messages.ts';

/** Returns sentences one after the other, as the language separates them; skips those that are null. */
export const joinSentences = (...sentences: (string | null)[]): string =>
  sentences
    .filter((sentence) => sentence !== null)
    .reduce((first, second) => t('{first} {second} [[two sentences]]', { first, second }));
