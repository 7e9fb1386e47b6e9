import { createRequire } from 'node:module';

/**
 * A password that fewer guesses find is refused. At the 4,800 a day that the limits on sign-in allow, that many take more
 * than half a year.
 */
const GUESSES_MIN = 1e6;

/** The estimate takes time that grows with the square of the length. Passwords this long are told apart by their start. */
const ESTIMATED_CHARACTERS = 40;

/** The product's own names come to mind first. */
const PRODUCT_NAMES = ['hourshare', 'hour share', 'hour-share', 'hour_share', 'hour', 'share'];

interface Lists {
  isFrequent: (password: string) => boolean;
  guessesFor: (password: string, names: string[]) => number;
}

let lists: Promise<Lists> | undefined;

/** Read when first needed: together the lists take some 20 MB. */
async function load(): Promise<Lists> {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  // The 50,000 most frequent passwords of at least eight characters, as they leaked; a package without types.
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
 * Whether a password is one that guessing finds soon: a frequent one, a repeat, a sequence, a row of keys, a date, a
 * single word with a digit, or the user's own names.
 */
export async function isGuessablePassword(password: string, names: string[]): Promise<boolean> {
  lists ??= load();
  const { isFrequent, guessesFor } = await lists;
  if (isFrequent(password)) return true;
  return guessesFor(password.slice(0, ESTIMATED_CHARACTERS), [...names, ...PRODUCT_NAMES]) < GUESSES_MIN;
}
