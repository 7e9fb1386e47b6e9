import ICAL from 'ical.js';
import type { CalendarAddress } from '@hourshare/contract/calendar';
import { CHECK_MINUTES } from '@hourshare/contract/limits';
import type { SharedAsset } from '@hourshare/contract/shares';
import type { SignedIn } from '@hourshare/contract/sign-ins';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, TEST_PASSWORD, type TestApi } from '../../testing/api.ts';
import { disableAccount, enableAccount } from '../accounts/administration/service.ts';
import { createResetLink } from '../sign-ins/recovery/service.ts';

const MINUTE = 60_000;
const NAME = 'Café; "Büro", 🚲\\ und ein Name, der mit allem, was er sagt, nicht in eine Zeile passt';

let api: TestApi;
let owner: SignedIn;
let member: SignedIn;
let share: SharedAsset;
beforeAll(async () => {
  api = await openTestApi({ APP_URL: 'https://hours.example.org' });
});
beforeEach(async () => {
  await api.reset();
  [owner, member] = [await api.register('mira'), await api.register('ben')];
  share = await api.share(owner, await api.addAsset(owner, { name: NAME }), member);
});
afterAll(() => api.close());

const make = (as: SignedIn, headers: Record<string, string> = {}) =>
  api.call<CalendarAddress>('POST', '/api/me/calendar/', { as, headers });
const pathOf = async (as: SignedIn) => new URL((await make(as)).body.address).pathname;
const since = async (as: SignedIn) =>
  (await api.call<{ since: string | null }>('GET', '/api/me/calendar/', { as })).body.since;
const statusOf = async (path: string) => (await api.call('GET', path)).status;
const press = (action: 'start' | 'end', id = share.id) =>
  api.call('POST', `/api/shared-assets/${id}/${action}/`, { as: member });

/** Returns the events of a calendar, as a program reads them. */
async function eventsAt(path: string) {
  const { status, text } = await api.call('GET', path);
  expect(status).toBe(200);
  const calendar = new ICAL.Component(ICAL.parse(text) as unknown[] as never);
  return calendar.getAllSubcomponents('vevent').map((each) => {
    const event = new ICAL.Event(each);
    return {
      uid: event.uid,
      summary: event.summary,
      start: event.startDate.toJSDate().toISOString(),
      end: event.endDate.toJSDate().toISOString(),
      url: String(each.getFirstPropertyValue('url')),
    };
  });
}

describe('a calendar', () => {
  it('has the sessions of its user, and when their months close', async () => {
    const [path, ofOwner] = [await pathOf(member), await pathOf(owner)];
    await press('start');
    api.clock.advance(90 * MINUTE);
    await press('end');
    const session = {
      uid: 'session-1@hours.example.org',
      summary: NAME,
      start: '2026-03-10T12:00:00.000Z',
      end: '2026-03-10T13:30:00.000Z',
      url: `https://hours.example.org/shared?share=${share.id}&tab=sessions`,
    };
    const closing = {
      uid: `closing-${share.asset.id}-2026-03@hours.example.org`,
      summary: `March 2026 of ${NAME} closes`,
      start: '2026-04-04T00:00:00.000Z',
      end: '2026-04-04T00:00:00.000Z',
      url: `https://hours.example.org/costs/${share.asset.id}/2026-03`,
    };
    expect(await eventsAt(path)).toEqual([session, closing]);
    // The owner has the closing, and not the session of someone else.
    expect(await eventsAt(ofOwner)).toEqual([closing]);
  });

  it('has sessions for a year', async () => {
    const path = await pathOf(member);
    await press('start');
    await press('end');
    const hasSession = async () => (await eventsAt(path)).some(({ uid }) => uid.startsWith('session-'));
    api.clock.advance(366 * 24 * 60 * MINUTE - 1000);
    expect(await hasSession()).toBe(true);
    api.clock.advance(2000);
    expect(await hasSession()).toBe(false);
  });

  it('shows a session that is active as far as it goes, in the language of its user', async () => {
    await api.call('PATCH', '/api/me/', { as: member, body: { language: 'de' } });
    const path = await pathOf(member);
    await press('start');
    const [begun] = await eventsAt(path);
    expect(begun).toMatchObject({ summary: `${NAME}: läuft`, end: '2026-03-10T12:00:00.000Z' });
    api.clock.advance(30 * MINUTE);
    const [running, closing] = await eventsAt(path);
    expect(running).toMatchObject({ uid: begun?.uid, end: '2026-03-10T12:30:00.000Z' });
    expect(closing?.summary).toBe(`März 2026 von ${NAME} wird abgeschlossen`);
  });

  it('has when a month was closed, also of access that has ended, and nothing of offers or of what no one shares', async () => {
    const { assetId } = await api.billedAsset(owner, member, '2026-02');
    await api.offer(owner, await api.addAsset(owner, { name: 'Offered' }), member);
    await api.addAsset(member, { name: 'Alone' });
    await api.call('POST', `/api/shared-assets/${share.id}/leave/`, { as: member });
    expect((await eventsAt(await pathOf(member))).map(({ uid, start }) => [uid, start])).toEqual([
      [`closing-${share.asset.id}-2026-03@hours.example.org`, '2026-04-04T00:00:00.000Z'],
      [`closing-${assetId}-2026-03@hours.example.org`, '2026-04-04T00:00:00.000Z'],
      [`closing-${assetId}-2026-02@hours.example.org`, '2026-03-10T12:00:00.000Z'],
    ]);
  });

  it('is a file that may be kept for 15 minutes, with lines of at most 75 bytes', async () => {
    const { text, headers } = await api.call('GET', await pathOf(member));
    expect(headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'cache-control': 'private, max-age=900',
      'content-disposition': 'attachment; filename="hourshare.ics"',
    });
    const lines = text.split('\r\n');
    expect(lines.at(-1)).toBe('');
    for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(text).not.toContain('\uFFFD');
    expect(lines).toContain('REFRESH-INTERVAL;VALUE=DURATION:PT15M');
  });
});

