import type { Explanation, Statement, StatementLine } from '@hourshare/contract/statements';
import { afterEach, describe, expect, it } from 'vitest';
import { setLanguage } from '../../platform/i18n/language.ts';
import { loadMessages } from '../../platform/i18n/messages.ts';
import { aLine, aStatement, bensLine, anExplanation, someTerms } from '../../testing/records.ts';
import {
  calculations,
  coveredText,
  explanationText,
  isSelfEvident,
  roundingText,
  silencesTexts,
  sourcesText,
} from './explanation.ts';
import type { Reader } from './rules.ts';

const SECONDS_PER_HOUR = 3600;
const june = (change: Partial<Statement> = {}) => aStatement({ month: '2026-06', ...change });

/** Returns what is said about a line: its sentences, then its calculations. */
const explain = (statement: Statement, line: StatementLine, reader: Reader = 'self') => [
  explanationText(statement, line, reader),
  ...calculations(statement, line),
];

const explainBen = (
  parts: Partial<Explanation>[],
  line: Partial<StatementLine> = {},
  { reader, ...whole }: Partial<Statement> & { reader?: Reader } = {},
) => explain(june(whole), bensLine({ explanation: parts.map(anExplanation), ...line }), reader);

describe('explaining a price per hour', () => {
  it('says what the hours cost, rounded to be read, and calculates it exactly', () => {
    const used_seconds = 5 * SECONDS_PER_HOUR + 12 * 60 + 7;
    const part = { part: used_seconds, whole: 360_000, amount: 1.04, rounding: 'down' as const };
    expect(explainBen([part], { used_seconds, amount: 1.04 })).toEqual([
      'You used 5.2 h at $0.20 an hour: $1.04.',
      '5 h 12 min 7 s × $20.00 ÷ 100 h = $1.04',
    ]);
  });

  it('says that the price of an hour is rounded, and shows one below a cent', () => {
    expect(explainBen([{ whole: 60 * SECONDS_PER_HOUR, amount: 3.33 }])[0]).toBe(
      'You used 10 h at about $0.33 an hour: $3.33.',
    );
    expect(explainBen([{ price: 1, whole: 250 * SECONDS_PER_HOUR, amount: 0.04 }])[0]).toBe(
      'You used 10 h at $0.004 an hour: $0.04.',
    );
  });

  it('shows less than a tenth of an hour to the second', () => {
    expect(explainBen([{ part: 90, amount: 0.01 }], { used_seconds: 90 }, { reader: 'owner' })).toEqual([
      'ben used 1 min 30 s at $0.50 an hour: $0.01.',
      '1 min 30 s × $20.00 ÷ 40 h = $0.01',
    ]);
  });

  it('divides by what everyone used if that is more than there was', () => {
    const used_seconds = 8 * SECONDS_PER_HOUR;
    const part = {
      kind: 'overused',
      price: 10,
      part: used_seconds,
      whole: 12 * SECONDS_PER_HOUR,
      amount: 6.67,
    } as const;
    expect(explainBen([part], { used_seconds })).toEqual([
      'You used 8 h of the 12 h everyone used: $6.67 of $10.00.',
      '8 h × $10.00 ÷ 12 h = $6.67',
    ]);
  });

  it('explains no use, a free month, and one that is not billed', () => {
    expect(explainBen([{ kind: 'used_nothing', part: 0, amount: 0 }])).toEqual([
      "You had no usage, so there's no charge.",
    ]);
    expect(explainBen([{ kind: 'used_nothing', part: 0, amount: 0 }], {}, { reader: 'owner' })).toEqual([
      "ben had no usage, so there's no charge.",
    ]);
    const free = { kind: 'free', price: 0, part: 0, whole: 0, unit: 'hours', amount: 0 } as const;
    expect(explainBen([free])).toEqual(["The price is $0.00, so there's no charge."]);
    expect(explainBen([free], {}, { unbilled: true })).toEqual(["This month isn't billed, so there's no charge."]);
  });

  it('says that the owner pays what the others do not', () => {
    const amounts = [6, 0.02, 0].map((amount, index) => bensLine({ username: `member-${index}`, amount }));
    const rest = aLine({ amount: 13.98, explanation: [anExplanation({ kind: 'rest', amount: 13.98, whole: 0 })] });
    const whole = june({ lines: [rest, ...amounts] });
    expect(explain(whole, rest, 'owner')).toEqual([
      "You cover what's left: $13.98.",
      '$20.00 − $6.00 − $0.02 = $13.98',
    ]);
    expect(explain(whole, rest, 'anyone')[0]).toBe("mira covers what's left: $13.98.");
    expect(explain(june({ lines: [aLine()] }), aLine(), 'owner')).toEqual([
      'No one else has access, so you cover the full price.',
    ]);
  });
});

