import { expect, test } from 'vitest';
import { messageOf } from './error-details.ts';

test.each([
  ['its message', new Error('It broke.'), 'It broke.'],
  ['its code when it has no message', Object.assign(new Error(''), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
  [
    "in the system's words an error of the engine's file system",
    { name: 'ErrnoError', errno: 51 },
    'ENOSPC: no space left on device',
  ],
  ['name and number of one that has no such name here', { name: 'ErrnoError', errno: 1234 }, 'ErrnoError 1234'],
  [
    'the message of an object that is no Error',
    { name: 'ExitStatus', message: 'Program terminated with exit(1)', status: 1 },
    'Program terminated with exit(1)',
  ],
  ['its name when an Error says nothing', new RangeError(''), 'RangeError'],
  ['that nothing is known of an object with nothing in it', {}, 'unknown error'],
  ['a text as it is', 'It broke.', 'It broke.'],
  ['nothing at all', undefined, 'undefined'],
])('a sentence about an error tells %s', (_, error, said) => {
  expect(messageOf(error)).toBe(said);
});
