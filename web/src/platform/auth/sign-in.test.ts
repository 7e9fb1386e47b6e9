// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  changeStoredUser,
  currentSignIn,
  followOtherTabs,
  onSignInChange,
  restoreSignIn,
  storeSignIn,
  type SignIn,
  UnreadableUser,
} from './sign-in.ts';
import { aUser, storeTestSignIn } from '../../testing/fake-server.ts';

const { payment_details: _details, email_change: _change, email_confirmed: _confirmed, ...storedUser } = aUser;

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
      user: JSON.stringify(storedUser),
    });
  });

  it('keeps neither how to pay the user nor a new address in storage, only in this page', () => {
    const secret = {
      iban: 'DE89370400440532013000',
      link: 'https://pay.example/',
      text: '555',
      methods: [{ kind: 'phone' as const, value: '5551234', holder: null, town: null }],
    };
    const change = { email: 'new@example.org', expires_at: '2026-11-23T12:00:00.000Z' };
    const user = { ...aUser, payment_details: secret, email_change: change };
    storeSignIn({ access: 'a', refresh: 'r', user });
    expect(JSON.stringify(Object.entries(localStorage))).not.toMatch(/DE89|pay\.example|555|new@example/);
    expect(currentSignIn()?.user).toEqual(user);
    changeStoredUser({ language: 'de' });
    expect(localStorage.getItem('user')).toBe(JSON.stringify({ ...storedUser, language: 'de' }));
    expect(currentSignIn()?.user).toEqual({ ...user, language: 'de' });
  });

  it('takes no data of another user', () => {
    storeTestSignIn('a', 'r');
    restoreSignIn();
    changeStoredUser({ id: aUser.id + 1, language: 'de' });
    expect(currentSignIn()).toEqual({ user: aUser });
    expect(localStorage.getItem('user')).not.toContain('"de"');
  });

  it('is restored on load', () => {
    storeTestSignIn('a', 'r');
    restoreSignIn();
    expect(currentSignIn()).toEqual({ user: aUser });
  });

  it.each(['{', 'null', '"mira"', '{"id":1}', ''])('rejects an unreadable stored user: %s', (text) => {
    storeTestSignIn('a', 'r');
    localStorage.setItem('user', text);
    expect(restoreSignIn).toThrow(UnreadableUser);
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

  it('changes the user here when it edits them, and leaves what it does not store', () => {
    storeSignIn({ access: 'a', refresh: 'r', user: aUser });
    const { seen, stop } = watch();
    localStorage.setItem('user', JSON.stringify({ ...storedUser, language: 'de' }));
    fromOtherTab('user');
    fromOtherTab('user');
    stop();
    expect(seen.mock.calls).toEqual([[{ user: { ...aUser, language: 'de' } }, 'edited']]);
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
