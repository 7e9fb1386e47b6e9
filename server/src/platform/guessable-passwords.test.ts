import { describe, expect, it } from 'vitest';
import { isGuessablePassword } from './guessable-passwords.ts';

const NAMES = ['mira.smith', 'mira', 'smith', 'mira@example.org'];

describe('a guessable password', () => {
  it.each([
    [
      'a frequent one',
      ['password', 'PASSWORD', '12345678', 'qwertyuiop', 'Football', 'trustno1', 'sunshine1', 'qwer1234'],
    ],
    ['a repeat', ['00000000', 'aaaaaaaa', '!!!!!!!!', '        ', 'zaq1zaq1', 'abcabcabc', 'abababab', '1'.repeat(40)]],
    ['a sequence', ['87654321', '0123456789', 'abcdefgh', 'zyxwvuts', '13579135', '11223344']],
    ['a row of keys', ['asdfghjk', 'poiuytre', '1qaz2wsx', 'qazwsxed', '147258369', '159357159']],
    ['a date', ['19900101', '01011990', '1990-01-01', '24.12.2000', '20201231']],
    ['a word with something appended', ['summer2024', 'letmein!!', 'monkey123', 'P@ssw0rd']],
    ['the product', ['hourshare', 'HourShare', 'hourshare123', 'HourShare1', 'hour-share', 'Hour Share']],
    ["the user's own names", ['mira.smith', 'MiraSmith', 'mirasmith1', 'smith12345', 'mira@example.org']],
  ])('includes %s', async (_, passwords) => {
    const judged = await Promise.all(passwords.map((password) => isGuessablePassword(password, NAMES)));
    expect(passwords.filter((_password, index) => !judged[index])).toEqual([]);
  });

  it.each([
    'correct horse battery',
    'zq7!kvw9',
    'sommerregen-42',
    'Kaffee-um-4',
    '\u043f\u0430\u0440\u043e\u043b\u044c-\u0441\u0435\u043a\u0440\u0435\u0442',
  ])('does not include "%s"', async (password) => {
    expect(await isGuessablePassword(password, NAMES)).toBe(false);
  });

  it.each(['__proto__', 'constructor', '', '\ud800', '\u0000'])('is checked without an error: %j', async (password) => {
    expect([true, false]).toContain(await isGuessablePassword(password, NAMES));
  });
});
