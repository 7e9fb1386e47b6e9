import { expect, test } from 'vitest';
import { messageOf } from './error-details.ts';

test.each([
  ['the message', new Error('It broke.'), 'It broke.'],
  ['the code of an error without a message', Object.assign(new Error(''), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
  [
    "an error number of the engine's file system in words",
    { name: 'ErrnoError', errno: 51 },
    'ENOSPC: no space left on device',
  ],
  ['the name and number of an unknown error number', { name: 'ErrnoError', errno: 1234 }, 'ErrnoError 1234'],
  [
    "the message of an object that isn't an Error",
    { name: 'ExitStatus', message: 'Program terminated with exit(1)', status: 1 },
    'Program terminated with exit(1)',
  ],
  ['the name of an empty Error', new RangeError(''), 'RangeError'],
  ['"unknown error" for an empty object', {}, 'unknown error'],
  ['a string unchanged', 'It broke.', 'It broke.'],
  ['undefined', undefined, 'undefined'],
])('the message of an error contains %s', (_, error, said) => {
  expect(messageOf(error)).toBe(said);
});
