import { describe, expect, it } from 'vitest';
import { ApiError, NoConnection } from '../../lib/http-errors.ts';
import { runningShares } from './api.ts';
import { runningHours, shareFailureText, usedHours, usedPart } from './rules.ts';

const aShare = (id: number, used: number, since: string | null = null) => ({
  id,
  asset_name: 'Figma',
  owner: 'ben',
  monthly_hours_allocated: 20,
  current_usage: used,
  usage_this_month: used,
  active_session: since !== null,
  active_since: since,
  asset: { id: 1, name: 'Figma', description: '', owner: 'ben' },
});

describe('shareFailureText', () => {
  it('returns a message for each kind of failure', () => {
    const message = (error: unknown) => shareFailureText(error, 'zoe');
    expect(message(new ApiError(400, { error: "You can't share an asset with yourself." }))).toBe(
      "You can't share an asset with yourself.",
    );
    expect(message(new ApiError(404, null))).toBe('User "zoe" not found');
    expect(message(new ApiError(400, null))).toBe('Failed to share asset. Asset may already be shared with this user.');
    expect(message(new ApiError(502, { message: 'Over quota' }))).toBe('Failed to share asset: Over quota');
    expect(message(new ApiError(500, null))).toBe('Failed to share asset: Unknown error');
    expect(message(new NoConnection())).toBe('Failed to share asset. Please try again.');
  });
});

describe('a share', () => {
  it('prefers usage_this_month over current_usage', () => {
    expect(usedHours({ ...aShare(1, 3), usage_this_month: 4 })).toBe(4);
    expect(usedHours({ current_usage: 3 })).toBe(3);
  });

  it('has used a fraction of its allowance, possibly more than all of it', () => {
    expect(usedPart(aShare(1, 25))).toBe(1.25);
  });

  it('counts only the running session as running, and never more than was used', () => {
    const since = '2026-11-21T10:00:00.000Z';
    const at = (time: string) => new Date(`2026-11-21T${time}Z`).getTime();
    expect(runningHours(aShare(1, 9, since), at('11:30:00'))).toBe(1.5);
    expect(runningHours(aShare(1, 1, since), at('11:30:00'))).toBe(1);
    expect(runningHours(aShare(1, 9, since), at('09:59:00'))).toBe(0);
    expect(runningHours(aShare(1, 9), at('11:30:00'))).toBe(0);
  });

  it('is listed as running during a session, latest first', () => {
    const shares = [aShare(1, 1, '2026-11-21T10:00:00.000Z'), aShare(2, 1), aShare(3, 1, '2026-11-21T11:00:00.000Z')];
    expect(runningShares(shares).map(({ id }) => id)).toEqual([3, 1]);
  });
});
