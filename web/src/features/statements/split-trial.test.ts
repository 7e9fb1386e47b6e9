import { describe, expect, it } from 'vitest';
import { anAsset, anEntry } from '../../testing/records.ts';
import { allocationProblem, buildTrial } from './split-trial.ts';

describe('buildTrial', () => {
  const asset = anAsset({ owner_hours: 5, shared_with: [anEntry(1, 'ben', 20), anEntry(2, null, null)] });
  const terms = { split_method: 'usage' as const, base_percent: 0, owner_hours: 5 };

  it('returns null when nothing differs or a value is invalid', () => {
    expect(buildTrial(asset, {}, {})).toBeNull();
    expect(buildTrial(asset, { owner_hours: '5', base_percent: '0' }, { ben: '20' })).toBeNull();
    for (const typed of [{ owner_hours: '' }, { owner_hours: '745' }, { base_percent: '101' }, { base_percent: '1.5' }])
      expect(buildTrial(asset, typed, {})).toBeNull();
    expect(buildTrial(asset, { owner_hours: '6' }, { ben: '0' })).toBeNull();
  });

  it('includes all terms and the changed allowances', () => {
    expect(buildTrial(asset, { split_method: 'equal' }, {})).toEqual({ ...terms, split_method: 'equal' });
    expect(buildTrial(asset, {}, { ben: '30' })).toEqual({ ...terms, allocations: { ben: 30 } });
  });

  it('includes what an hour costs at most under a share of use only', () => {
    const typed = { split_method: 'share_of_use', max_price_per_hour: '0.75' } as const;
    const shared = { ...terms, split_method: 'share_of_use' };
    expect(buildTrial(asset, typed, {})).toEqual({ ...shared, max_price_per_hour: 0.75 });
    expect(buildTrial(asset, { ...typed, max_price_per_hour: '' }, {})).toEqual({
      ...shared,
      max_price_per_hour: null,
    });
    const stored = anAsset({ ...asset, split_method: 'share_of_use', max_price_per_hour: 0.75 });
    expect(buildTrial(stored, { ...typed, max_price_per_hour: '' }, {})).toEqual({
      ...shared,
      max_price_per_hour: null,
    });
    expect(buildTrial(asset, { ...typed, max_price_per_hour: 'x' }, {})).toBeNull();
    expect(buildTrial(asset, { ...typed, split_method: 'usage' }, {})).toBeNull();
  });

  it('is split evenly if it is no longer measured', () => {
    expect(buildTrial(asset, { measured: false }, {})).toEqual({ ...terms, split_method: 'equal' });
  });
});

it('allocationProblem returns the valid range for an invalid allowance', () => {
  expect(['0', '745', '1.5', '', 'x'].map(allocationProblem)).toEqual(Array.from({ length: 5 }, () => '1 to 744'));
  expect([undefined, '1', '744'].map(allocationProblem)).toEqual([undefined, undefined, undefined]);
});
