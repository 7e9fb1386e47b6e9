import { CODE_MAX_LENGTH } from '@hourshare/contract/limits';
import { Secret } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { codeAt, isOneTimeCode, keyAddress, newKey, newRecoveryCode, plain, stepOfCode } from './one-time-codes.ts';

// The key of RFC 6238, appendix B, whose codes there have eight digits.
const KEY = Secret.fromUTF8('12345678901234567890').base32;

describe('a one-time code', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at second %i is that of RFC 6238', (second, code) => {
    const moment = new Date(second * 1000);
    expect(codeAt(KEY, moment)).toBe(code);
    expect(stepOfCode(KEY, code, moment)).toBe(Math.floor(second / 30));
  });

  it('is accepted one period before and after its own, and reports its own period', () => {
    const code = codeAt(KEY, new Date(300_000));
    const stepAt = (second: number) => stepOfCode(KEY, code, new Date(second * 1000));
    expect([269, 270, 299, 300, 329, 330, 359, 360].map(stepAt)).toEqual([
      undefined,
      10,
      10,
      10,
      10,
      10,
      10,
      undefined,
    ]);
  });

  it('can be typed with a space, and otherwise has six digits', () => {
    expect(stepOfCode(KEY, ' 287 082 ', new Date(59_000))).toBe(1);
    expect(['287082', '287 082', '287-082'].every(isOneTimeCode)).toBe(true);
    expect(['28708', '2870822', '28708a', '٢٨٧٠٨٢', ''].some(isOneTimeCode)).toBe(false);
    for (const text of ['', '28708', 'x'.repeat(50), '٢٨٧٠٨٢'])
      expect(stepOfCode(KEY, text, new Date(59_000))).toBeUndefined();
  });
});

it('keys and recovery codes are random, and no recovery code looks like a one-time code', () => {
  const made = Array.from({ length: 200 }, () => [newKey(), newRecoveryCode()]).flat();
  expect(new Set(made).size).toBe(400);
  for (const text of made) expect(isOneTimeCode(text)).toBe(false);
});

it('a recovery code has 120 bits in six groups, and fits into the field for codes', () => {
  const code = newRecoveryCode();
  expect(code).toMatch(/^[a-z2-7]{4}(?:-[a-z2-7]{4}){5}$/);
  expect(Secret.fromBase32(plain(code).toUpperCase()).bytes).toHaveLength(120 / 8);
  expect(code.length).toBeLessThan(CODE_MAX_LENGTH);
});

it('the URI names the app and the account, even with special characters', () => {
  const address = new URL(keyAddress(KEY, 'mira&co?x'));
  expect(address.protocol + decodeURIComponent(address.pathname)).toBe('otpauth:/HourShare:mira&co?x');
  expect(Object.fromEntries(address.searchParams)).toEqual({
    issuer: 'HourShare',
    secret: KEY,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});
