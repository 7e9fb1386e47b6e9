/** Zeros of digits start at a multiple of 16 or 6 after it, in all scripts but one, whose digits stay as they are. */
function latinDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  const start = code - (code % 16);
  const value = code - (/\p{Nd}/u.test(String.fromCodePoint(start)) ? start : start + 6);
  return value >= 0 && value <= 9 ? String(value) : digit;
}

/**
 * Returns typed or pasted figures in ASCII: digits of all scripts, wide letters, and hyphens and decimal signs of all kinds; without
 * invisible characters, which come along from other apps. '٢٢٫٩٩' → '22.99'
 */
export const asciiFigures = (text: string): string =>
  text
    .normalize('NFKC')
    // Including the sign that groups thousands in Arabic.
    .replace(/[\p{Cf}\u066C]/gu, '')
    .replace(/\p{Nd}/gu, latinDigit)
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/[\u066B\u060C]/g, '.');
