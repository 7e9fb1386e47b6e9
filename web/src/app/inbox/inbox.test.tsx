import type { EditedSession } from '@hourshare/contract/statements';
import type { SharedAsset } from '@hourshare/contract/shares';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { errorReply, fakeServer, type Received } from '../../testing/fake-server.ts';
import { openApp, prepareApp } from '../../testing/open-app.tsx';
import {
  aBalance,
  aCost,
  anAsset,
  anEntry,
  anOffer,
  aSettlement,
  aShare,
  aStatement,
  bensLine,
  list,
  serveLists,
  someTerms,
} from '../../testing/records.ts';
import { followSignIn } from '../follow-sign-in.ts';

type Lists = Parameters<typeof serveLists>[0];

followSignIn();

beforeEach(prepareApp);
afterEach(cleanup);

const session: EditedSession = {
  session_id: 5,
  username: 'mira',
  by_owner: false,
  kind: 'corrected',
  at: '2026-11-20T12:00:00.000Z',
  recorded_start: '2026-11-18T18:00:00.000Z',
  recorded_end: '2026-11-18T21:00:00.000Z',
  start_time: '2026-11-18T18:00:00.000Z',
  end_time: '2026-11-18T19:00:00.000Z',
  objection: null,
  objected_by: null,
  request: null,
};
const times = { start_time: session.start_time, end_time: session.end_time };
const requested: EditedSession = {
  ...session,
  username: 'ben',
  kind: 'requested',
  request: { status: 'open', requested_at: session.at, ...times, waits_for_you: true },
};
const handover: SharedAsset['handover'] = {
  from_month: '2026-12',
  expires_at: '2026-11-28T12:00:00.000Z',
  accepted: false,
  offered_at: '2026-11-14T12:00:00.000Z',
  max_session_hours: 24,
  time_zone: 'UTC',
  version: '1',
  members: 2,
  stay_hours: null,
  price: 20,
  next_price: null,
  currency: 'USD',
  split_method: 'usage',
  base_percent: 0,
  owner_hours: 0,
  max_price_per_hour: null,
  owner_takes_part: false,
  measured: true,
};
const statementWith = (...edited_sessions: EditedSession[]) =>
  aStatement({ asset_id: 1, closed: false, edited_sessions });
const added = { ...anEntry(9, 'chen', 10), unconfirmed: true };

const offered: Lists = { shares: [anOffer()] };
const asked: Lists = { shares: [aShare({ asked: true, terms: someTerms({ price: 30 }), agreed: someTerms() })] };
const sent: Lists = { balances: [aBalance({ they_sent: 5 })] };
const objected: Lists = {
  shares: [aShare()],
  statements: [statementWith({ ...session, objection: 'open', objected_by: 'zoe' })],
};

const proposed: Lists = { statements: [aStatement({ costs: [aCost({ version: 2 })] })] };
const above: Lists = {
  shares: [aShare()],
  statements: [
    aStatement({
      asset_id: 1,
      asset_name: 'Figma',
      owner: 'ben',
      costs: [aCost({ status: 'counted' })],
      lines: [
        bensLine({
          username: 'mira',
          costs: [{ id: 1, amount: 0, split_amount: 18, standing: 'asked', explanation: [] }],
        }),
      ],
    }),
  ],
};

const refused = errorReply(409, 'conflict', 'Not now.');
const payment = aSettlement({ can: { confirm: true, reject: true, undo: null, withdraw: false } });

/** Opens a page for someone with these lists and a payment to confirm, and answers what they send. */
async function show(
  lists: Lists,
  { address = '/dashboard', answer = refused }: { address?: string; answer?: { status: number; json: object } } = {},
) {
  const received: Received[] = fakeServer((request) => {
    if (request.method !== 'GET') return answer;
    return request.path === '/api/settlements/' ? list(payment) : serveLists(lists)(request);
  });
  const user = await openApp(address);
  return { user, sent: () => received.filter(({ method }) => method !== 'GET').map(({ path }) => path) };
}