describe('saying what recorded the hours', () => {
  const hours = (count: number) => count * SECONDS_PER_HOUR;

  it('names meters, presses, and additions, the most first', () => {
    const sources: StatementLine['sources'] = [
      { source: 'metered', meter: 'Jellyfin', seconds: hours(11) },
      { source: 'pressed', meter: null, seconds: hours(1) },
      { source: 'added', meter: null, seconds: hours(0.5) },
      { source: 'metered', meter: null, seconds: 60 },
    ];
    expect(sourcesText({ used_seconds: hours(12.5) + 60, sources })).toBe(
      '12.5 h: 11 h by Jellyfin, 1 h pressed, 0.5 h added, 1 min by a meter.',
    );
  });

  it('says of each meter how often it sent nothing', () => {
    const at = (day: number) => `2026-06-0${day}T00:00:00.000Z`;
    const silences = [
      { meter: 'Jellyfin', since: at(1), until: at(3) },
      { meter: 'Sauna', since: at(2), until: at(4) },
      { meter: 'Jellyfin', since: at(5), until: at(6) },
    ];
    expect(silencesTexts({ silences })).toEqual([
      'Jellyfin was silent for a day or longer 2 times: 72 h.',
      'Sauna was silent for a day or longer once: 48 h.',
    ]);
    expect(silencesTexts({ silences: [] })).toEqual([]);
  });

  it('says of one source only its name', () => {
    const sources: StatementLine['sources'] = [{ source: 'metered', meter: 'Claude Code', seconds: 60 }];
    expect(sourcesText({ used_seconds: 60, sources })).toBe('1 min by Claude Code');
  });

  it('says nothing about presses alone', () => {
    const sources: StatementLine['sources'] = [{ source: 'pressed', meter: null, seconds: 60 }];
    expect(sourcesText({ used_seconds: 60, sources })).toBeNull();
    expect(sourcesText({ used_seconds: 0, sources: [] })).toBeNull();
  });
});

describe('explaining a base share', () => {
  const base = { method: 'allocation', kind: 'allowance', price: 3, part: 20, whole: 40, unit: 'hours' } as const;

  it('explains both parts and their total', () => {
    const used_seconds = 16 * SECONDS_PER_HOUR;
    const parts = [
      { ...base, amount: 1.5 },
      { price: 9, part: used_seconds, amount: 3.6 },
    ];
    expect(explainBen(parts, { used_seconds, allocated_hours: 20, amount: 5.1 }, { base_percent: 25 })).toEqual([
      '25% of the price is split by allowance. You have 20 h a month at about $0.08 an hour: $1.50. ' +
        'The rest is split by use. You used 16 h at about $0.23 an hour: $3.60. Total: $5.10.',
      '20 h × $3.00 ÷ 40 h = $1.50',
      '16 h × $9.00 ÷ 40 h = $3.60',
    ]);
  });

  it('says once that the lower price of a month counts', () => {
    const used_seconds = 16 * SECONDS_PER_HOUR;
    const parts: Partial<Explanation>[] = [
      { ...base, kind: 'lowest', amount: 1.5 },
      { kind: 'lowest', price: 9, part: used_seconds, amount: 3.6 },
    ];
    const line = { used_seconds, allocated_hours: 20, summed_hours: 600, amount: 5.1 };
    expect(explainBen(parts, line, { base_percent: 25, reader: 'owner' })).toEqual([
      "The price rose this month, but ben's charge is still based on the lower price. " +
        '25% of the price is split by allowance. ben has 20 h a month at about $0.08 an hour: $1.50. ' +
        'The rest is split by use. ben used 16 h at about $0.23 an hour: $3.60. Total: $5.10.',
      '20 h × $3.00 ÷ 40 h = $1.50',
      '16 h × $9.00 ÷ 40 h = $3.60',
    ]);
  });

  it('has no rest at 100%', () => {
    expect(explainBen([{ ...base, amount: 1.5 }], { allocated_hours: 20 }, { base_percent: 100 })[0]).toMatch(
      /^100% of the price is split by allowance\. You have 20 h a month/,
    );
  });
});

