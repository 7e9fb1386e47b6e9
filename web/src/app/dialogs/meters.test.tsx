import type { MemberMeter, Meter, MeterName } from '@hourshare/contract/meters';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorReply, fakeServer, type Received } from '../../testing/fake-server.ts';
import { openApp, prepareApp } from '../../testing/open-app.tsx';
import { anAsset, aShare, list, serveLists } from '../../testing/records.ts';

beforeEach(prepareApp);
afterEach(cleanup);

type Reply = Awaited<ReturnType<Parameters<typeof fakeServer>[0]>>;

const METERS = '/api/assets/3/meters/';
const OWN_METERS = '/api/shared-assets/7/meters/';

const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

const aName = (change: Partial<MeterName> = {}): MeterName => ({
  external_name: 'Ben TV',
  share_id: null,
  waiting_events: 12,
  waiting_hours: 3.5,
  last_event_at: ago(1),
  ...change,
});

const aMeter = (change: Partial<Meter> = {}): Meter => ({
  id: 4,
  name: 'Jellyfin',
  kind: 'sessions',
  grace_minutes: 10,
  merge_minutes: 5,
  min_seconds: 60,
  counter: 'claude_code.active_time.total',
  counted_types: 'all',
  name_attribute: 'user.email',
  per_member: false,
  created_at: '2026-11-01T10:00:00.000Z',
  last_event_at: ago(1),
  silences: [],
  late_events: 0,
  names: [],
  members: [],
  ...change,
});

const ownMeter = (change: Partial<MemberMeter> = {}): MemberMeter => ({
  id: 4,
  name: 'Jellyfin',
  kind: 'sessions',
  per_member: false,
  agreed: null,
  beyond_allowance: false,
  names: [],
  has_token: false,
  told_hours: 0,
  counted_hours: 0,
  list_price: null,
  ...change,
});