const inbox = async () => within(await screen.findByRole('region', { name: /^Waiting for you/ }));

describe('what waits for the user', () => {
  it.each<[kind: string, lists: Lists, title: string, text: RegExp, button: string, path: string]>([
    ['an offer', offered, 'ben shares Figma', /All of it costs you/, 'Accept Figma', '/api/shared-assets/7/accept/'],
    [
      'dearer terms',
      asked,
      'New terms for Figma',
      /Until you agree, ben covers the difference/,
      'Agree to the new terms of Figma',
      '/api/shared-assets/7/agree/',
    ],
    [
      'a handover',
      { shares: [aShare({ handover })] },
      'ben hands over Figma',
      /You'll pay \$20\.00 a month/,
      'Take over Figma',
      '/api/shared-assets/7/handover/accept/',
    ],
    ['a payment', sent, 'ben sent $5.00', /Films/, 'Confirm $5.00 from ben', '/api/settlements/9/confirm/'],
    [
      'a cost to count',
      proposed,
      'ben asks to count $60.00 for Films',
      /Fuel, Nov 12, \$60\.00 paid by ben, by use/,
      'Count Fuel',
      '/api/assets/3/costs/1/answer/',
    ],
    [
      'a cost above the limit',
      above,
      'ben asks you to pay $18.00 for Figma',
      /Fuel, Nov 12, \$60\.00 paid by ben, by use.*Without your yes, ben covers it\./,
      'Say yes to Fuel',
      '/api/shared-assets/7/costs/1/answer/',
    ],
    [
      'a request',
      { assets: [anAsset({ id: 1 })], statements: [statementWith(requested)] },
      'ben asks to change a session',
      /ben asked to change 3 h .* to 1 h/,
      "Accept ben's edit of the session from",
      '/api/assets/1/sessions/5/request/accept/',
    ],
    [
      'what a co-manager added',
      { assets: [anAsset({ shared_with: [added] })] },
      'chen was given 10 h of Films',
      /changes prices once you confirm it/,
      'Confirm what was added for chen',
      '/api/assets/3/share/9/confirm/',
    ],
  ])('is %s, with a button that answers it', async (_, lists, title, text, button, path) => {
    const { user, sent: requests } = await show(lists);
    const item = await (await inbox()).findByRole('listitem', { name: title });
    expect(item.textContent).toMatch(text);
    await user.click(within(item).getByRole('button', { name: (name) => name.startsWith(button) }));
    await waitFor(() => expect(requests()).toEqual([path]));
  });

  it('is an offer that says what will record the use, to which accepting agrees', async () => {
    const meters = [
      { id: 3, name: 'Jellyfin', kind: 'sessions' as const },
      { id: 4, name: 'Claude Code', kind: 'totals' as const },
    ];
    const received: Received[] = fakeServer((request) =>
      request.method === 'GET' ? serveLists({ shares: [anOffer({ meters })] })(request) : refused,
    );
    const user = await openApp('/dashboard');
    const item = within(await (await inbox()).findByRole('listitem', { name: 'ben shares Figma' }));
    item.getByText('Accepting lets Jellyfin and Claude Code record your use. You can stop it anytime.');
    expect(item.queryByRole('button', { name: /^Accept and start/ })).toBeNull();
    await user.click(item.getByRole('button', { name: 'Accept Figma' }));
    await waitFor(() =>
      expect(received.find(({ method }) => method === 'POST')?.body).toMatchObject({ meters: [3, 4] }),
    );
  });

  it('is an objection, by the one who raised it, with a question before the recorded times count', async () => {
    const { user, sent: requests } = await show(objected);
    const item = (await inbox()).getByRole('listitem', { name: 'zoe objects to your edit' });
    expect(item.textContent).toContain('mira changed 3 h');
    await user.click(within(item).getByRole('button', { name: /^Restore the recorded times of the session/ }));
    const question = within(await screen.findByRole('alertdialog', { name: 'Restore the recorded times?' }));
    await user.click(question.getByRole('button', { name: 'Restore' }));
    await waitFor(() => expect(requests()).toEqual(['/api/shared-assets/7/logs/5/objection/agree/']));
  });

  describe.each([
    { page: 'the dashboard', address: '/dashboard' },
    { page: 'the bell', address: '/settings' },
  ])('a cost, on $page', ({ address }) => {
    async function open(lists: Lists, answer: { status: number; json: object }) {
      const received: Received[] = fakeServer((request) => {
        if (request.method !== 'GET') return answer;
        // What is read again after the answer doesn't come.
        const isAnswered = received.some(({ method }) => method !== 'GET');
        return isAnswered && answer.status === 200 ? new Promise<never>(() => {}) : serveLists(lists)(request);
      });
      const user = await openApp(address);
      if (address === '/settings') await user.click(await screen.findByRole('button', { name: 'Notifications' }));
      const bodies = () => received.filter(({ method }) => method !== 'GET').map(({ body }) => body);
      return { user, item: within(await (await inbox()).findByRole('listitem', { name: /ben asks/ })), bodies };
    }
    const saved = { status: 200, json: {} };

    it.each<[answer: string, lists: Lists, presses: string[], body: object]>([
      ['counted', proposed, ['Count Fuel'], { answer: 'count', version: 2 }],
      ['declined', proposed, ['Decline Fuel', 'Decline'], { answer: 'decline', version: 2 }],
      ['agreed to', above, ['Say yes to Fuel'], { answer: 'yes', amount: 18, version: 1 }],
      ['refused', above, ['Say no to Fuel'], { answer: 'no', version: 1 }],
    ])('goes at once when it is %s', async (_, lists, presses, body) => {
      const { user, item, bodies } = await open(lists, saved);
      for (const name of presses) await user.click(item.getByRole('button', { name }));
      await waitFor(() => expect(screen.queryByRole('region', { name: /^Waiting for you/ })).toBeNull());
      expect(bodies()).toEqual([body]);
    });

    it('stays, with the reason, when the answer is refused', async () => {
      const { user, item } = await open(proposed, refused);
      await user.click(item.getByRole('button', { name: 'Count Fuel' }));
      expect((await item.findByRole('alert')).textContent).toBe('Not now.');
      expect(item.getByRole('button', { name: 'Count Fuel' })).toBeTruthy();
    });
  });

  it('is a cost, whose question can be left', async () => {
    const { user, sent: requests } = await show(proposed);
    const item = within(await (await inbox()).findByRole('listitem', { name: /^ben asks/ }));
    await user.click(item.getByRole('button', { name: 'Decline Fuel' }));
    expect(document.activeElement).toBe(item.getByLabelText('Why (optional)'));
    await user.click(item.getByRole('button', { name: 'Cancel' }));
    expect(item.getByRole('button', { name: 'Count Fuel' })).toBeTruthy();
    expect(requests()).toEqual([]);
  });

  it('says why a confirmation failed', async () => {
    const answer = errorReply(409, 'conflict', 'Not now.');
    const { user } = await show({ assets: [anAsset({ shared_with: [added] })] }, { answer });
    await user.click((await inbox()).getByRole('button', { name: /^Confirm/ }));
    expect((await (await inbox()).findByRole('alert')).textContent).toBe('Not now.');
  });

  it('keeps the place of a payment that is loading', async () => {
    const loading = new Promise<never>(() => {});
    fakeServer((request) => (request.path === '/api/settlements/' ? loading : serveLists(sent)(request)));
    await openApp('/dashboard');
    expect((await inbox()).getByRole('heading', { name: 'Waiting for you' })).toBeTruthy();
    expect((await inbox()).getAllByRole('listitem', { hidden: true })).toHaveLength(1);
    expect((await inbox()).queryByRole('listitem')).toBeNull();
  });

  it('is two cards at first, and all after a press', async () => {
    const shares = [7, 8, 9].map((id) => aShare({ ...asked.shares?.[0], id, asset_name: `Asset ${id}` }));
    const { user } = await show({ shares });
    expect((await inbox()).getAllByRole('listitem')).toHaveLength(2);
    await user.click((await inbox()).getByRole('button', { name: 'Show all 3' }));
    expect(document.activeElement).toBe((await inbox()).getAllByRole('listitem')[2]);
  });

  it('has one filled button', async () => {
    await show({ ...offered, ...sent });
    const looks = ['Accept and start Figma', 'Confirm $5.00 from ben'].map(
      async (name) => (await (await inbox()).findByRole('button', { name })).className,
    );
    expect((await Promise.all(looks)).map((look) => /\bbg-accent\b(?!-)/.test(look))).toEqual([true, false]);
  });

  it('stays, with a message, when a question cannot be loaded', async () => {
    vi.doMock('../../ui/confirm-dialog.tsx', () => {
      throw new Error('Not found');
    });
    const { user } = await show(offered);
    await user.click((await inbox()).getByRole('button', { name: 'Decline Figma' }));
    expect(await screen.findByText("Couldn't open this. Check your connection and try again.")).toBeTruthy();
    expect((await inbox()).getByRole('button', { name: 'Decline Figma' })).toBeTruthy();
    vi.doUnmock('../../ui/confirm-dialog.tsx');
  });

  it('leaves the focus in the page once nothing waits', async () => {
    const lists = { ...asked };
    const { user } = await show(lists, { answer: { status: 200, json: aShare() } });
    const button = (await inbox()).getByRole('button', { name: /^Agree to/ });
    lists.shares = [aShare()];
    await user.click(button);
    await waitFor(() => expect(screen.queryByRole('region', { name: /^Waiting for you/ })).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 })));
  });
});

