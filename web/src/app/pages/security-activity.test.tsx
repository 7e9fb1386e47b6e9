import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorReply, fakeServer } from '../../testing/fake-server.ts';
import { openApp, prepareApp } from '../../testing/open-app.tsx';
import { serveLists } from '../../testing/records.ts';

beforeEach(prepareApp);
afterEach(cleanup);

const EVENTS = '/api/me/security-events/';

const anEvent = (id: number, change: object = {}) => ({
  id,
  event: 'signed_in',
  detail: 'password',
  count: 1,
  actor: 'user',
  actor_name: null,
  browser: 'Firefox',
  system: 'Windows',
  sign_in_id: id,
  at: '2026-03-10T10:00:00.000Z',
  last_at: '2026-03-10T10:00:00.000Z',
  ...change,
});

const HERE = { id: 1, name: null, browser: 'Firefox', system: 'Windows', current: true };

/** Serves pages of events, the first of them without a cursor. */
function serve(reply: (cursor: string | null) => { status: number; json?: object }) {
  const lists = serveLists({});
  return fakeServer((request) => {
    const { pathname, searchParams } = new URL(request.path, 'http://localhost');
    if (pathname === '/api/me/sign-ins/') {
      const times = { created_at: '2026-03-10T10:00:00.000Z', last_used_at: '2026-03-10T10:00:00.000Z' };
      return { status: 200, json: { sign_ins: [{ ...HERE, ...times }] } };
    }
    return pathname === EVENTS ? reply(searchParams.get('cursor')) : lists(request);
  });
}
const page = (results: object[], next: string | null = null) => ({ status: 200, json: { results, next } });
const list = () => screen.findByRole('list', { name: 'Security activity' });
const textsOf = async () =>
  within(await list())
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);

describe('security activity', () => {
  it('says what happened, on which device or through whom, and when', async () => {
    serve(() =>
      page([
        anEvent(9, { event: 'handover_offered', detail: null, actor: 'other', actor_name: 'ben', browser: null }),
        anEvent(8, { event: 'manager_named', detail: null, actor: 'other', browser: null }),
        anEvent(7, { event: 'two_step_off', detail: null, actor: 'administrator', browser: null, system: null }),
        anEvent(6, { event: 'sign_in_failed', detail: null, count: 12, actor: 'unknown', browser: null, system: null }),
        anEvent(5, { event: 'sign_ins_ended', detail: 'ended_by_user', count: 2 }),
        anEvent(4, { event: 'sign_ins_ended', detail: 'sign_out' }),
        anEvent(3, { detail: 'passkey' }),
        anEvent(2, { detail: 'provider' }),
        anEvent(1),
      ]),
    );
    await openApp('/settings#security-activity');
    await waitFor(async () => expect(within(await list()).getAllByText('This device')).toHaveLength(1));
    const texts = await textsOf();
    expect(texts.map((text) => text.replace(/(?:Mar|\d+ days).*$/, ''))).toEqual([
      'Asset handover offeredBy ben',
      'Co-manager addedBy Deleted user',
      "Two-step sign-in turned offBy this server's administrator",
      '12 failed sign-insUnknown browser',
      '2 sign-ins endedFirefox on Windows',
      'Signed outFirefox on Windows',
      'Signed in with a passkeyFirefox on Windows',
      'Signed in with a connected accountFirefox on Windows',
      'Signed in with a passwordThis deviceFirefox on Windows',
    ]);
    expect(within(await list()).queryByRole('button')).toBeNull();
  });

  it('lists an event of a kind that only a newer server knows', async () => {
    serve(() => page([anEvent(2, { event: 'added_later', detail: null }), anEvent(1)]));
    await openApp('/settings#security-activity');
    const texts = await textsOf();
    expect(texts).toEqual([
      expect.stringMatching(/^Security eventFirefox on Windows/),
      expect.stringMatching(/^Signed in with a password/),
    ]);
  });

  it('loads more pages, and keeps what it has if that fails', async () => {
    let fails = true;
    const received = serve((cursor) => {
      if (cursor === null) return page([anEvent(3), anEvent(2)], 'after-2');
      return fails ? errorReply(500, 'internal', 'Broken.') : page([anEvent(1, { event: 'account_created' })]);
    });
    const user = await openApp('/settings#security-activity');
    expect(await textsOf()).toHaveLength(2);
    await user.click(screen.getByRole('button', { name: 'Load more' }));
    await screen.findByText("Couldn't load earlier activity.");
    expect(await textsOf()).toHaveLength(2);
    fails = false;
    await user.click(screen.getByRole('button', { name: 'Load more' }));
    await waitFor(async () => expect(await textsOf()).toHaveLength(3));
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
    expect(screen.queryByText("Couldn't load earlier activity.")).toBeNull();
    expect(received.filter(({ path }) => path.includes('cursor=after-2')).length).toBe(2);
  });

  it('says that there is nothing yet, or that it could not be loaded', async () => {
    let fails = true;
    serve(() => (fails ? errorReply(500, 'internal', 'Broken.') : page([])));
    const user = await openApp('/settings#security-activity');
    const banner = await screen.findByText("Couldn't load your security activity.");
    expect(screen.queryByRole('list', { name: 'Security activity' })).toBeNull();
    fails = false;
    await user.click(within(banner.closest('[role=alert]')!).getByRole('button'));
    expect(await screen.findByText('No activity yet.')).toBeTruthy();
  });
});
