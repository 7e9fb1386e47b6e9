import { describe, expect, it, onTestFinished } from 'vitest';
import { setLanguage } from '../i18n/language.ts';
import { formatHours, formatMoney, parseDecimal, signedMoney } from './numbers.ts';
import { getInitial } from '../../ui/initial.ts';

describe('parseDecimal', () => {
  it.each([
    ['22.99', 22.99],
    ['22,99', 22.99],
    [' 0,5 ', 0.5],
    [',5', 0.5],
    ['7.', 7],
    ['0', 0],
    ['-3', -3],
  ])('reads %j as %d', (text, value) => {
    expect(parseDecimal(text)).toBe(value);
  });

  it.each(['', ' ', 'abc', '1,234.50', '1.234,50', '1 000', '12e3', '0x10', '.', 'Infinity', '$5'])(
    'rejects %j',
    (text) => {
      expect(parseDecimal(text)).toBeNull();
    },
  );
});

describe('formatting', () => {
  it('formats hours with a unit and one decimal', () => {
    expect([formatHours(12.5), formatHours(20), formatHours(0.333)]).toEqual(['12.5 h', '20 h', '0.3 h']);
  });

  it('formats money, including an unknown currency', () => {
    expect(formatMoney(22.99, 'USD')).toBe('$22.99');
    expect([formatMoney(1500, 'JPY'), formatMoney(1.5, 'KWD')]).toEqual(['¥1,500', 'KWD\u00A01.500']);
    expect([formatMoney(1, 'CAD'), formatMoney(1, 'CNY')]).toEqual(['CA$1.00', 'CN¥1.00']);
    // Intl shows no decimals for the Iraqi dinar, whose minor unit is a thousandth.
    expect(formatMoney(1.5, 'IQD')).toBe('IQD\u00A01.500');
    expect(formatMoney(5, 'no currency')).toBe('5.00 no currency');
  });

  it('isolates amounts in text from right to left, with the sign before the digits', () => {
    onTestFinished(() => setLanguage('en'));
    setLanguage('ar');
    expect(formatMoney(22.99, 'USD')).toBe('\u206622.99\u00A0US$\u2069');
    expect(signedMoney(-22.99, 'EUR')).toBe('\u2066−22.99\u00A0€\u2069');
  });

  it('takes a whole Unicode character as an initial', () => {
    expect([getInitial('mira'), getInitial(' 🎬 films'), getInitial('')]).toEqual(['M', '🎬', '?']);
  });
});
