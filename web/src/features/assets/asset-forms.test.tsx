import type { OwnedAsset } from '@hourshare/contract/assets';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { clearSignIn, storeSignIn } from '../../platform/auth/sign-in.ts';
import { aUser, errorReply, fakeServer } from '../../testing/fake-server.ts';
import { anAsset, anEntry, aStatement, list } from '../../testing/records.ts';
import { SaveFooter } from '../../ui/save-footer.tsx';
import { AddAssetForm } from './add-asset-form.tsx';
import { AssetDetailsForm } from './asset-details-form.tsx';
import { AssetEndings } from './asset-endings.tsx';

const asset = anAsset({ description: '', subscription_cost: 5, used: false });
const noop = () => {};

const Details = (props: { asset: OwnedAsset }) => (
  <>
    <AssetDetailsForm {...props} onSaved={noop} />
    <SaveFooter onClose={noop} onShow={noop} closing="" />
  </>
);
const broken = errorReply(500, 'internal', 'Something went wrong on the server.');

function show(children: ReactNode) {
  render(<QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>);
  return userEvent.setup();
}

afterEach(cleanup);

describe('adding an asset', () => {
  it('shows a busy button and sends one request', async () => {
    let answer = noop;
    const held = new Promise<void>((resolve) => (answer = resolve));
    const received = fakeServer(async () => {
      await held;
      return { status: 201, json: asset };
    });
    const user = show(<AddAssetForm onDone={noop} onCancel={noop} />);
    await user.type(screen.getByLabelText('Asset Name'), 'Films');
    await user.type(screen.getByLabelText('Monthly Subscription Cost ($)'), '5{Enter}');
    expect((await screen.findByRole<HTMLButtonElement>('button', { name: 'Creating...' })).disabled).toBe(true);
    await user.keyboard('{Enter}');
    expect(received).toHaveLength(1);
    answer();
  });

  it('uses the time zone of the account if the server does not know that of the browser', async () => {
    storeSignIn({ access: 'a', refresh: 'r', user: { ...aUser, time_zone: 'Asia/Tokyo' } });
    const zoneOf = ({ body }: { body: unknown }) => (body as { time_zone?: string } | undefined)?.time_zone;
    const received = fakeServer((request) =>
      zoneOf(request) === 'Asia/Tokyo'
        ? { status: 201, json: asset }
        : errorReply(400, 'validation_failed', 'Unknown time zone', { time_zone: ['Unknown time zone'] }),
    );
    const done = vi.fn<() => void>();
    const user = show(<AddAssetForm onDone={done} onCancel={noop} />);
    await user.type(screen.getByLabelText('Asset Name'), 'Films');
    await user.type(screen.getByLabelText('Monthly Subscription Cost ($)'), '5{Enter}');
    await waitFor(() => expect(done).toHaveBeenCalledTimes(1));
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    expect(received.map(zoneOf).filter((zone) => zone !== undefined)).toEqual([timeZone, 'Asia/Tokyo']);
    clearSignIn('logout');
  });

  it('sends how it is paid, if that is not each month, and says what is wrong with it', async () => {
    const received = fakeServer(() => ({ status: 201, json: asset }));
    const user = show(<AddAssetForm onDone={noop} onCancel={noop} />);
    await user.type(screen.getByLabelText('Asset Name'), 'Films');
    await user.type(screen.getByLabelText('Monthly Subscription Cost ($)'), '120');
    await user.click(screen.getByText('Payment plan'));
    await user.selectOptions(await screen.findByLabelText('Billed'), 'Every year or more');
    expect(screen.getByLabelText('Price of each renewal ($)')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Create Asset' }));
    expect(await screen.findByText('Enter a date')).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText('Renewal date'));
    await user.type(screen.getByLabelText('Renewal date'), '2026-03-14');
    await user.type(screen.getByLabelText('Days before a renewal to cancel by'), '14');
    const reminders = screen.getByLabelText('Reminders, in days before');
    await user.type(reminders, '30, 400');
    await user.click(screen.getByRole('button', { name: 'Create Asset' }));
    await waitFor(() => expect(descriptionOf(reminders)).toContain('Enter a whole number from 0 to 365'));
    expect(document.activeElement).toBe(reminders);
    await user.clear(reminders);
    expect(reminders.getAttribute('aria-invalid')).toBeNull();
    await user.type(reminders, '30, 7');
    await user.click(screen.getByRole('button', { name: 'Create Asset' }));
    await waitFor(() => expect(received).toHaveLength(1));
    expect(received[0]?.body).toMatchObject({
      subscription_cost: 120,
      cycle: { every: 1, unit: 'year', anchor: '2026-03-14' },
      cancel_by_days: 14,
      reminder_days: [30, 7],
    });
    expect(received[0]?.body).not.toHaveProperty('spread');
  });

  it('ignores what was typed about renewals once it has none', async () => {
    const received = fakeServer(() => ({ status: 201, json: asset }));
    const user = show(<AddAssetForm onDone={noop} onCancel={noop} />);
    await user.type(screen.getByLabelText('Asset Name'), 'Films');
    await user.type(screen.getByLabelText('Monthly Subscription Cost ($)'), '5');
    await user.click(screen.getByText('Payment plan'));
    await user.selectOptions(await screen.findByLabelText('Billed'), 'Every year or more');
    await user.type(screen.getByLabelText('Days before a renewal to cancel by'), 'x');
    await user.type(screen.getByLabelText('Reminders, in days before'), 'x');
    await user.selectOptions(screen.getByLabelText('Billed'), 'Each calendar month');
    await user.click(screen.getByRole('button', { name: 'Create Asset' }));
    await waitFor(() => expect(received).toHaveLength(1));
    for (const name of ['cancel_by_days', 'reminder_days']) expect(received[0]?.body).not.toHaveProperty(name);
  });

  it('says that the price of cycles of another length replaces those set for later', async () => {
    fakeServer(() => ({ status: 200, json: asset }));
    const user = show(<Details asset={anAsset({ description: '' })} />);
    const price = screen.getByLabelText('Monthly Subscription Cost ($)');
    expect(descriptionOf(price)).toContain("Applies from this month. Earlier months don't change.");
    await user.click(screen.getByText('Payment plan'));
    await user.selectOptions(await screen.findByLabelText('Billed'), 'Every year or more');
    expect(descriptionOf(screen.getByLabelText('Price of each renewal ($)'))).toContain(
      'Applies from this month and replaces prices set for later.',
    );
  });

  it('shows how an asset is paid, and sends the price along with its cycle', async () => {
    const received = fakeServer(() => ({ status: 200, json: asset }));
    const cycle = { every: 1, unit: 'year' as const, anchor: '2026-03-14' };
    const user = show(<Details asset={anAsset({ subscription_cost: 120, cycle, description: '' })} />);
    expect(descriptionOf(screen.getByLabelText('Price of each renewal ($)'))).toEqual([
      'Applies from this cycle, or from the next if a month of this one has ended.',
    ]);
    const every = await screen.findByLabelText('How many years');
    await user.clear(every);
    await user.type(every, '2{Enter}');
    await waitFor(() =>
      expect(received.find(({ method }) => method === 'PATCH')?.body).toEqual({
        subscription_cost: 120,
        cycle: { ...cycle, every: 2 },
        spread: true,
      }),
    );
  });

  it('says when switching whether it is spread applies, and nothing of that with another cycle', async () => {
    const received = fakeServer(() => ({ status: 200, json: asset }));
    const cycle = { every: 1, unit: 'year' as const, anchor: '2026-03-14' };
    const user = show(<Details asset={anAsset({ subscription_cost: 120, cycle, description: '' })} />);
    const spread = await screen.findByLabelText('Spread over the months');
    const [usual, when] = [
      'Otherwise, all of it is charged in the month of the renewal.',
      'Applies from this cycle, or from the next if a month of this one has ended.',
    ];
    expect(descriptionOf(spread)).toEqual([usual]);
    await user.click(spread);
    expect(descriptionOf(spread)).toEqual([when]);
    await user.type(screen.getByLabelText('How many years'), '2');
    expect(descriptionOf(spread)).toEqual([usual]);
    await user.type(screen.getByLabelText('How many years'), '{Backspace}{Enter}');
    await waitFor(() => expect(received.find(({ method }) => method === 'PATCH')?.body).toEqual({ spread: false }));
  });

  it('asks for the cost in the chosen currency', async () => {
    const received = fakeServer(() => ({ status: 201, json: asset }));
    const user = show(<AddAssetForm onDone={noop} onCancel={noop} />);
    await user.type(screen.getByLabelText('Asset Name'), 'Films');
    await chooseCurrency(user, 'Japanese Yen');
    const cost = screen.getByLabelText('Monthly Subscription Cost (¥)');
    await user.type(cost, '15.5{Enter}');
    expect(await screen.findByText("Monthly subscription cost can't have decimals")).toBeTruthy();
    await user.clear(cost);
    await user.type(cost, '1500{Enter}');
    await waitFor(() => expect(received[0]?.body).toMatchObject({ subscription_cost: 1500, currency: 'JPY' }));
  });

  it.each([
    ['Streaming, music, cloud', { split_method: 'equal', measured: false }],
    ['AI or software plan', { split_method: 'share_of_use', owner_takes_part: true }],
    ['Car, boat, plane', { base_percent: 30 }],
    ['Tool, room, machine', {}],
    ['Something else', {}],
  ])('sends the terms that %s fills in, and none that the server uses anyway', async (tile, terms) => {
    const received = fakeServer(() => ({ status: 201, json: asset }));
    const user = show(<AddAssetForm onDone={noop} onCancel={noop} />);
    await user.type(screen.getByLabelText('Asset Name'), 'Films');
    await user.click(screen.getByRole('radio', { name: 'AI or software plan' }));
    await user.click(screen.getByRole('radio', { name: tile }));
    await user.type(screen.getByLabelText('Monthly Subscription Cost ($)'), '5{Enter}');
    await waitFor(() => expect(received).toHaveLength(1));
    const { time_zone: _, ...sent } = (received[0]?.body ?? {}) as Record<string, unknown>;
    expect(sent).toEqual({ name: 'Films', description: '', subscription_cost: 5, currency: 'USD', ...terms });
  });

  it('chooses a tile with the arrow keys, says what it fills in, and keeps what was typed', async () => {
    const user = show(<AddAssetForm onDone={noop} onCancel={noop} />);
    await user.type(screen.getByLabelText('Asset Name'), 'Films');
    const other = screen.getByRole<HTMLInputElement>('radio', { name: 'Something else' });
    expect(other.checked).toBe(true);
    act(() => other.focus());
    await user.keyboard('{ArrowRight}');
    const plain = screen.getByRole('radio', { name: 'Streaming, music, cloud', checked: true });
    expect(document.activeElement).toBe(plain);
    const sentence = 'Everyone pays the same, and there is nothing to track.';
    expect(descriptionOf(plain)).toEqual([sentence]);
    expect(screen.getAllByText(sentence)).toHaveLength(2);
    expect(screen.getByLabelText<HTMLInputElement>('Asset Name').value).toBe('Films');
  });

  it('changes under More what a tile filled in', async () => {
    const received = fakeServer(() => ({ status: 201, json: asset }));
    const user = show(<AddAssetForm onDone={noop} onCancel={noop} />);
    await user.type(screen.getByLabelText('Asset Name'), 'Boat');
    await user.click(screen.getByRole('radio', { name: 'Car, boat, plane' }));
    const base = screen.getByLabelText<HTMLInputElement>('Base share (%)');
    expect(base.value).toBe('30');
    await user.clear(base);
    await user.type(base, '300');
    await user.click(screen.getByRole('checkbox', { name: 'I use it, too' }));
    await user.type(screen.getByLabelText('Monthly Subscription Cost ($)'), '5{Enter}');
    await waitFor(() => expect(document.activeElement).toBe(base));
    expect(base.closest('details')?.open).toBe(true);
    expect(received).toHaveLength(0);
    await user.clear(base);
    await user.type(base, '50');
    expect(screen.getByText('50% of the price is split by allowance, the rest by use.')).toBeTruthy();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(received[0]?.body).toMatchObject({ base_percent: 50, owner_takes_part: true }));
  });

  it('asks how to split only what is measured', async () => {
    const user = show(<AddAssetForm onDone={noop} onCancel={noop} />);
    await user.click(screen.getByRole('radio', { name: 'AI or software plan' }));
    await user.click(screen.getByRole('checkbox', { name: 'I use it, too' }));
    expect(screen.getByText("You aren't measured, so the others pay.", { selector: 'p' })).toBeTruthy();
    await user.click(screen.getByRole('checkbox', { name: 'Measure use' }));
    expect(screen.queryByRole('radio', { name: 'Evenly' })).toBeNull();
    expect(screen.queryByRole('checkbox', { name: 'I use it, too' })).toBeNull();
  });

  it('asks for no cost before one is typed', async () => {
    const user = show(<AddAssetForm onDone={noop} onCancel={noop} />);
    await chooseCurrency(user, 'Japanese Yen');
    expect(screen.getByLabelText('Monthly Subscription Cost (¥)').getAttribute('aria-invalid')).toBeNull();
  });

  it('shows an error and keeps the typed text when it fails', async () => {
    fakeServer(() => broken);
    const user = show(<AddAssetForm onDone={noop} onCancel={noop} />);
    await user.type(screen.getByLabelText('Asset Name'), 'Films');
    await user.type(screen.getByLabelText('Monthly Subscription Cost ($)'), '5{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe('Failed to create asset. Please try again.');
    expect(screen.getByLabelText<HTMLInputElement>('Asset Name').value).toBe('Films');
  });
});

