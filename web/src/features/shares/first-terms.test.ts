import { describe, expect, it } from 'vitest';
import { anAsset, anEntry } from '../../testing/records.ts';
import { firstTerms } from './first-terms.ts';

describe('the terms with which an asset is first shared', () => {
  const own = { owner_takes_part: true, owner_hours: 10 };
  const byUse = { split_method: 'share_of_use', price_per_month: 20, owner_takes_part: true } as const;

  it('reserve as many hours for an owner who uses it, too, never fewer', () => {
    expect(firstTerms(anAsset(own), 11)).toEqual({ owner_hours: 11 });
    expect(firstTerms(anAsset(own), 10)).toEqual({});
    expect(firstTerms(anAsset(own), 5)).toEqual({});
    expect(firstTerms(anAsset({ ...own, owner_takes_part: false }), 11)).toEqual({});
    expect(firstTerms(anAsset({ ...own, split_method: 'allocation' }), 11)).toEqual({});
  });

  it('count the new hours in a limit that no one chose', () => {
    const offered = [anEntry(1, null, 10)];
    expect(firstTerms(anAsset(byUse), 30)).toEqual({ max_price_per_hour: 0.67 });
    expect(firstTerms(anAsset({ ...byUse, shared_with: offered }), 30)).toEqual({ max_price_per_hour: 0.5 });
    expect(firstTerms(anAsset({ ...byUse, price_per_month: 0 }), 30)).toEqual({ max_price_per_hour: 0 });
    expect(firstTerms(anAsset({ ...byUse, max_price_chosen: true }), 30)).toEqual({});
  });

  it('stay as they are once someone is in, or without hours', () => {
    const shared_with = [anEntry(1, 'ana', 10)];
    expect(firstTerms(anAsset({ ...own, shared_with }), 30)).toEqual({});
    expect(firstTerms(anAsset({ ...byUse, shared_with }), 30)).toEqual({});
    expect(firstTerms(anAsset(byUse), 0)).toEqual({});
  });
});
