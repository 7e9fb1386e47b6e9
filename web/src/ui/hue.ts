/** The eight hues that tell people apart (tokens.css). */
const HUES = ['m1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7', 'm8'] as const;
export type Hue = (typeof HUES)[number];

/** Returns a person's hue by its number on the wire, or by the id of the user; "none" for someone whose account is gone. */
export const hueOf = (number: number | null | undefined): Hue | 'none' =>
  typeof number === 'number' ? (HUES[number % HUES.length] ?? 'none') : 'none';
