import { expect, it } from 'vitest';
import { dueReminder, isVotedOn, nearSince, upcomingEvents, type Deadlines } from './rules.ts';

const yearly: Deadlines = {
  plan: {
    cycle: { every: 1, unit: 'year', anchor: '2026-03-14' },
    spread: true,
    spreadFrom: null,
    trialUntil: null,
    startedOn: null,
  },
  endsOn: null,
  endsUnlessRenewed: false,
  cancelByDays: 14,
  reminderDays: [30, 7, 1],
};

it('lists renewals of twelve months, with the last day to cancel, up to the end of the plan', () => {
  expect(upcomingEvents(yearly, '2026-03-14')).toMatchObject([
    { kind: 'renewal', on: '2026-03-14', cancelBy: '2026-02-28' },
    { kind: 'renewal', on: '2027-03-14', cancelBy: '2027-02-28', since: '2026-02-28' },
  ]);
  expect(upcomingEvents({ ...yearly, endsOn: '2027-03-14' }, '2026-05-01')).toMatchObject([
    { kind: 'end', on: '2027-03-14' },
  ]);
  const unlessRenewed = { ...yearly, endsUnlessRenewed: true };
  expect(upcomingEvents({ ...unlessRenewed, endsOn: '2027-03-14' }, '2026-05-01')).toMatchObject([
    { kind: 'renewal', on: '2027-03-14', cancelBy: '2027-02-28' },
  ]);
  expect(upcomingEvents({ ...unlessRenewed, endsOn: '2027-03-10' }, '2026-05-01')).toMatchObject([
    { kind: 'end', on: '2027-03-10' },
  ]);
  const monthly = {
    ...yearly,
    plan: { ...yearly.plan, cycle: { every: 1, unit: 'month' as const, anchor: '2026-01-31' } },
  };
  expect(upcomingEvents(monthly, '2026-02-01')).toHaveLength(12);
  const trial = { ...yearly, plan: { ...yearly.plan, trialUntil: '2027-03-13' } };
  expect(upcomingEvents(trial, '2026-05-01')).toMatchObject([
    { kind: 'trial', on: '2027-03-14', cancelBy: '2027-03-13' },
  ]);
});

it('is near for a week without reminders, and for a month if it comes rarely', () => {
  const since = (plan: Partial<Deadlines['plan']>, endsOn: string | null = null) => {
    const deadlines = { ...yearly, plan: { ...yearly.plan, ...plan }, endsOn, cancelByDays: null, reminderDays: [] };
    const [event] = upcomingEvents(deadlines, '2026-05-10');
    return event && [event.on, nearSince(event, deadlines)];
  };
  const every = (months: number) => ({ cycle: { every: months, unit: 'month' as const, anchor: '2026-05-20' } });
  expect(since(every(1))).toEqual(['2026-05-20', '2026-05-13']);
  expect(since(every(2))).toEqual(['2026-05-20', '2026-05-13']);
  expect(since(every(3))).toEqual(['2026-05-20', '2026-04-20']);
  expect(since({})).toEqual(['2027-03-14', '2027-02-12']);
  expect(since({ cycle: null, trialUntil: '2026-05-19' })).toEqual(['2026-05-20', '2026-05-12']);
  expect(since({ cycle: null }, '2026-05-20')).toEqual(['2026-05-20', '2026-04-20']);
});

it('reminds of the latest day that is due, after the deadline before and not long after its own', () => {
  const [event] = upcomingEvents(yearly, '2026-05-01');
  if (!event) throw new Error('no renewal');
  const remind = (today: string, changes: Partial<Deadlines> = {}) =>
    dueReminder(event, { ...yearly, ...changes }, today);
  expect(nearSince(event, yearly)).toBe('2027-01-29');
  expect(remind('2027-01-28')).toBeUndefined();
  expect(remind('2027-01-29')).toBe(30);
  expect(remind('2027-02-20')).toBe(30);
  expect(remind('2027-02-21')).toBe(7);
  expect(remind('2027-02-28')).toBe(1);
  expect(remind('2027-03-01')).toBeUndefined();
  expect(remind('2027-03-13', { cancelByDays: null })).toBeUndefined();
  expect(remind('2026-12-01', { reminderDays: [300] })).toBeUndefined();
  // The day of the deadline before belongs to the renewal before.
  expect(remind('2026-03-15', { reminderDays: [365] })).toBeUndefined();
  expect(remind('2026-03-15', { reminderDays: [364] })).toBe(364);
  expect(isVotedOn(event, yearly, '2027-01-28')).toBe(false);
  expect(isVotedOn(event, yearly, '2027-02-28')).toBe(true);
  expect(isVotedOn(event, yearly, '2027-03-01')).toBe(false);
  const monthly = {
    ...yearly,
    cancelByDays: null,
    plan: { ...yearly.plan, cycle: { every: 1, unit: 'month' as const, anchor: '2026-01-31' } },
  };
  const [february] = upcomingEvents(monthly, '2026-02-01');
  expect(february && dueReminder(february, monthly, '2026-02-10')).toBeUndefined();
  expect(february && dueReminder(february, monthly, '2026-02-21')).toBe(7);
  // To be canceled a month ahead, before the cycle begins that is the last.
  const aMonthAhead = { ...monthly, cancelByDays: 31 };
  const [march] = upcomingEvents(aMonthAhead, '2026-02-10').slice(1);
  expect(march).toMatchObject({ on: '2026-03-31', cancelBy: '2026-02-28' });
  expect(march && dueReminder(march, aMonthAhead, '2026-02-21')).toBe(7);
  expect(march && isVotedOn(march, aMonthAhead, '2026-02-21')).toBe(true);
});