describe('explaining a split by allowance', () => {
  const allowance = { method: 'allocation', kind: 'allowance', price: 10, part: 20, whole: 60, unit: 'hours' } as const;
  const byDay = { ...allowance, kind: 'by_day', unit: 'allowances' } as const;

  it('names the allowance that someone had all month', () => {
    expect(explainBen([{ ...allowance, amount: 3.33 }], { allocated_hours: 20 }, { reader: 'owner' })).toEqual([
      'ben has 20 h a month at about $0.17 an hour: $3.33.',
      '20 h × $10.00 ÷ 60 h = $3.33',
    ]);
  });

  it('counts the days of someone who came or went', () => {
    const line = { allocated_hours: 20, days: 3, summed_hours: 60 };
    expect(explainBen([{ ...byDay, price: 20, part: 60, whole: 600, amount: 2 }], line)).toEqual([
      'You had 20 h a month on 3 of 30 days, at $1.00 an hour: $2.00.',
      '2 h × $20.00 ÷ 20 h = $2.00',
    ]);
  });

  it('averages an allowance that changed, with an exact calculation', () => {
    const line = { allocated_hours: 25, days: 30, summed_hours: 615 };
    expect(explainBen([{ ...byDay, part: 615, whole: 1350, amount: 4.56 }], line)).toEqual([
      'You had 20.5 h a month on average, at about $0.22 an hour: $4.56.',
      '20.5 h × $10.00 ÷ 45 h = $4.56',
    ]);
    expect(explainBen([{ ...byDay, part: 617, whole: 1350, amount: 4.57 }], { ...line, summed_hours: 617 })[1]).toBe(
      '617 h ÷ 30 × $10.00 ÷ 45 h = $4.57',
    );
    expect(explainBen([{ ...byDay, part: 600, whole: 1215, amount: 4.94 }], { ...line, summed_hours: 600 })[1]).toBe(
      '20 h × $10.00 ÷ 40.5 h = $4.94',
    );
    expect(explainBen([{ ...byDay, part: 617, whole: 1351, amount: 4.57 }], { ...line, summed_hours: 617 })[1]).toBe(
      '617 h ÷ 30 × $10.00 ÷ (1,351 h ÷ 30) = $4.57',
    );
  });
});

describe('explaining an even split', () => {
  it('divides by people if someone had access all month', () => {
    const even = { method: 'equal', kind: 'even', price: 10, part: 1, whole: 3, unit: 'places', amount: 3.34 } as const;
    expect(explainBen([even])).toEqual(['Split evenly among 3 people: $3.34.', '$10.00 ÷ 3 = $3.34']);
  });

  it('counts the days of someone who had access for a part of the month', () => {
    const days = { method: 'equal', kind: 'days', price: 10, part: 15, unit: 'days' } as const;
    expect(explainBen([{ ...days, whole: 90, amount: 1.67 }], { days: 15 })).toEqual([
      'You had access on 15 of 30 days, at about $3.33 a month: $1.67.',
      '15 of 30 days × $10.00 ÷ 3 = $1.67',
    ]);
    expect(explainBen([{ ...days, whole: 91, amount: 1.65 }], { days: 15 })[1]).toBe(
      '15 of 30 days × $10.00 ÷ (91 ÷ 30) = $1.65',
    );
  });
});

it('says once that an amount is not the nearest one, because of a leftover cent', () => {
  const line = (amount: number) =>
    bensLine({ explanation: [anExplanation({ price: 19.99, part: 3, whole: 45, unit: 'hours', amount })] });
  expect(roundingText(june(), [line(1.33)])).toBeNull();
  expect(roundingText(june(), [line(1.33), line(1.34)])).toBe(
    'Amounts are rounded up or down so that together they make the price.',
  );
});

describe('explaining a share of use', () => {
  const method = 'share_of_use';
  const used_seconds = 12.5 * SECONDS_PER_HOUR;

  it('divides by what everyone used', () => {
    const share = { method, kind: 'share', price: 15.99, part: used_seconds, whole: 180_000, amount: 4 } as const;
    expect(explainBen([share], { used_seconds })).toEqual([
      'You used 12.5 h of the 50 h everyone used: $4.00 of $15.99.',
      '12 h 30 min × $15.99 ÷ 50 h = $4.00',
    ]);
  });

  it('charges at most the price of an hour', () => {
    const capped = { method, kind: 'capped', price: 1, part: used_seconds, whole: 3600, amount: 12.5 } as const;
    expect(explainBen([capped], { used_seconds })).toEqual([
      'You used 12.5 h at the highest price, $1.00 an hour: $12.50.',
      '12 h 30 min × $1.00 = $12.50',
    ]);
    // Nor is it in the calculation that this is a limit.
    expect(isSelfEvident(bensLine({ explanation: [anExplanation(capped)] }))).toBe(false);
  });
});

