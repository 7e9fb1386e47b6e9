import { afterEach, expect, it } from 'vitest';
import { addIdentityPlace, identityQuestion, proveIdentity } from './identity.ts';

const removals: (() => void)[] = [];
const open = (place: string) => removals.push(addIdentityPlace(place)) - 1;
const close = (index: number) => removals[index]?.();

afterEach(() => removals.splice(0).forEach((remove) => remove()));

it('the check fails if there is no place to ask', async () => {
  expect(await proveIdentity()).toBe(false);
  expect(identityQuestion.get()).toBeNull();
});

it('the question appears in the topmost dialog, and stays there', async () => {
  open('page');
  open('dialog');
  const proven = proveIdentity();
  expect(identityQuestion.get()?.place).toBe('dialog');
  open('question');
  expect(identityQuestion.get()?.place).toBe('dialog');
  identityQuestion.get()?.answer(true);
  expect(await proven).toBe(true);
  expect(identityQuestion.get()).toBeNull();
});

it('closing the dialog that asks answers no; closing another one does not', async () => {
  open('page');
  const other = open('other');
  const dialog = open('dialog');
  const proven = proveIdentity();
  close(other);
  expect(identityQuestion.get()?.place).toBe('dialog');
  close(dialog);
  expect(await proven).toBe(false);
  const next = proveIdentity();
  expect(identityQuestion.get()?.place).toBe('page');
  identityQuestion.get()?.answer(false);
  expect(await next).toBe(false);
});
