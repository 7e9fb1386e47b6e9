/** Returns the initial of a name: the first whole Unicode character. */
export const getInitial = (name: string): string => (Array.from(name.trim())[0] ?? '?').toUpperCase();