describe('explaining what limits a charge', () => {
  it('says what someone agreed to', () => {
    expect(explainBen([{ kind: 'agreed' }])).toEqual([
      'You used 10 h and agreed to $0.50 an hour: $5.00.',
      '10 h × $20.00 ÷ 40 h = $5.00',
    ]);
    const allowance = { method: 'allocation', kind: 'agreed', part: 600, whole: 1200, unit: 'allowances' } as const;
    expect(explainBen([{ ...allowance, amount: 10 }], { summed_hours: 600 })).toEqual([
      'You agreed to $0.50 an hour: $10.00.',
      '20 h × $20.00 ÷ 40 h = $10.00',
    ]);
    const place = {
      method: 'equal',
      kind: 'agreed',
      price: 16,
      part: 30,
      whole: 120,
      unit: 'days',
      amount: 4,
    } as const;
    expect(explainBen([place], {}, { reader: 'owner' })[0]).toBe('ben agreed to $4.00 a month: $4.00.');
  });

  it('says both parts of what someone agreed to with a base share, whatever applies now', () => {
    const used_seconds = 16 * SECONDS_PER_HOUR;
    const agreed = someTerms({ base_percent: 25, price: 12, total_hours: 40 });
    const base = {
      kind: 'agreed',
      method: 'allocation',
      price: 3,
      part: 600,
      whole: 1200,
      unit: 'allowances',
    } as const;
    const parts = [
      { ...base, amount: 1.5 },
      { kind: 'agreed', price: 9, part: used_seconds, amount: 3.6 },
    ] as const;
    const line = { used_seconds, allocated_hours: 20, summed_hours: 600, amount: 5.1, agreed };
    for (const now of [{ base_percent: 50 }, { split_method: 'equal' }] as const)
      expect(explainBen([...parts], line, now)).toEqual([
        'You agreed that 25% of the price is split by allowance. You have 20 h a month at about $0.08 an hour: $1.50. ' +
          'The rest is split by use. You used 16 h and agreed to about $0.23 an hour: $3.60. Total: $5.10.',
        '20 h × $3.00 ÷ 40 h = $1.50',
        '16 h × $9.00 ÷ 40 h = $3.60',
      ]);
    const fewerDays = { ...line, days: 15, summed_hours: 300, used_seconds: 0, amount: 0.75 };
    const idle = { kind: 'used_nothing', price: 9, part: 0, amount: 0 } as const;
    expect(explainBen([{ ...base, part: 300, amount: 0.75 }, idle], fewerDays, { reader: 'owner' })).toEqual([
      'ben agreed that 25% of the price is split by allowance. ' +
        'ben had 20 h a month on 15 of 30 days, at about $0.08 an hour: $0.75. ' +
        "The rest is split by use. ben had no usage, so there's no charge. Total: $0.75.",
      '10 h × $3.00 ÷ 40 h = $0.75',
    ]);
  });

  it('tells the owner what they cover, and until when only if a yes would end it', () => {
    expect(coveredText(june(), bensLine({ covered: 4.2, asked: true }))).toBe(
      'You cover $4.20 for ben until ben agrees.',
    );
    expect(coveredText(june(), bensLine({ covered: 4.2 }))).toBe('You cover $4.20 for ben.');
    expect(coveredText(june(), bensLine({ asked: true }))).toBeNull();
  });

  it('names the lowest price of a month in which it rose', () => {
    expect(explainBen([{ kind: 'lowest' }])).toEqual([
      'The price rose this month, but your charge is still based on $20.00: $5.00.',
      '10 h × $20.00 ÷ 40 h = $5.00',
    ]);
  });
});

describe('explaining in another language', () => {
  afterEach(() => setLanguage('en'));

  it('translates the sentences and formats the figures, in the smallest unit of the currency', async () => {
    setLanguage('de');
    await loadMessages('app');
    const even = {
      method: 'equal',
      kind: 'even',
      price: 1000,
      part: 1,
      whole: 3,
      unit: 'places',
      amount: 334,
    } as const;
    expect(explainBen([even], {}, { currency: 'JPY' }).map((text) => text.replaceAll('\u00a0', ' '))).toEqual([
      'Gleichmäßig auf 3 Personen verteilt: 334 ¥.',
      '1.000 ¥ ÷ 3 = 334 ¥',
    ]);
  });
});
