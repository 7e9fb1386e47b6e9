import type { Statement, StatementLine } from '@hourshare/contract/statements';
import { describe, expect, it } from 'vitest';
import { changeOf, changeText, correctableText, methodText, paidText, type Reader } from './rules.ts';
import { whyText } from './why.ts';

const whole: Statement = {
  asset_id: 3,
  asset_name: 'Films',
  owner: 'mira',
  month: '2026-06',
  ended: true,
  closed: true,
  closes_at: '2026-07-04T00:00:00.000Z',
  price: 20,
  currency: 'USD',
  split_method: 'usage',
  base_percent: 0,
  owner_hours: 0,
  offered_hours: 60,
  allotted_hour_days: 60 * 30,
  shared_days: 90,
  lines: [],
};

const bens: StatementLine = {
  id: 1,
  username: 'ben',
  role: 'member',
  used_hours: 12.5,
  allocated_hours: 20,
  days: 30,
  amount: 4.17,
  base_amount: 0,
  odd_cents: 1,
  status: 'due',
  status_since: null,
  settled: false,
};

const why = (of: Partial<Statement>, line: Partial<StatementLine>, reader: Reader = 'self') =>
  whyText({ ...whole, ...of }, { ...bens, ...line }, reader);
const owner = { role: 'owner' as const, username: 'mira', used_hours: 0, allocated_hours: 0, odd_cents: 0 };

describe('why an amount is what it is, by use', () => {
  it('spells the sum out, and says when rounding gave a cent', () => {
    expect(why({}, {})).toBe(
      'You used 12.5 h of 60 h on offer: $20.00 × 12.5 ÷ 60 = $4.17. $0.01 of it comes from rounding.',
    );
    expect(why({}, { used_hours: 30, amount: 10, odd_cents: 0 })).toBe(
      'You used 30 h of 60 h on offer: $20.00 × 30 ÷ 60 = $10.00.',
    );
  });

  it('leaves rounding out where the figures as they are written come to the amount', () => {
    expect(why({}, { used_hours: 12, amount: 4, odd_cents: 1 })).toBe(
      'You used 12 h of 60 h on offer: $20.00 × 12 ÷ 60 = $4.00.',
    );
  });

  it('names a member to the owner, and says what of it stays with the owner', () => {
    expect(why({}, { odd_cents: 0 }, 'owner')).toBe('ben used 12.5 h of 60 h on offer: $20.00 × 12.5 ÷ 60 = $4.17.');
    expect(why({}, { used_hours: 0, amount: 0 }, 'owner')).toBe('ben used nothing, and pays nothing.');
    expect(why({}, { used_hours: 0, amount: 0 })).toBe('You used nothing, and pay nothing.');
    expect(why({}, { ...owner, amount: 15.83 }, 'owner')).toBe('Hours nobody uses stay with you: $15.83 of $20.00.');
    expect(why({}, { ...owner, amount: 15.83 }, 'anybody')).toBe('Hours nobody uses stay with mira: $15.83 of $20.00.');
    expect(why({}, { ...owner, amount: 0 }, 'owner')).toBe('Every hour on offer was used, so nothing stays with you.');
    expect(why({ offered_hours: 0 }, { ...owner, amount: 20 }, 'owner')).toBe(
      'Nobody has used it, so the price stays with you.',
    );
  });

  it('takes a base part apart from the rest, as in $12.00 with 25 % and 10 h of the owner’s own', () => {
    const terms = { price: 12, base_percent: 25, owner_hours: 10, offered_hours: 40, allotted_hour_days: 40 * 30 };
    expect(why(terms, { used_hours: 16, amount: 5.1, base_amount: 1.5, odd_cents: 0 })).toBe(
      '25% of the price goes by monthly hours. You have 20 h of 40 h a month: $3.00 × 20 ÷ 40 = $1.50. ' +
        'The rest goes by use. You used 16 h of 40 h on offer: $9.00 × 16 ÷ 40 = $3.60. Together $5.10.',
    );
    expect(why({ ...terms, base_percent: 100 }, { used_hours: 16, amount: 6, base_amount: 6, odd_cents: 0 })).toBe(
      '100% of the price goes by monthly hours. You have 20 h of 40 h a month: $12.00 × 20 ÷ 40 = $6.00.',
    );
  });
});

