/** A link inside text. */
export const textLink = 'font-semibold text-accent-text underline-offset-3 hover:underline';