async function chooseCurrency(user: ReturnType<typeof userEvent.setup>, name: string) {
  const currency = screen.getByRole('combobox', { name: 'Currency' });
  await user.clear(currency);
  await user.type(currency, name);
  await user.click(await screen.findByRole('option', { name: new RegExp(name) }));
}

const forms: [string, ReactNode, string][] = [
  ['adding', <AddAssetForm key="add" onDone={noop} onCancel={noop} />, 'Create Asset'],
  ['changing', <Details key="change" asset={asset} />, 'Save Changes'],
];

async function send(form: ReactNode, button: string, typed: string) {
  const user = show(form);
  const name = screen.getByLabelText<HTMLInputElement>('Asset Name');
  const cost = screen.getByLabelText('Monthly Subscription Cost ($)');
  for (const field of [name, cost]) await user.clear(field);
  await user.type(name, typed);
  await user.type(cost, '5');
  await user.click(screen.getByRole('button', { name: button }));
  await waitFor(() => expect(name.getAttribute('aria-invalid')).toBe('true'));
  return name;
}

it.each(forms)(
  'when %s an asset, a cost that the chosen currency cannot have stays, with an error under it',
  async (_, form) => {
    const user = show(form);
    const cost = screen.getByLabelText<HTMLInputElement>('Monthly Subscription Cost ($)');
    await user.clear(cost);
    await user.type(cost, '22.99');
    await chooseCurrency(user, 'Japanese Yen');
    await waitFor(() => expect(descriptionOf(cost)).toContain("Monthly subscription cost can't have decimals"));
    expect(cost.value).toBe('22.99');
    await chooseCurrency(user, 'Kuwaiti Dinar');
    await waitFor(() => expect(cost.getAttribute('aria-invalid')).toBeNull());
    expect(cost.value).toBe('22.99');
  },
);