describe('why an amount is what it is, by monthly hours', () => {
  const terms = { split_method: 'allocation' as const, price: 10 };

  it('divides by everybody’s hours', () => {
    expect(why(terms, { amount: 3.33, odd_cents: 0 })).toBe('You have 20 h of 60 h a month: $10.00 × 20 ÷ 60 = $3.33.');
    expect(why(terms, { ...owner, allocated_hours: 10, amount: 1.67, odd_cents: 1 }, 'owner')).toBe(
      'You keep 10 h of 60 h: $10.00 × 10 ÷ 60 = $1.67. $0.01 of it comes from rounding.',
    );
    expect(why(terms, { ...owner, amount: 0 }, 'owner')).toBe(
      'You keep no hours for yourself, so nothing stays with you.',
    );
  });

  it('counts a part of the month as a part of the hours', () => {
    expect(why({ ...terms, allotted_hour_days: 40 * 30 }, { days: 15, amount: 2.5, odd_cents: 0 }, 'owner')).toBe(
      'ben had 20 h a month on 15 of 30 days, which counts as 10 h of 40 h: $10.00 × 10 ÷ 40 = $2.50.',
    );
  });
});

describe('why an amount is what it is, in equal parts', () => {
  const terms = { split_method: 'equal' as const, price: 10 };

  it('divides by people where all had it all month', () => {
    expect(why(terms, { amount: 3.34 })).toBe(
      'Split in equal parts among 3: $10.00 ÷ 3 = $3.34. $0.01 of it comes from rounding.',
    );
    expect(why({ ...terms, shared_days: 30 }, { ...owner, amount: 10 }, 'owner')).toBe(
      'Nobody else has it, so the price stays with you.',
    );
  });

  it('divides by days where somebody did not', () => {
    expect(why({ ...terms, shared_days: 75 }, { days: 15, amount: 2, odd_cents: 0 })).toBe(
      'You had it on 15 of 30 days, everybody together on 75: $10.00 × 15 ÷ 75 = $2.00.',
    );
    expect(why({ ...terms, shared_days: 75 }, { ...owner, amount: 4 }, 'owner')).toBe(
      'You had it on 30 of 30 days, everybody together on 75: $10.00 × 30 ÷ 75 = $4.00.',
    );
  });
});

describe('the state of a month', () => {
  it('says how it is split, and when it closes', () => {
    expect(methodText({ split_method: 'usage', base_percent: 25 })).toBe('By actual use, 25% by monthly hours');
    expect(methodText({ split_method: 'equal', base_percent: 25 })).toBe('In equal parts');
    const closes_at = '2026-12-04T12:00:00.000Z';
    expect(correctableText({ ended: false, closed: false, closes_at })).toBe('Closes on December 4');
    expect(correctableText({ ended: true, closed: false, closes_at })).toBe('Open for corrections until December 4');
    expect(correctableText({ ended: true, closed: true, closes_at })).toBe('');
  });

  it('counts who has paid, of those who owe something', () => {
    const line = (amount: number, status: 'due' | 'paid' | null) => ({
      role: status === null ? ('owner' as const) : ('member' as const),
      amount,
      status,
    });
    expect(paidText([line(9, null), line(1, 'paid'), line(2, 'due'), line(0, 'due')])).toBe('1 of 2 paid');
    expect(paidText([line(9, null), line(1, 'paid')])).toBe('All paid');
    expect(paidText([line(9, null), line(0, 'due')])).toBe('Nobody owes anything');
  });
});

describe('what another split changes', () => {
  it('is shown with its sign', () => {
    expect([changeOf(0.1, 0.3), changeOf(2, 1.1)]).toEqual([0.2, -0.9]);
    expect([1.2, -0.4, 0].map((change) => changeText(change, 'USD'))).toEqual(['+$1.20', '−$0.40', '–']);
  });
});