describe('the bell', () => {
  it('has the same, closes on Reply, and leads to the session', async () => {
    const { user } = await show(objected, { address: '/settings' });
    await user.click(await screen.findByRole('button', { name: 'Notifications' }));
    const item = (await inbox()).getByRole('listitem', { name: 'zoe objects to your edit' });
    // Something waits.
    expect(screen.queryByText("You're all caught up.")).toBeNull();
    await user.click(within(item).getByRole('button', { name: /^Reply about the session/ }));
    expect(await screen.findByRole('dialog', { name: /Figma/ })).toBeTruthy();
    expect(screen.getByRole('tab', { name: 'Sessions', selected: true })).toBeTruthy();
    expect(screen.queryByRole('dialog', { name: 'Notifications' })).toBeNull();
  });

  it('says that nothing waits once all lists are known', async () => {
    let answer = () => {};
    const isDue = new Promise<void>((resolve) => (answer = resolve));
    fakeServer(async (request) => {
      if (request.path === '/api/balances/') await isDue;
      return serveLists({})(request);
    });
    const user = await openApp('/settings');
    await user.click(await screen.findByRole('button', { name: 'Notifications' }));
    const panel = within(await screen.findByRole('dialog', { name: 'Notifications' }));
    await panel.findByText('Loading notifications');
    await act(() => new Promise((resolve) => setTimeout(resolve)));
    expect(panel.queryByText("You're all caught up.")).toBeNull();
    answer();
    expect(await panel.findByText("You're all caught up.")).toBeTruthy();
    expect(panel.queryByText('Loading notifications')).toBeNull();
  });

  it('leaves out what a co-manager added to an archived asset', async () => {
    const { user } = await show(
      { assets: [anAsset({ archived: true, shared_with: [added] })] },
      { address: '/settings' },
    );
    await user.click(await screen.findByRole('button', { name: 'Notifications' }));
    expect(await screen.findByText("You're all caught up.")).toBeTruthy();
  });
});
