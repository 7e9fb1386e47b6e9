import { expect, it } from 'vitest';
import { newPlan, NO_PLAN } from './plan-values.ts';

it('reminders are those of a cycle or of a trial', () => {
  const remindersOf = (typed: object) => newPlan({ ...NO_PLAN, reminder_days: '7, 1', ...typed }).reminder_days;
  expect(remindersOf({})).toBeUndefined();
  expect(remindersOf({ trial_until: '2026-12-01' })).toEqual([7, 1]);
  expect(remindersOf({ cycle_unit: 'year' })).toEqual([7, 1]);
});