/** Serves an asset and a share; `reply` answers calls about meters, of which there are those in the state. */
function serve(
  state: { meters?: Meter[]; own?: MemberMeter[] },
  reply: (request: Received) => Reply = () => ({ status: 204 }),
) {
  const lists = serveLists({ assets: [anAsset()], shares: [aShare()] });
  return fakeServer((request) => {
    if (!/\/meters\//.test(request.path)) return lists(request);
    if (request.method !== 'GET') return reply(request);
    return list(...(request.path.startsWith(METERS) ? (state.meters ?? []) : (state.own ?? [])));
  });
}
const writes = (received: Received[]) =>
  received
    .filter(({ method, path }) => method !== 'GET' && path.includes('/meters/'))
    .map(({ method, path, body }) => [method, path, body]);

describe('the meters of an asset', () => {
  const open = async (...given: Parameters<typeof serve>) => {
    const received = serve(...given);
    const user = await openApp('/assets?asset=3');
    await user.click(await screen.findByRole('button', { name: 'Show', description: 'Meters' }));
    await screen.findByRole('button', { name: 'Add a meter' });
    return { received, user, dialog: within(screen.getByRole('dialog')) };
  };
  const summary = (name: string) => screen.findByText(name, { selector: 'summary *' });

  it('say when they were last heard of, what is unknown, and what came too late', async () => {
    await open({
      meters: [
        aMeter({ names: [aName(), aName({ external_name: 'guest' }), aName({ external_name: 'x', share_id: 7 })] }),
        aMeter({
          id: 5,
          name: 'Sauna',
          last_event_at: ago(25),
          silences: [
            { since: ago(25), until: null },
            { since: ago(100), until: ago(60) },
          ],
          late_events: 2,
        }),
        aMeter({ id: 6, name: 'Editor', last_event_at: null }),
      ],
    });
    const texts = [...document.querySelectorAll('[aria-label=Meters] > li > details > summary')].map(
      ({ textContent }) => textContent,
    );
    expect(texts).toHaveLength(3);
    expect(texts[0]).toMatch(/^JellyfinLast heard (?:today|yesterday), .*2 unknown names$/);
    expect(texts[1]).toMatch(/^SaunaSilent since (?:yesterday, )?.*2 events came too late to count$/);
    expect(texts[2]).toBe('EditorNothing received yet');
    const past = screen.getByText('Gaps in the last 30 days').parentElement;
    expect(past?.querySelectorAll('li')).toHaveLength(1);
  });

  it('can be loaded again after a failure', async () => {
    const lists = serveLists({ assets: [anAsset()] });
    let fails = true;
    fakeServer((request) => {
      if (request.path !== METERS) return lists(request);
      return fails ? errorReply(500, 'internal', 'Broken.') : list(aMeter());
    });
    const user = await openApp('/assets?asset=3');
    await user.click(await screen.findByRole('button', { name: 'Show', description: 'Meters' }));
    const banner = (await screen.findByText("Couldn't load meters.")).closest('div');
    fails = false;
    await user.click(within(banner?.parentElement ?? document.body).getByRole('button', { name: 'Try again' }));
    expect(await summary('Jellyfin')).toBeTruthy();
  });

  it('are added with a token that is shown once, with what to paste into the program they are named after', async () => {
    const state = { meters: [] as Meter[] };
    const { received, user, dialog } = await open(state, () => {
      const meter = aMeter({ last_event_at: null });
      state.meters = [meter];
      return { status: 201, json: { meter, token: 'hm_secret' } };
    });
    expect(dialog.getByText('Record sessions from a media server, a smart plug, or a script.')).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Add a meter' }));
    const form = within(dialog.getByRole('form', { name: 'Add a meter' }));
    expect(document.activeElement).toBe(form.getByLabelText('Name'));
    await user.keyboard(' Jellyfin ');
    await user.selectOptions(form.getByLabelText('Ends after a silence of'), '2 min');
    await user.click(form.getByRole('button', { name: 'Add a meter' }));
    const token = await dialog.findByLabelText<HTMLInputElement>('Token of Jellyfin');
    expect(token.value).toBe('hm_secret');
    expect(document.activeElement).toBe(dialog.getByRole('group', { name: 'Set up Jellyfin' }));
    expect(writes(received)).toEqual([
      [
        'POST',
        METERS,
        {
          name: 'Jellyfin',
          kind: 'sessions',
          per_member: false,
          grace_minutes: 2,
          merge_minutes: 5,
          min_seconds: 60,
          counter: 'claude_code.active_time.total',
          counted_types: 'all',
          name_attribute: 'user.email',
        },
      ],
    ]);
    expect(dialog.getByLabelText<HTMLSelectElement>('Sent by').selectedOptions[0]?.text).toBe('Jellyfin');
    expect(dialog.getByLabelText<HTMLInputElement>('Webhook Url').value).toBe(
      `${window.location.origin}/api/meters/events/`,
    );
    expect(dialog.getByLabelText<HTMLInputElement>('Authorization').value).toBe('Bearer hm_secret');
    await user.selectOptions(dialog.getByLabelText('Sent by'), 'curl');
    expect(dialog.getByLabelText<HTMLTextAreaElement>('To start, run').value).toContain(
      `curl '${window.location.origin}/api/meters/events/'`,
    );
    await user.click(dialog.getByRole('button', { name: 'Hide' }));
    await user.click(dialog.getByRole('button', { name: 'Show', description: 'Meters' }));
    await summary('Jellyfin');
    expect(screen.queryByDisplayValue(/hm_secret/)).toBeNull();
  });

  it('keep what was typed when one too many is added', async () => {
    const reply = () => errorReply(400, 'too_many_meters', 'This asset has too many meters. Delete one first.');
    const { user, dialog } = await open({}, reply);
    await user.click(dialog.getByRole('button', { name: 'Add a meter' }));
    await user.keyboard('TV');
    await user.click(dialog.getByRole('checkbox', { name: 'Each member has a token of their own' }));
    await user.click(dialog.getByRole('button', { name: 'Add a meter' }));
    expect(await dialog.findByText('This asset has too many meters. Delete one first.')).toBeTruthy();
    expect(dialog.getByDisplayValue('TV')).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(document.activeElement).toBe(dialog.getByRole('button', { name: 'Add a meter' }));
  });

  it('match what they call people, saved with the other changes, and say who agreed', async () => {
    const counted = { told_hours: 0, counted_hours: 0, list_price: null };
    const members = [
      { share_id: 7, username: 'ben', agreed: null, ...counted },
      { share_id: 8, username: 'ana', agreed: true, ...counted },
      { share_id: 9, username: 'zoe', agreed: false, ...counted },
    ];
    const matched = aName({ external_name: 'Ana phone', share_id: 8, waiting_events: 0, waiting_hours: 0 });
    const state = { meters: [aMeter({ names: [matched, aName()], members })] };
    const { received, user, dialog } = await open(state, () => {
      const [meter = aMeter()] = state.meters;
      const changed = { ...meter, names: [matched, aName({ share_id: 7 })] };
      state.meters = [changed];
      return { status: 200, json: changed };
    });
    await user.click(await summary('Jellyfin'));
    const selects = dialog.getByRole('region', { name: "Who's who" }).querySelectorAll('select');
    expect([...selects].map(({ labels }) => labels[0]?.textContent)).toEqual(['Ben TV', 'Ana phone']);
    expect(dialog.getByText('12 events waiting, 3.5 h')).toBeTruthy();
    const answer = (name: string) => dialog.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent;
    expect(['Agreed to be recorded', 'Not answered yet', 'Said no'].map(answer)).toEqual(['ana', 'ben', 'zoe']);
    await user.selectOptions(dialog.getByLabelText('Ben TV'), 'ben');
    expect(writes(received)).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Save Changes' }));
    expect(await dialog.findByText('Waiting for their yes: 12 events, 3.5 h')).toBeTruthy();
    expect(writes(received)).toEqual([
      ['PUT', `${METERS}4/names/`, { names: [{ external_name: 'Ben TV', share_id: 7 }] }],
    ]);
    expect(dialog.getByText('All changes saved')).toBeTruthy();
  });

  it('get another name with the other changes', async () => {
    const { received, user, dialog } = await open({ meters: [aMeter()] }, () => ({
      status: 200,
      json: aMeter({ name: 'Films at home' }),
    }));
    await user.click(await summary('Jellyfin'));
    await user.click(await summary('Settings'));
    const name = dialog.getByLabelText('Name');
    await user.clear(name);
    await user.type(name, 'Films at home');
    await user.click(dialog.getByRole('button', { name: 'Save Changes' }));
    expect(await screen.findByText('Changes saved.')).toBeTruthy();
    expect(writes(received)).toEqual([['PATCH', `${METERS}4/`, { name: 'Films at home' }]]);
  });

  it('get a new token, and are deleted, after confirming', async () => {
    const state = { meters: [aMeter()] };
    const { received, user, dialog } = await open(state, ({ method }) => {
      if (method === 'POST') return { status: 201, json: { meter: aMeter(), token: 'hm_new' } };
      state.meters = [];
      return { status: 204 };
    });
    await user.click(await summary('Jellyfin'));
    await user.click(await summary('Set up'));
    expect(dialog.getByDisplayValue('Bearer hm_YOUR_TOKEN')).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Replace token' }));
    const replacing = within(await screen.findByRole('alertdialog', { name: 'Replace the token of Jellyfin?' }));
    expect(writes(received)).toEqual([]);
    await user.click(replacing.getByRole('button', { name: 'Replace' }));
    expect(await dialog.findByDisplayValue('hm_new')).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Delete meter' }));
    const deleting = within(await screen.findByRole('alertdialog', { name: 'Delete Jellyfin?' }));
    await user.click(deleting.getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Meter deleted: Jellyfin')).toBeTruthy();
    await waitFor(() => expect(screen.queryByText('Jellyfin', { selector: 'summary *' })).toBeNull());
    expect(writes(received)).toEqual([
      ['POST', `${METERS}4/token/`, undefined],
      ['DELETE', `${METERS}4/`, undefined],
    ]);
  });
});

describe('a meter that may record a member', () => {
  const open = async (...given: Parameters<typeof serve>) => {
    const received = serve(...given);
    const user = await openApp('/shared?share=7&tab=usage');
    await screen.findByText('Session Status');
    return { received, user };
  };
  /** Answers as the server does. */
  const answering =
    (state: { own?: MemberMeter[] }): ((request: Received) => Reply) =>
    ({ body, path }) => {
      const [meter = ownMeter()] = state.own ?? [];
      const next = path.endsWith('/token/') ? { ...meter, has_token: true } : { ...meter, ...(body as object) };
      state.own = [next];
      return path.endsWith('/token/')
        ? { status: 201, json: { meter: next, token: 'hm_mine' } }
        : { status: 200, json: next };
    };

  it('asks, records beyond the allowance if they say so, and stops at once', async () => {
    const state = { own: [ownMeter({ names: ['Ben TV', 'Ben phone'] })] };
    const { received, user } = await open(state, answering(state));
    const question = within(await screen.findByRole('group', { name: 'Question about Jellyfin' }));
    expect(question.getByText('It calls you Ben TV and Ben phone.')).toBeTruthy();
    await user.click(question.getByRole('checkbox', { name: 'Also beyond my 20 h' }));
    await user.click(question.getByRole('button', { name: 'Yes to Jellyfin recording my use' }));
    const meters = within(await screen.findByRole('list', { name: 'Meters' }));
    expect(meters.getByText('Jellyfin records your use')).toBeTruthy();
    expect(screen.queryByRole('group', { name: 'Question about Jellyfin' })).toBeNull();
    const beyond = meters.getByRole<HTMLInputElement>('checkbox', { name: 'Also beyond my 20 h' });
    expect(beyond.checked).toBe(true);
    await user.click(beyond);
    await waitFor(() => expect(beyond.checked).toBe(false));
    await user.click(await meters.findByRole('button', { name: 'Stop Jellyfin from recording my use' }));
    expect(await meters.findByText("Jellyfin doesn't record your use")).toBeTruthy();
    expect(meters.queryByRole('checkbox')).toBeNull();
    expect(writes(received).map(([, path, body]) => [path, body])).toEqual([
      [`${OWN_METERS}4/`, { agreed: true, beyond_allowance: true }],
      [`${OWN_METERS}4/`, { agreed: true, beyond_allowance: false }],
      [`${OWN_METERS}4/`, { agreed: false, beyond_allowance: false }],
    ]);
  });

  it('takes no for an answer, and yes later', async () => {
    const state = { own: [ownMeter()] };
    const { user } = await open(state, answering(state));
    await user.click(await screen.findByRole('button', { name: 'No to Jellyfin recording my use' }));
    await user.click(await screen.findByRole('button', { name: 'Let it record my use: Jellyfin' }));
    expect(await screen.findByText('Jellyfin records your use')).toBeTruthy();
  });

  it('says how much of what a meter counted does not count', async () => {
    const counting = { name: 'Claude Code', kind: 'totals', agreed: true, told_hours: 2.5, counted_hours: 1 } as const;
    await open({ own: [ownMeter(counting)] });
    const text = '1.5 h not counted this month: beyond your allowance, or in other sessions';
    expect(await screen.findByText(text)).toBeTruthy();
  });

  it('says why an answer was not saved', async () => {
    const { user } = await open({ own: [ownMeter()] }, () => errorReply(404, 'not_found', 'Meter not found.'));
    await user.click(await screen.findByRole('button', { name: 'Yes to Jellyfin recording my use' }));
    expect((await screen.findByRole('alert')).textContent).toBe('Meter not found.');
  });
  it('gets a token of their own, shown once, and recipes without a name', async () => {
    const state = { own: [ownMeter({ name: 'Editor', per_member: true, agreed: true })] };
    const { received, user } = await open(state, answering(state));
    await user.click(await screen.findByRole('button', { name: 'Make a token for Editor' }));
    expect((await screen.findByLabelText<HTMLInputElement>('Token of Editor')).value).toBe('hm_mine');
    expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Set up Editor' }));
    const choices = [...screen.getByLabelText<HTMLSelectElement>('Sent by').options].map(({ text }) => text);
    expect(choices).toEqual(['curl', 'Home Assistant', 'iOS Shortcuts', 'ActivityWatch']);
    const command = screen.getByLabelText<HTMLTextAreaElement>('To start, run').value;
    expect(command).toContain('Bearer hm_mine');
    expect(command).not.toContain('name');
    expect(writes(received)).toEqual([['POST', `${OWN_METERS}4/token/`, undefined]]);
  });

  it('says so if it is unknown, unless access has ended', async () => {
    const lists = serveLists({ shares: [aShare()] });
    let status = 500;
    fakeServer((request) => (request.path === OWN_METERS ? errorReply(status, 'internal', 'Broken.') : lists(request)));
    const user = await openApp('/shared?share=7&tab=usage');
    await screen.findByText("Couldn't load meters.");
    status = 404;
    await user.click(screen.getAllByRole('button', { name: 'Try again' }).at(-1) ?? document.body);
    await waitFor(() => expect(screen.queryByText("Couldn't load meters.")).toBeNull());
  });
});