const descriptionOf = (field: HTMLElement) =>
  (field.getAttribute('aria-describedby') ?? '').split(' ').map((id) => document.getElementById(id)?.textContent);

describe.each(forms)('when %s an asset', (_, form, button) => {
  it('shows an error under a name the contract rejects, without a request', async () => {
    const received = fakeServer(() => ({ status: 500 }));
    const name = await send(form, button, 'Net\u200Bflix');
    expect(descriptionOf(name)).toContain("Name can't contain invisible or control characters");
    expect([document.activeElement, name.value]).toEqual([name, 'Net\u200Bflix']);
    expect(received).toHaveLength(0);
  });

  it('shows an error under a name the server rejects', async () => {
    const sentence = 'Choose another name';
    fakeServer(() => errorReply(400, 'validation_failed', sentence, { name: [sentence] }));
    const name = await send(form, button, 'Films');
    expect(descriptionOf(name)).toContain(sentence);
    expect([document.activeElement, name.value]).toEqual([name, 'Films']);
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

describe("changing an asset's details", () => {
  it('puts the focus on the first of the wrong fields', async () => {
    const user = show(<Details asset={asset} />);
    const fields = [screen.getByLabelText('Asset Name'), screen.getByLabelText('Session limit (hours)')];
    for (const field of fields) await user.clear(field);
    await user.click(screen.getByRole('button', { name: 'Save Changes' }));
    await waitFor(() => expect(fields.map((field) => field.getAttribute('aria-invalid'))).toEqual(['true', 'true']));
    expect(document.activeElement).toBe(fields[0]);
  });

  it('opens Advanced again, if what is wrong in it was closed', async () => {
    const user = show(<Details asset={asset} />);
    const limit = screen.getByLabelText('Session limit (hours)');
    await user.clear(limit);
    const details = limit.closest('details')!;
    for (const _ of ['once', 'again']) {
      details.open = false;
      await user.click(screen.getByRole('button', { name: 'Save Changes' }));
      await waitFor(() => expect([details.open, document.activeElement]).toEqual([true, limit]));
    }
  });

  it('sends only what is edited', async () => {
    const received = fakeServer(({ body }) => ({ status: 200, json: { ...asset, ...(body as object) } }));
    const user = show(<Details asset={asset} />);
    const name = screen.getByLabelText('Asset Name');
    await user.clear(name);
    await user.type(name, '  Series ');
    await user.click(screen.getByRole('button', { name: 'Save Changes' }));
    await waitFor(() => expect(received[0]?.body).toEqual({ name: 'Series' }));
    const cost = screen.getByLabelText('Monthly Subscription Cost ($)');
    await user.clear(cost);
    await user.type(cost, '7,50');
    await user.click(await screen.findByRole('button', { name: 'Save Changes' }));
    await waitFor(() => expect(received.at(-1)?.body).toEqual({ subscription_cost: 7.5 }));
  });

  it('shows changes from elsewhere in the fields that are not being edited, and does not revert them', async () => {
    const received = fakeServer(() => ({ status: 200, json: asset }));
    const client = new QueryClient();
    const details = (shown: OwnedAsset) => (
      <QueryClientProvider client={client}>
        <Details asset={shown} />
      </QueryClientProvider>
    );
    const { rerender } = render(details(asset));
    const user = userEvent.setup();
    await user.type(screen.getByLabelText('Asset Name'), '!');
    rerender(details({ ...asset, name: 'TV', description: 'By a co-manager', max_session_hours: 12 }));
    const shown = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value;
    expect(['Asset Name', 'Description', 'Session limit (hours)'].map(shown)).toEqual([
      'Films!',
      'By a co-manager',
      '12',
    ]);
    await user.click(screen.getByRole('button', { name: 'Save Changes' }));
    await waitFor(() => expect(received[0]?.body).toEqual({ name: 'Films!' }));
  });

  it('sends a changed currency and shows why it is refused', async () => {
    const sentence = "The currency can't change once someone else has accepted.";
    const received = fakeServer(() => errorReply(400, 'currency_fixed', sentence, { currency: [sentence] }));
    const user = show(<Details asset={asset} />);
    await chooseCurrency(user, 'Kuwaiti Dinar');
    expect(screen.getByLabelText('Monthly Subscription Cost (KWD)')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Save Changes' }));
    await waitFor(() => expect(received[0]?.body).toEqual({ currency: 'KWD' }));
    expect(await screen.findByText(sentence)).toBeTruthy();
  });

  it('offers other currencies only until someone has access', () => {
    show(<Details asset={{ ...asset, shared_with: [anEntry(1, 'ben', 40)] }} />);
    expect(screen.queryByRole('combobox', { name: 'Currency' })).toBeNull();
  });

  it('keeps the currency where it is when a member accepts meanwhile', () => {
    const client = new QueryClient();
    const form = (shown: OwnedAsset) => (
      <QueryClientProvider client={client}>
        <Details asset={shown} />
      </QueryClientProvider>
    );
    const { rerender } = render(form(asset));
    rerender(form({ ...asset, shared_with: [anEntry(1, 'ben', 40)] }));
    expect(screen.getByRole('combobox', { name: 'Currency' })).toBeTruthy();
  });

  it('shows an error when it fails', async () => {
    fakeServer(() => broken);
    const user = show(<Details asset={asset} />);
    const button = screen.getByRole('button', { name: 'Save Changes' });
    expect(button.getAttribute('aria-disabled')).toBe('true');
    expect(screen.getByText('All changes saved')).toBeTruthy();
    await user.type(screen.getByLabelText('Description'), '!');
    expect(screen.getByText('Unsaved changes.')).toBeTruthy();
    await user.click(button);
    expect((await screen.findByRole('alert')).textContent).toBe('Failed to update asset.');
    expect(screen.getByText("Couldn't save your changes.")).toBeTruthy();
    // Read once, and the button that was pressed still has the focus.
    expect(screen.queryByRole('status')).toBeNull();
    expect(document.activeElement).toBe(button);
  });

  it('sends the time zone only if changed and says when it takes effect', async () => {
    const received = fakeServer(() =>
      errorReply(400, 'validation_failed', 'Unknown time zone', { time_zone: ['Unknown time zone'] }),
    );
    const user = show(<Details asset={asset} />);
    const zone = screen.getByRole('combobox', { name: 'Time zone', description: /Changes apply next month/ });
    await user.clear(zone);
    await user.type(zone, 'tokyo');
    await user.click(await screen.findByRole('option', { name: 'Asia/Tokyo' }));
    await user.click(screen.getByRole('button', { name: 'Save Changes' }));
    await waitFor(() => expect(received[0]?.body).toEqual({ time_zone: 'Asia/Tokyo' }));
    expect(await screen.findByRole('combobox', { name: 'Time zone', description: /^Unknown time zone/ })).toBe(zone);
  });

  it('shows a time zone that takes effect later', () => {
    const moving = { ...asset, next_time_zone: { time_zone: 'Asia/Tokyo', from_month: '2026-12' } };
    show(<Details asset={moving} />);
    const zone = screen.getByRole<HTMLInputElement>('combobox', { name: 'Time zone', description: /Until then.*UTC/ });
    expect(zone.value).toBe('Asia/Tokyo');
  });

  it('requires a name', async () => {
    const received = fakeServer(() => broken);
    const user = show(<Details asset={asset} />);
    await user.clear(screen.getByLabelText('Asset Name'));
    await user.click(screen.getByRole('button', { name: 'Save Changes' }));
    expect(await screen.findByText('Name is required')).toBeTruthy();
    expect(received).toHaveLength(0);
  });
});

type Reply = { status: number; json?: unknown };

/** Serves an asset's first sessions and its statements; other calls get the reply. */
const serveEndings = (
  { sessions = list(), statements = list() }: { sessions?: Reply; statements?: Reply },
  reply: () => Reply = () => broken,
) =>
  fakeServer(({ method, path }) => (method !== 'GET' ? reply() : path.includes('/sessions/') ? sessions : statements));

describe('deleting an asset', () => {
  it('asks for confirmation, lists what is deleted, and shows an error when it fails', async () => {
    let reply: Reply = broken;
    const received = serveEndings({ sessions: list(...Array.from({ length: 14 }, () => ({}))) }, () => reply);
    let deleted = 0;
    const user = show(<AssetEndings asset={asset} onArchived={noop} onDeleted={() => deleted++} />);
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    const question = await screen.findByRole('alertdialog', { name: /^Delete Films/ });
    await waitFor(() => expect(question.textContent).toContain('This also deletes 14 sessions.'));
    // No one has had access this month.
    expect(screen.queryByRole('radio')).toBeNull();
    expect(question.textContent).not.toContain('can edit their sessions');
    await user.click(screen.getByRole('button', { name: 'Delete asset' }));
    expect((await screen.findByRole('alert')).textContent).toBe('Failed to delete asset. Please try again.');
    expect(deleted).toBe(0);
    reply = { status: 204 };
    await user.click(screen.getByRole('button', { name: 'Delete asset' }));
    await waitFor(() => expect(deleted).toBe(1));
    expect(received.at(-1)).toMatchObject({ method: 'DELETE', path: '/api/assets/3/' });
  });

  it.each([
    [list({}), 'This also deletes 1 session and removes access for 2 members.'],
    [
      { status: 200, json: { results: [{}, {}], next: '2' } },
      'This also deletes more than 2 sessions and removes access for 2 members.',
    ],
  ])('says that members lose access (%#)', async (sessions, text) => {
    serveEndings({ sessions });
    const shared_with = [anEntry(1, 'ben', 20), anEntry(2, 'zoe', 5)];
    const user = show(<AssetEndings asset={{ ...asset, shared_with }} onArchived={noop} onDeleted={noop} />);
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText(text)).toBeTruthy();
  });

  it.each([
    [[], 'until_today'],
    [["Don't bill November 2026"], 'nothing'],
  ])('asks what to bill, and says how long sessions can be edited (%#)', async (choices, bill) => {
    vi.setSystemTime(new Date('2026-11-20T12:00:00Z'));
    const received = serveEndings({ statements: list(aStatement()) }, () => ({ status: 204 }));
    const user = show(<AssetEndings asset={asset} onArchived={noop} onDeleted={noop} />);
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    const radio = await screen.findByRole('radio', {
      name: 'Bill November 2026 up to today',
      description: /of \$5\.00/,
    });
    expect(radio).toMatchObject({ checked: true });
    expect(screen.getByText('Members can edit their sessions until November 23.')).toBeTruthy();
    for (const name of choices) await user.click(screen.getByRole('radio', { name }));
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    // A hasty Enter deletes nothing.
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Cancel'));
    // The second step says what goes, and asks nothing more.
    expect(screen.getByText(/^This also deletes/)).toBeTruthy();
    expect(screen.queryByRole('radio')).toBeNull();
    expect(screen.queryByText(/can edit their sessions/)).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Delete asset' }));
    await waitFor(() => expect(received.at(-1)?.path).toBe(`/api/assets/3/?bill=${bill}`));
  });
});

describe('archiving an asset', () => {
  it('asks what to bill', async () => {
    const received = serveEndings({ statements: list(aStatement()) }, () => ({
      status: 200,
      json: { ...asset, archived: true, unbilled: true },
    }));
    let archived = 0;
    const user = show(<AssetEndings asset={asset} onArchived={() => archived++} onDeleted={noop} />);
    await user.click(screen.getByRole('button', { name: 'Archive' }));
    await user.click(
      await screen.findByRole('radio', { name: "Don't bill November 2026", description: /all of \$5\.00/ }),
    );
    expect(screen.getByText('Members can edit their sessions until December 4.')).toBeTruthy();
    await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Archive' }));
    await waitFor(() => expect(archived).toBe(1));
    expect(received.find(({ method }) => method === 'PATCH')?.body).toEqual({ archived: true, bill: 'nothing' });
  });

  it('keeps the question open when it fails, and sends no choice without members', async () => {
    const received = serveEndings({});
    const user = show(<AssetEndings asset={asset} onArchived={noop} onDeleted={noop} />);
    await user.click(screen.getByRole('button', { name: 'Archive' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Archive' }));
    expect((await screen.findByRole('alert')).textContent).toBe('Failed to update asset.');
    expect(received.at(-1)?.body).toEqual({ archived: true });
  });

  it('that is not billed says so, and asks nothing about it anymore', async () => {
    const received = serveEndings({ statements: list(aStatement()) }, () => ({ status: 200, json: asset }));
    const archived = { ...asset, archived: true, unbilled: true };
    const user = show(<AssetEndings asset={archived} onArchived={noop} onDeleted={noop} />);
    expect(
      screen.getByText("Within 24 hours, members regain access. Later, they're asked again. This month isn't billed."),
    ).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    const question = within(await screen.findByRole('alertdialog'));
    await question.findByText(/^This also deletes/);
    expect(question.queryByRole('radio')).toBeNull();
    await user.click(question.getByRole('button', { name: 'Cancel' }));
    await user.click(screen.getByRole('button', { name: 'Restore' }));
    await waitFor(() => expect(received.at(-1)?.body).toEqual({ archived: false }));
  });
});
