import type { Session } from '@hourshare/contract/sessions';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openTestApi, TEST_START, type TestApi } from '../../testing/api.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

async function household() {
  const owner = await api.register('mira');
  const member = await api.register('ben');
  const asset = await api.addAsset(owner);
  const share = await api.share(owner, asset, member);
  const actionPath = (action: string) => `/api/shared-assets/${share.id}/${action}/`;
  return {
    owner,
    member,
    asset,
    share,
    start: () => api.call<Session>('POST', actionPath('start'), { as: member }),
    end: () => api.call<Session>('POST', actionPath('end'), { as: member }),
    active: () => api.call<Session>('GET', actionPath('active-session'), { as: member }),
    logs: (query = '') =>
      api.call<{ results: Session[]; next: string | null }>('GET', actionPath('logs') + query, { as: member }),
  };
}

describe('a session', () => {
  it('starts and ends by the server’s clock', async () => {
    const { start, end, active } = await household();
    expect((await active()).status).toBe(204);

    const started = await start();
    expect(started.status).toBe(201);
    expect(started.body).toMatchObject({
      asset_name: 'Netflix Premium',
      start_time: TEST_START,
      end_time: null,
      duration: null,
    });
    expect((await active()).body).toEqual(started.body);

    api.clock.advance(90.5 * MINUTE);
    const ended = await end();
    expect(ended.status).toBe(200);
    expect(ended.body).toMatchObject({ end_time: '2026-03-10T13:30:30.000Z', duration: 90.5 });
    expect((await active()).status).toBe(204);
  });

  it('wakes the dispatcher when it starts and when it ends', async () => {
    const { start, end } = await household();
    const woken = vi.spyOn(api.deps, 'wakeDispatcher');
    onTestFinished(() => woken.mockRestore());
    await start();
    expect(woken).toHaveBeenCalledTimes(1);
    await end();
    expect(woken).toHaveBeenCalledTimes(2);
  });

  it('ends regardless of the fields a client sends', async () => {
    const { member, share, start } = await household();
    await start();
    const path = `/api/shared-assets/${share.id}/end/`;
    const body = { session_id: 1, end_time: '2020-01-01T00:00:00.000Z' };
    expect(await api.call('POST', path, { as: member, body: [] })).toMatchObject({ status: 400 });
    expect(await api.call('POST', path, { as: member, body })).toMatchObject({
      status: 200,
      body: { end_time: TEST_START },
    });
  });

  it('cannot start while one is running or end while none is', async () => {
    const { start, end } = await household();
    expect(await end()).toMatchObject({ status: 400, body: { code: 'no_active_session' } });
    await start();
    expect(await start()).toMatchObject({ status: 400, body: { code: 'session_already_running' } });
    await end();
    expect((await start()).status).toBe(201);
  });

  it('is started by exactly one of 50 concurrent requests', async () => {
    const { start, logs } = await household();
    const answers = await Promise.all(Array.from({ length: 50 }, start));
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 400)).toHaveLength(49);
    expect((await logs()).body.results).toHaveLength(1);
  });

  it('is ended by exactly one of 50 concurrent requests', async () => {
    const { start, end } = await household();
    await start();
    api.clock.advance(HOUR);
    const answers = await Promise.all(Array.from({ length: 50 }, end));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 400)).toHaveLength(49);
  });

  it('ends automatically at the asset’s session limit, and another can start', async () => {
    const { start, end, active, logs } = await household();
    await start();
    api.clock.advance(24 * HOUR - 1);
    expect((await active()).status).toBe(200);
    api.clock.advance(1);
    expect((await active()).status).toBe(204);
    expect((await logs()).body.results[0]).toMatchObject({ end_time: '2026-03-11T12:00:00.000Z', duration: 1440 });
    expect((await end()).status).toBe(400);

    api.clock.advance(HOUR);
    expect((await start()).status).toBe(201);
    expect((await logs()).body.results).toMatchObject([{ end_time: null }, { duration: 1440 }]);
  });

  it('never ends before it started, even if the server’s clock is set back', async () => {
    const { start, end } = await household();
    await start();
    api.clock.advance(-HOUR);
    expect(await end()).toMatchObject({ status: 200, body: { end_time: TEST_START, duration: 0 } });
  });

  it('is only accessible to its member', async () => {
    const { owner, share } = await household();
    const stranger = await api.register('zoe');
    for (const caller of [owner, stranger])
      for (const [method, action] of [
        ['POST', 'start'],
        ['POST', 'end'],
        ['GET', 'active-session'],
        ['GET', 'logs'],
      ] as const)
        expect(await api.call(method, `/api/shared-assets/${share.id}/${action}/`, { as: caller })).toMatchObject({
          status: 404,
          body: { code: 'not_found' },
        });
  });
});

describe('the session log', () => {
  it('lists each session once across pages, newest first', async () => {
    const { start, end, logs } = await household();
    for (let count = 0; count < 7; count++) {
      await start();
      api.clock.advance(MINUTE);
      await end();
    }
    const seen: number[] = [];
    let cursor: string | null = null;
    do {
      const page = await logs(`?limit=3${cursor === null ? '' : `&cursor=${cursor}`}`);
      expect(page.status).toBe(200);
      expect(page.body.results.length).toBeLessThanOrEqual(3);
      seen.push(...page.body.results.map((session) => session.id));
      cursor = page.body.next;
    } while (cursor !== null);
    expect(seen).toHaveLength(7);
    expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => b - a));
  });

  it.each(['?limit=0', '?limit=201', '?limit=-1', '?limit=1e9', '?limit=x', '?cursor=%00', '?cursor=x', '?page=2'])(
    'rejects %s',
    async (query) => {
      const { logs } = await household();
      expect(await logs(query)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    },
  );

  it('is empty for an unused share', async () => {
    const { logs } = await household();
    expect((await logs()).body).toEqual({ results: [], next: null });
  });
});
