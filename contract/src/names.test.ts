import { expect, it } from 'vitest';
import { hasNoAccount } from './names.ts';
import { Username } from './users.ts';

it.each(['Grandma (ana)', 'A (ana)', 'Deleted user 7'])('%s has no account, and no one can take the name', (name) => {
  expect([hasNoAccount(name), Username.safeParse(name).success]).toEqual([true, false]);
});

it.each(['ana', 'a.na_b-7'])('%s has one', (name) => {
  expect([hasNoAccount(name), Username.safeParse(name).success]).toEqual([false, true]);
});
