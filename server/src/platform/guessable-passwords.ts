import { createRequire } from 'node:module';

/**
 * Passwords that take fewer guesses are rejected. At the 4,800 guesses a day that the sign-in limits allow, this many
 * take more than half a year.
 */
const GUESSES_MIN = 1e6;

/** Estimating takes time that grows with the square of the length, so only this many characters are judged. */
const ESTIMATED_CHARACTERS = 40;

/** The product's own names are among the first guesses. */
const PRODUCT_NAMES = ['hourshare', 'hour share', 'hour-share', 'hour_share', 'hour', 'share'];

interface Lists {
  isFrequent: (password: string) => boolean;
  guessesFor: (password: string, names: string[]) => number;
}

let lists: Promise<Lists> | undefined;

/** Loaded on first use, because the lists take about 20 MB of memory. */
async function load(): Promise<Lists> {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  // The 50,000 most frequent leaked passwords of at least eight characters. The package has no types.
  const require = createRequire(import.meta.url);
  // oxlint-disable-next-line no-unsafe-type-assertion -- its README documents this one function
  const frequent = require('fxa-common-password-list') as { test: (password: string) => boolean };
  const estimate = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
  return {
    isFrequent: (password) => frequent.test(password) || frequent.test(password.toLowerCase()),
    guessesFor: (password, names) => estimate.check(password, names).guesses,
  };
}

/**
 * Returns whether guessing finds a password soon: a frequent one, a repeat, a sequence, a row of keys, a date, a single
 * word with a digit, or the user's own names.
 */
export async function isGuessablePassword(password: string, names: string[]): Promise<boolean> {
  lists ??= load();
  const { isFrequent, guessesFor } = await lists;
  if (isFrequent(password)) return true;
  return guessesFor(password.slice(0, ESTIMATED_CHARACTERS), [...names, ...PRODUCT_NAMES]) < GUESSES_MIN;
}