describe('its address', () => {
  it('is stored only as a hash, and shown once', async () => {
    const { status, body } = await make(member);
    expect(status).toBe(201);
    const [, token = ''] =
      /^https:\/\/hours\.example\.org\/api\/calendar\/([\w-]{43,44})\.ics$/.exec(body.address) ?? [];
    expect(token).not.toBe('');
    const rows = JSON.stringify(await api.deps.db.selectFrom('calendar_feeds').selectAll().execute());
    expect(rows).not.toContain(token);
    expect(await since(member)).toBe('2026-03-10T12:00:00.000Z');
    expect(await since(owner)).toBeNull();
  });

  it('is the same when its making is repeated, and kept encrypted for that', async () => {
    const headers = { 'idempotency-key': 'one' };
    const first = await make(member, headers);
    expect((await make(member, headers)).text).toBe(first.text);
    const kept = JSON.stringify(await api.deps.db.selectFrom('idempotency_keys').selectAll().execute());
    expect(kept).not.toContain(first.body.address.slice(-30));
  });

  it('needs a recent check, so that no one else makes one on an unlocked device', async () => {
    api.clock.advance(CHECK_MINUTES * MINUTE);
    expect(await make(member)).toMatchObject({ status: 403, body: { code: 'check_required' } });
    expect(await since(member)).toBeNull();
    await api.call('POST', '/api/me/check/', { as: member, body: { current_password: TEST_PASSWORD } });
    expect((await make(member)).status).toBe(201);
  });

  it('stops at once when it is replaced, removed, or its account is disabled', async () => {
    const first = await pathOf(member);
    const second = await pathOf(member);
    expect([await statusOf(first), await statusOf(second)]).toEqual([404, 200]);
    const remove = () => api.call('DELETE', '/api/me/calendar/', { as: member });
    expect((await remove()).status).toBe(204);
    expect((await remove()).status).toBe(204);
    expect(await statusOf(second)).toBe(404);
    const third = await pathOf(member);
    await disableAccount(api.deps, member.user.id);
    expect(await statusOf(third)).toBe(404);
    await enableAccount(api.deps, member.user.id);
    expect(await statusOf(third)).toBe(404);
    const { body } = await api.call<{ results: { event: string }[] }>('GET', '/api/me/security-events/', {
      as: (await api.call<SignedIn>('POST', '/api/login/', { body: { username: 'ben', password: TEST_PASSWORD } }))
        .body,
    });
    const told = body.results.map(({ event }) => event).filter((event) => event.startsWith('calendar'));
    expect(told.toSorted()).toEqual([
      ...Array.from({ length: 3 }, () => 'calendar_address_made'),
      ...Array.from({ length: 2 }, () => 'calendar_address_removed'),
    ]);
  });

  it('stops when its account is deleted, or gets a password from a link', async () => {
    const [ofOwner, ofMember] = [await pathOf(owner), await pathOf(member)];
    const link = await createResetLink(api.deps, member.user.id);
    const reset = { token: link?.replace(/^.*#/, ''), password: 'yet another battery' };
    expect((await api.call('POST', '/api/password-reset/confirm/', { body: reset })).status).toBe(204);
    expect(await statusOf(ofMember)).toBe(404);
    const body = { current_password: TEST_PASSWORD, keep_name: true };
    expect((await api.call('DELETE', '/api/me/', { as: owner, body })).status).toBe(204);
    expect(await statusOf(ofOwner)).toBe(404);
    expect(await api.deps.db.selectFrom('calendar_feeds').selectAll().execute()).toEqual([]);
  });

  it.each(['x', 'A'.repeat(43), '%00', "' or 1=1 --"])('finds nothing if it was never made: %s', async (token) => {
    await pathOf(member);
    expect(await api.call('GET', `/api/calendar/${token}.ics`)).toMatchObject({
      status: 404,
      body: {
        code: 'not_found',
        detail: 'english_only',
        error: 'This calendar address no longer works. Make a new one in Settings.',
      },
    });
  });
});

it('is read at most 60 times an hour', async () => {
  const limited = await openTestApi({ RATE_LIMIT: 'on' });
  try {
    const [lou, kim] = [await limited.register('lou'), await limited.register('kim')];
    const path = async (as: SignedIn) =>
      new URL((await limited.call<CalendarAddress>('POST', '/api/me/calendar/', { as })).body.address).pathname;
    const [ofLou, ofKim] = [await path(lou), await path(kim)];
    const statuses: number[] = [];
    for (let read = 0; read < 61; read += 1) statuses.push((await limited.call('GET', ofLou)).status);
    expect(statuses.indexOf(429)).toBe(60);
    expect((await limited.call('GET', ofKim)).status).toBe(200);
    limited.clock.advance(60 * MINUTE);
    expect((await limited.call('GET', ofLou)).status).toBe(200);
  } finally {
    await limited.close();
  }
});
