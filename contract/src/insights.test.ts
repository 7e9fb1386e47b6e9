import { describe, expect, it } from 'vitest';
import { Finding } from './insights.ts';

const idle = {
  kind: 'idle',
  asset_id: 3,
  asset_name: 'Films',
  currency: 'USD',
  months: 3,
  username: null,
  since: null,
  months_reached: null,
  percentage: 75,
  allocated_hours: null,
  yearly_cost: 180,
};

describe('an insight', () => {
  it('has the evidence of its kind and null in every other field', () => {
    expect(Finding.safeParse(idle).success).toBe(true);
    expect(Finding.safeParse({ ...idle, percentage: null }).success).toBe(false);
    expect(Finding.safeParse({ ...idle, username: 'ben' }).success).toBe(false);
    const { since: _, ...missing } = idle;
    expect(Finding.safeParse(missing).success).toBe(false);
  });

  it('must be of a known kind', () => {
    expect(Finding.safeParse({ ...idle, kind: 'busy' }).success).toBe(false);
  });
});
