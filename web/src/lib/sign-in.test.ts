import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  clearSignIn,
  currentSignIn,
  followOtherTabs,
  onSignInChange,
  PUSH_ID,
  restoreSignIn,
  storeSignIn,
  type SignIn,
  UnreadableUser,
} from './sign-in.ts';
import { aUser, storeTestSignIn } from '../testing/fake-server.ts';

const fromOtherTab = (key: string | null) => window.dispatchEvent(new StorageEvent('storage', { key }));

beforeEach(() => {
  localStorage.clear();
  restoreSignIn();
});

describe('the stored sign-in', () => {
  it('uses the three storage keys of the specification', () => {
    storeSignIn({ access: 'a', refresh: 'r', user: aUser });
    expect(Object.fromEntries(Object.entries(localStorage))).toEqual({
      access_token: 'a',
      refresh_token: 'r',
      user: JSON.stringify(aUser),
    });
  });

  it('is restored on load', () => {
    storeTestSignIn('a', 'r');
    restoreSignIn();
    expect(currentSignIn()).toEqual({ user: aUser, access: 'a' });
  });

  it.each(['{', 'null', '"mira"', '{"id":1}', ''])('rejects an unreadable stored user: %s', (text) => {
    storeTestSignIn('a', 'r');
    localStorage.setItem('user', text);
    expect(restoreSignIn).toThrow(UnreadableUser);
    expect(currentSignIn()).toBeNull();
  });

  it('is removed on sign-out', () => {
    storeSignIn({ access: 'a', refresh: 'r', user: aUser });
    localStorage.setItem(PUSH_ID, '1');
    clearSignIn('logout');
    expect(localStorage).toHaveLength(0);
    expect(currentSignIn()).toBeNull();
  });
});

describe('another tab', () => {
  const watch = () => {
    const seen = vi.fn<(signIn: SignIn | null, reason: string | null) => void>();
    const unreadable = vi.fn<() => void>();
    const stops = [onSignInChange(seen), followOtherTabs(unreadable)];
    return { seen, unreadable, stop: () => stops.forEach((stop) => stop()) };
  };

  it('signs this tab out when it signs out', () => {
    storeSignIn({ access: 'a', refresh: 'r', user: aUser });
    const { seen, stop } = watch();
    localStorage.clear();
    fromOtherTab('access_token');
    fromOtherTab('user');
    stop();
    expect(seen.mock.calls).toEqual([[null, 'other tab']]);
    expect(currentSignIn()).toBeNull();
  });

  it('signs this tab in once all three keys are stored', () => {
    const { seen, stop } = watch();
    localStorage.setItem('access_token', 'a');
    fromOtherTab('access_token');
    expect(seen).not.toHaveBeenCalled();
    localStorage.setItem('user', JSON.stringify(aUser));
    fromOtherTab('user');
    stop();
    expect(seen).toHaveBeenCalledTimes(1);
    expect(currentSignIn()?.user.username).toBe('mira');
  });

  it('changes nothing here when it only refreshes its tokens', () => {
    storeSignIn({ access: 'a', refresh: 'r', user: aUser });
    const { seen, stop } = watch();
    localStorage.setItem('access_token', 'b');
    fromOtherTab('access_token');
    stop();
    expect(seen).not.toHaveBeenCalled();
  });

  it('triggers a logout when it stores unreadable data', () => {
    storeSignIn({ access: 'a', refresh: 'r', user: aUser });
    const { unreadable, stop } = watch();
    localStorage.setItem('user', '{');
    fromOtherTab('user');
    stop();
    expect(unreadable).toHaveBeenCalledTimes(1);
  });
});
