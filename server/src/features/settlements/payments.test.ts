import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { Balance, Settlement } from '@hourshare/contract/settlements';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, type Answer, type TestApi } from '../../testing/api.ts';
import { billingCalls, CLOSED } from '../../testing/bills.ts';
import { raceRounds } from '../../testing/thorough.ts';
import { takeFromOldest } from './rules.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
beforeEach(() => api.reset());
afterAll(() => api.close());

const { setClock, get, send, statementOf } = billingCalls(() => api);

const HOUR = 3_600_000;
const advance = (hours: number) => api.clock.advance(hours * HOUR);
const balanceOf = async (caller: SignedIn) => (await get<{ results: Balance[] }>('/api/balances/', caller)).results[0];
const settle = (as: SignedIn, body: object) => api.call<Settlement>('POST', '/api/settlements/', { as, body });
const settlementsOf = async (as: SignedIn) => (await get<{ results: Settlement[] }>('/api/settlements/', as)).results;
const act = (as: SignedIn, id: number, action: string): Promise<Answer<Settlement>> =>
  action === 'withdraw'
    ? api.call('DELETE', `/api/settlements/${id}/undo/`, { as })
    : api.call('POST', `/api/settlements/${id}/${action}/`, { as });

/**
 * Ana owes Mira $10.00 for January and $10.00 for February; Mira owes Ana $4.00 for February. All months are closed.
 */
async function debtors() {
  setClock('2026-01-01T00:00:00Z');
  const [mira, ana] = [await api.register('mira'), await api.register('ana')];
  const films = await api.addAsset(mira, { name: 'Films', subscription_cost: 20, split_method: 'equal' });
  await api.share(mira, films, ana, 10);
  setClock('2026-02-01T00:00:00Z');
  const bicycle = await api.addAsset(ana, { name: 'Bicycle', subscription_cost: 8, split_method: 'equal' });
  await api.share(ana, bicycle, mira, 10);
  setClock(CLOSED);
  return { mira, ana, films, bicycle };
}

const kinds = ({ events }: Settlement) => events.map(({ kind, username }) => `${kind} ${username}`);
const openOf = (balance: Balance | undefined) =>
  balance?.lines.map(({ asset_name, month, open_amount, sent_amount, status }) => [
    `${asset_name} ${month}`,
    open_amount,
    sent_amount,
    status,
  ]);

describe('a payment that the debtor records', () => {
  it('is sent, and what it covers is still owed, until the creditor confirms it', async () => {
    const { mira, ana, films } = await debtors();
    const { status, body: payment } = await settle(ana, { username: 'mira' });
    expect([status, payment]).toMatchObject([
      201,
      { status: 'sent', amount: 16, direction: 'you_paid', confirmed_at: null, undone_at: null, recorded_by: 'ana' },
    ]);
    expect(payment.can).toEqual({ confirm: false, reject: false, undo: 'alone', withdraw: false });
    expect(await balanceOf(mira)).toMatchObject({ they_owe: 20, you_owe: 4, net: 16, they_sent: 16, you_sent: 0 });
    expect(await balanceOf(ana)).toMatchObject({ they_owe: 4, you_owe: 20, net: -16, they_sent: 0, you_sent: 16 });
    expect(openOf(await balanceOf(ana))).toEqual([
      ['Films 2026-01', 10, 10, 'sent'],
      ['Films 2026-02', 10, 10, 'sent'],
      ['Bicycle 2026-02', 4, 4, 'sent'],
    ]);
    const line = async () => (await statementOf(films, '2026-01', ana)).lines[0];
    expect(await line()).toMatchObject({ status: 'sent', status_since: CLOSED, settled: false, paid_amount: 0 });

    advance(1);
    const confirmed = '2026-03-04T01:00:00.000Z';
    expect((await act(mira, payment.id, 'confirm')).body).toMatchObject({ status: 'paid', confirmed_at: confirmed });
    expect(await balanceOf(mira)).toBeUndefined();
    expect(await line()).toMatchObject({
      status: 'paid',
      status_since: confirmed,
      settled: true,
      paid_amount: 10,
      open_amount: 0,
      sent_amount: 0,
    });
  });

  // "A debtor settled alone, irrevocably."
  it('can never clear a charge alone, whatever the debtor tries', async () => {
    const { mira, ana } = await debtors();
    const { id } = (await settle(ana, { username: 'mira' })).body;
    expect(await act(ana, id, 'confirm')).toMatchObject({ status: 400, body: { code: 'payment_not_yours' } });
    advance(24 * 365);
    expect(await act(ana, id, 'confirm')).toMatchObject({ status: 400 });
    const line = (await balanceOf(ana))?.lines.find(({ direction }) => direction === 'you_owe');
    const mark = { as: ana, body: { status: 'paid' } };
    expect((await api.call('POST', `/api/statement-lines/${line?.id}/mark/`, mark)).status).toBe(400);
    const { net } = (await balanceOf(mira)) ?? {};
    // However late, the creditor can still say that nothing arrived.
    expect((await act(mira, id, 'reject')).body).toMatchObject({ status: 'not_received', confirmed_at: null });
    expect(await balanceOf(mira)).toMatchObject({ net, they_sent: 0 });
    expect(openOf(await balanceOf(mira))?.slice(0, 3)).toEqual([
      ['Films 2026-01', 10, 0, 'due'],
      ['Films 2026-02', 10, 0, 'due'],
      ['Bicycle 2026-02', 4, 0, 'due'],
    ]);
  });

  it('becomes open again when the creditor says that it did not arrive, and can be sent again', async () => {
    const { mira, ana } = await debtors();
    const { id } = (await settle(ana, { username: 'mira' })).body;
    expect(await act(ana, id, 'reject')).toMatchObject({ status: 400, body: { code: 'payment_not_yours' } });
    const rejected = (await act(mira, id, 'reject')).body;
    expect(rejected).toMatchObject({ status: 'not_received', undone_at: CLOSED });
    expect(kinds((await act(mira, id, 'reject')).body)).toEqual(['sent ana', 'not_received mira']);
    for (const [caller, action] of [
      [mira, 'confirm'],
      [ana, 'undo'],
      [mira, 'undo'],
      [ana, 'withdraw'],
    ] as const)
      expect(await act(caller, id, action)).toMatchObject({ status: 400, body: { code: 'payment_undone' } });
    expect((await settle(ana, { username: 'mira' })).body).toMatchObject({ status: 'sent', amount: 16 });
  });

  it('leaves nothing for either side to settle again meanwhile', async () => {
    const { mira, ana } = await debtors();
    await settle(ana, { username: 'mira' });
    for (const [caller, username] of [
      [mira, 'ana'],
      [ana, 'mira'],
    ] as const)
      expect(await settle(caller, { username })).toMatchObject({ status: 400, body: { code: 'nothing_to_settle' } });
  });

  it('keeps its charges from being marked until it is undone', async () => {
    const { mira, ana } = await debtors();
    const { id, lines } = (await settle(ana, { username: 'mira', amount: 3 })).body;
    const mark = (as: SignedIn, status: string) =>
      api.call('POST', `/api/statement-lines/${lines[0]?.id}/mark/`, { as, body: { status } });
    for (const [caller, status] of [
      [ana, 'sent'],
      [mira, 'paid'],
    ] as const)
      expect(await mark(caller, status)).toMatchObject({ status: 400, body: { code: 'line_settled' } });
    await act(ana, id, 'undo');
    expect(await mark(mira, 'paid')).toMatchObject({ status: 200, body: { status: 'paid', open_amount: 0 } });
  });
});

describe('marks beside payments', () => {
  const mark = (as: SignedIn, lineId: number | undefined, status: string) =>
    api.call('POST', `/api/statement-lines/${lineId}/mark/`, { as, body: { status } });

  it('cannot be set while a confirmed payment covers part of the charge, which may be undone', async () => {
    const { mira, ana } = await debtors();
    const { id, lines } = (await settle(mira, { username: 'ana', amount: 3 })).body;
    for (const [caller, status] of [
      [ana, 'sent'],
      [mira, 'paid'],
    ] as const)
      expect(await mark(caller, lines[0]?.id, status)).toMatchObject({ status: 400, body: { code: 'line_settled' } });
    await act(mira, id, 'undo');
    expect((await mark(mira, lines[0]?.id, 'paid')).status).toBe(200);
  });

  it('as paid can be undone for 72 hours', async () => {
    const { mira, ana } = await debtors();
    const [line] = (await balanceOf(ana))?.lines ?? [];
    expect((await mark(mira, line?.id, 'paid')).status).toBe(200);
    advance(72);
    expect((await mark(mira, line?.id, 'due')).status).toBe(200);
    expect((await mark(mira, line?.id, 'paid')).status).toBe(200);
    advance(72.001);
    expect(await mark(mira, line?.id, 'due')).toMatchObject({ status: 400, body: { code: 'mark_final' } });
    expect(await mark(mira, line?.id, 'sent')).toMatchObject({ status: 400 });
    expect((await balanceOf(ana))?.net).toBe(-6);
  });

  // Whoever offsets a charge that the other may have paid already would clear their own debt for nothing.
  it('keep a charge that is marked as sent from being offset by the one it is owed to', async () => {
    const { mira, ana } = await debtors();
    setClock('2026-02-01T00:00:00Z');
    const cloud = await api.addAsset(mira, { name: 'Cloud', subscription_cost: 8, split_method: 'equal' });
    await api.share(mira, cloud, ana, 10);
    setClock(CLOSED);
    const even = (await balanceOf(ana))?.lines.filter(({ amount }) => amount === 4) ?? [];
    const own = even.find(({ direction }) => direction === 'you_owe');
    expect((await mark(ana, own?.id, 'sent')).status).toBe(200);
    const both = { username: 'ana', lines: even.map(({ id }) => id) };
    expect(await settle(mira, both)).toMatchObject({ status: 400, body: { code: 'charges_marked_sent' } });
    expect((await mark(ana, own?.id, 'due')).status).toBe(200);
    expect((await settle(mira, both)).body).toMatchObject({ status: 'paid' });
  });
});

describe('a payment of a balance that has changed since it was seen', () => {
  it('is not recorded', async () => {
    const { mira, ana } = await debtors();
    const { lines = [], net } = (await balanceOf(mira)) ?? {};
    const seen = { username: 'ana', lines: lines.map(({ id }) => id), net };
    expect((await settle(ana, { username: 'mira', amount: 2.5 })).status).toBe(201);
    expect(await settle(mira, seen)).toMatchObject({ status: 400, body: { code: 'lines_changed' } });
    expect(await settle(mira, { ...seen, net: -13.5 })).toMatchObject({ status: 400, body: { code: 'lines_changed' } });
    expect((await settle(mira, { ...seen, net: 13.5 })).body).toMatchObject({ status: 'paid', amount: 13.5 });
  });
});

describe('a payment that the creditor records', () => {
  it('is paid at once', async () => {
    const { mira, ana } = await debtors();
    const payment = (await settle(mira, { username: 'ana' })).body;
    expect(payment).toMatchObject({ status: 'paid', confirmed_at: CLOSED, direction: 'they_paid', amount: 16 });
    expect(await balanceOf(ana)).toBeUndefined();
    expect(await act(mira, payment.id, 'confirm')).toMatchObject({ status: 200, body: { status: 'paid' } });
    expect(await act(mira, payment.id, 'reject')).toMatchObject({ status: 400, body: { code: 'payment_confirmed' } });
    expect(kinds((await settlementsOf(ana))[0]!)).toEqual(['paid mira']);
  });

  it('is paid at once by either side if what they owe each other cancels out', async () => {
    const { mira, ana } = await debtors();
    setClock('2026-02-01T00:00:00Z');
    const cloud = await api.addAsset(mira, { name: 'Cloud', subscription_cost: 8, split_method: 'equal' });
    await api.share(mira, cloud, ana, 10);
    setClock(CLOSED);
    const even = (await balanceOf(ana))?.lines.filter(({ amount }) => amount === 4) ?? [];
    const payment = (await settle(ana, { username: 'mira', lines: even.map(({ id }) => id) })).body;
    expect([payment.status, payment.amount, payment.lines.length]).toEqual(['paid', 0, 2]);
  });
});

describe('a partial payment', () => {
  it('is taken from the oldest charge on, and leaves the rest open', async () => {
    const { mira, ana, films } = await debtors();
    const first = (await settle(ana, { username: 'mira', amount: 12.5 })).body;
    expect(first).toMatchObject({ amount: 12.5, status: 'sent' });
    expect(first.lines.map(({ month, amount, covered_amount }) => [month, amount, covered_amount])).toEqual([
      ['2026-01', 10, 10],
      ['2026-02', 10, 2.5],
    ]);
    // Only the payer's own charges: what Mira owes stays.
    expect(openOf(await balanceOf(mira))).toEqual([
      ['Films 2026-01', 10, 10, 'sent'],
      ['Films 2026-02', 10, 2.5, 'due'],
      ['Bicycle 2026-02', 4, 0, 'due'],
    ]);
    expect(await balanceOf(mira)).toMatchObject({ they_owe: 20, you_owe: 4, net: 16, they_sent: 12.5 });
    await act(mira, first.id, 'confirm');
    expect(await balanceOf(mira)).toMatchObject({ they_owe: 7.5, you_owe: 4, net: 3.5, they_sent: 0 });
    expect((await statementOf(films, '2026-02', ana)).lines[0]).toMatchObject({
      status: 'due',
      settled: false,
      amount: 10,
      paid_amount: 2.5,
      open_amount: 7.5,
    });
    const rest = (await settle(mira, { username: 'ana' })).body;
    expect([rest.amount, rest.lines.map(({ covered_amount }) => covered_amount)]).toEqual([3.5, [7.5, 4]]);
    expect(await balanceOf(mira)).toBeUndefined();
  });

  it.each([
    [17, 'Amount must be at most 16'],
    [0, 'Amount must be more than zero'],
    [-1, 'Amount must be more than zero'],
    [1.005, 'Amount must have at most two decimals'],
    ['5', 'Amount must be a number'],
  ])('of %j is rejected', async (amount, message) => {
    const { ana } = await debtors();
    expect(await settle(ana, { username: 'mira', amount })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', fields: { amount: [message] } },
    });
    expect(await settlementsOf(ana)).toEqual([]);
  });

  it('of all that is open clears both directions', async () => {
    const { ana } = await debtors();
    expect((await settle(ana, { username: 'mira', amount: 16 })).body.lines).toHaveLength(3);
  });

  it('reserves its amount while it is sent, so that two at once never exceed the balance', async () => {
    const { mira, ana } = await debtors();
    await balanceOf(ana);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        index % 2 === 0 ? settle(ana, { username: 'mira', amount: 5 }) : settle(mira, { username: 'ana', amount: 5 }),
      ),
    );
    // 16 − 3 × 5 = 1 is too little for another.
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 400]));
    expect((await settle(ana, { username: 'mira', amount: 1 })).status).toBe(201);
  });
});

describe('undoing a payment', () => {
  it('is up to the debtor alone for 72 hours after they sent it', async () => {
    const { mira, ana } = await debtors();
    const { id } = (await settle(ana, { username: 'mira' })).body;
    advance(72);
    const undone = (await act(ana, id, 'undo')).body;
    expect(undone).toMatchObject({ status: 'undone', undone_at: '2026-03-07T00:00:00.000Z', amount: 16 });
    expect(kinds(undone)).toEqual(['sent ana', 'undone ana']);
    expect(undone.lines).toHaveLength(3);
    expect(await balanceOf(mira)).toMatchObject({ net: 16, they_sent: 0 });
    expect(kinds((await act(ana, id, 'undo')).body)).toEqual(kinds(undone));
    expect(await act(mira, id, 'confirm')).toMatchObject({ status: 400, body: { code: 'payment_undone' } });
  });

  it('is up to the creditor alone for 72 hours after they recorded it', async () => {
    const { mira, ana } = await debtors();
    const { id } = (await settle(mira, { username: 'ana' })).body;
    advance(72);
    expect((await act(mira, id, 'undo')).body).toMatchObject({ status: 'undone' });
    expect(await balanceOf(ana)).toMatchObject({ net: -16 });
  });

  it('makes it sent again if the creditor undoes a confirmation in time', async () => {
    const { mira, ana } = await debtors();
    const { id } = (await settle(ana, { username: 'mira' })).body;
    advance(100);
    await act(mira, id, 'confirm');
    advance(72);
    const again = (await act(mira, id, 'undo')).body;
    expect(again).toMatchObject({ status: 'sent', confirmed_at: null, undone_at: null });
    expect(kinds(again)).toEqual(['sent ana', 'confirmed mira', 'confirmation_undone mira']);
    expect(await balanceOf(ana)).toMatchObject({ net: -16, you_sent: 16 });
    // The second press of the same button finds a sent payment, which is for the debtor to undo.
    expect(await act(mira, id, 'undo')).toMatchObject({ status: 400, body: { code: 'undo_not_allowed' } });
    expect((await act(mira, id, 'confirm')).body).toMatchObject({ status: 'paid' });
  });

  it.each([
    ['later', true],
    ['of what the other did', false],
  ])('takes both %s', async (_, late) => {
    const { mira, ana } = await debtors();
    const { id } = (await settle(mira, { username: 'ana' })).body;
    if (late) advance(72.001);
    const [first, second] = late ? [mira, ana] : [ana, mira];
    const name = first.user.username;
    const asked = (await act(first, id, 'undo')).body;
    expect(asked).toMatchObject({ status: 'paid', undo_asked_by: name, can: { undo: null, withdraw: true } });
    expect(await balanceOf(ana)).toBeUndefined();
    // Asking again doesn't agree with oneself.
    expect((await act(first, id, 'undo')).body).toMatchObject({ status: 'paid', undo_asked_by: name });
    expect((await settlementsOf(second))[0]?.can).toMatchObject({ undo: 'agree', withdraw: false });

    const withdrawn = (await act(first, id, 'withdraw')).body;
    expect(withdrawn).toMatchObject({ status: 'paid', undo_asked_by: null });
    expect((await act(first, id, 'withdraw')).body).toEqual(withdrawn);
    await act(first, id, 'undo');
    const undone = (await act(second, id, 'undo')).body;
    expect(undone).toMatchObject({ status: 'undone', undo_asked_by: null });
    expect(kinds(undone)).toEqual([
      'paid mira',
      `undo_asked ${name}`,
      `undo_withdrawn ${name}`,
      `undo_asked ${name}`,
      `undone ${second.user.username}`,
    ]);
    expect(await balanceOf(ana)).toMatchObject({ net: -16 });
    expect(await act(first, id, 'withdraw')).toMatchObject({ status: 400, body: { code: 'payment_undone' } });
  });

  it('is not up to the debtor alone once the creditor has confirmed', async () => {
    const { mira, ana } = await debtors();
    const { id } = (await settle(ana, { username: 'mira' })).body;
    await act(mira, id, 'confirm');
    expect((await act(ana, id, 'undo')).body).toMatchObject({ status: 'paid', undo_asked_by: 'ana' });
  });

  it('changes nothing once the step that the user saw is another one', async () => {
    const { mira, ana } = await debtors();
    const { id } = (await settle(ana, { username: 'mira' })).body;
    const undo = (as: SignedIn, step: string) =>
      api.call('POST', `/api/settlements/${id}/undo/`, { as, body: { step } });
    advance(72.001);
    expect(await undo(ana, 'alone')).toMatchObject({ status: 400, body: { code: 'payment_changed' } });
    expect((await undo(ana, 'ask')).body).toMatchObject({ undo_asked_by: 'ana' });
    await act(ana, id, 'withdraw');
    expect(await undo(mira, 'agree')).toMatchObject({ status: 400, body: { code: 'undo_not_allowed' } });
    expect((await settlementsOf(ana))[0]).toMatchObject({ status: 'sent', undo_asked_by: null });
    expect(await undo(ana, 'agree')).toMatchObject({ status: 400, body: { code: 'payment_changed' } });
    expect(await undo(ana, 'never')).toMatchObject({ status: 400, body: { fields: { step: [expect.anything()] } } });
  });

  it('by anyone else finds no payment', async () => {
    const { ana } = await debtors();
    const { id } = (await settle(ana, { username: 'mira' })).body;
    const ben = await api.register('ben');
    for (const action of ['confirm', 'reject', 'undo', 'withdraw'])
      expect(await act(ben, id, action)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await settlementsOf(ben)).toEqual([]);
  });
});

describe('how to pay someone', () => {
  it('is shown to those who owe them now, and to no one else', async () => {
    const { mira, ana } = await debtors();
    const iban = 'DE89370400440532013000';
    const methods = [
      { kind: 'iban', value: iban, holder: 'Mira', town: null },
      { kind: 'venmo', value: 'mira-lind', holder: null, town: null },
    ];
    const details = { iban, link: null, text: null, methods };
    const swish = { kind: 'swish', value: '070 123 45 67' };
    const ways = [methods[0], swish, { kind: 'venmo', value: 'mira-lind' }];
    await send('PATCH', '/api/me/', { as: mira, body: { payment_details: { methods: ways } } });
    await send('PATCH', '/api/me/', { as: ana, body: { payment_details: { text: 'Of ana' } } });
    // In dollars, for which there is no Swish.
    expect(await balanceOf(ana)).toMatchObject({ net: -16, payment_details: details });
    expect(await balanceOf(mira)).toMatchObject({ net: 16, payment_details: null });
    const ben = await api.register('ben');
    const kim = await api.addAsset(mira, { name: 'Cloud' });
    await api.share(mira, kim, ben, 5);
    for (const path of ['/api/balances/', '/api/shared-assets/', '/api/settlements/'])
      expect(JSON.stringify(await get(path, ben))).not.toContain('DE89');

    const { id } = (await settle(ana, { username: 'mira' })).body;
    // What isn't confirmed is still owed.
    expect(await balanceOf(ana)).toMatchObject({ payment_details: details });
    await act(mira, id, 'confirm');
    for (const path of ['/api/balances/', '/api/settlements/', '/api/shared-assets/', '/api/statements/'])
      expect(JSON.stringify(await get(path, ana))).not.toContain('DE89');
  });

  it('is shown to neither of two who owe each other the same', async () => {
    const { mira, ana } = await debtors();
    for (const as of [mira, ana]) await send('PATCH', '/api/me/', { as, body: { payment_details: { text: 'IBAN' } } });
    const { lines = [] } = (await balanceOf(ana)) ?? {};
    // Leaves 4 each way.
    const owed = lines.filter(({ direction }) => direction === 'you_owe').map(({ id }) => id);
    expect((await settle(mira, { username: 'ana', lines: owed, amount: 16 })).status).toBe(201);
    expect(await balanceOf(ana)).toMatchObject({ they_owe: 4, you_owe: 4, net: 0, payment_details: null });
    expect(await balanceOf(mira)).toMatchObject({ net: 0, payment_details: null });
  });
});

describe('a payment whose other side deleted their account', () => {
  const remove = ({ user }: SignedIn) => api.deps.db.deleteFrom('users').where('id', '=', user.id).execute();

  it('is paid when the remaining side records it', async () => {
    const { mira, ana } = await debtors();
    await balanceOf(ana);
    await remove(mira);
    expect(await balanceOf(ana)).toMatchObject({ account_deleted: true });
    const payment = (await settle(ana, { username: 'mira' })).body;
    expect(payment).toMatchObject({ status: 'paid', direction: 'you_paid', username: 'mira', amount: 16 });
    expect((await act(ana, payment.id, 'undo')).body).toMatchObject({ status: 'undone' });
  });

  it('can be confirmed by the debtor if the creditor is gone, and keeps its history', async () => {
    const { mira, ana } = await debtors();
    const { id } = (await settle(ana, { username: 'mira', amount: 5 })).body;
    await remove(mira);
    expect((await settlementsOf(ana))[0]?.can).toMatchObject({ confirm: true, undo: 'alone' });
    expect(kinds((await act(ana, id, 'confirm')).body)).toEqual(['sent ana', 'confirmed ana']);
    expect(await balanceOf(ana)).toMatchObject({ username: 'mira', net: -11, payment_details: null });
  });

  it('is confirmed or rejected by the creditor if the debtor is gone', async () => {
    const { mira, ana } = await debtors();
    const { id } = (await settle(ana, { username: 'mira' })).body;
    await remove(ana);
    const confirmed = (await act(mira, id, 'confirm')).body;
    expect([confirmed.username, kinds(confirmed)]).toEqual(['ana', ['sent ana', 'confirmed mira']]);
    advance(200);
    expect((await act(mira, id, 'undo')).body).toMatchObject({ status: 'undone' });
    expect(await balanceOf(mira)).toMatchObject({ username: 'ana', net: 16 });
  });
});

describe('requests at the same time', () => {
  const ROUNDS = raceRounds(12).length;
  /** Of one call at once, in every run: fewer would meet less often. */
  const CALLS = 12;

  /** Plays two actions on a sent payment at once, in both orders. Returns each outcome's statuses and events. */
  async function play(actions: (people: { mira: SignedIn; ana: SignedIn }) => [SignedIn, string][]) {
    const people = await debtors();
    const outcomes: { statuses: number[]; events: string[]; status: string }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = (await settle(people.ana, { username: 'mira' })).body;
      const calls = actions(people);
      const ordered = round % 2 === 0 ? calls : calls.toReversed();
      const answers = await Promise.all(ordered.map(([as, action]) => act(as, id, action)));
      const payment = (await settlementsOf(people.ana))[0]!;
      outcomes.push({
        statuses: answers.map(({ status }) => status),
        events: kinds(payment),
        status: payment.status,
      });
      expect(await balanceOf(people.ana)).toMatchObject({ net: -16 });
      // Starts over, whatever the outcome.
      if (payment.status === 'sent') await act(people.ana, id, 'undo');
    }
    return outcomes;
  }

  it('either confirm or undo', async () => {
    const { mira, ana } = await debtors();
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = (await settle(ana, { username: 'mira' })).body;
      const calls = [() => act(mira, id, 'confirm'), () => act(ana, id, 'undo')];
      await Promise.all((round % 2 === 0 ? calls : calls.toReversed()).map((call) => call()));
      const payment = (await settlementsOf(ana))[0]!;
      // Undone first, the confirmation is refused; confirmed first, undoing asks the creditor.
      expect([
        ['sent ana', 'undone ana'],
        ['sent ana', 'confirmed mira', 'undo_asked ana'],
      ]).toContainEqual(kinds(payment));
      const isPaid = payment.status === 'paid';
      expect((await balanceOf(ana))?.net).toBe(isPaid ? undefined : -16);
      if (isPaid) await act(mira, id, 'undo');
      expect(await balanceOf(ana)).toMatchObject({ net: -16, you_sent: 0 });
    }
  });

  it('confirm once', async () => {
    const { mira, ana } = await debtors();
    const { id } = (await settle(ana, { username: 'mira' })).body;
    const answers = await Promise.all(Array.from({ length: CALLS }, () => act(mira, id, 'confirm')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(kinds((await settlementsOf(ana))[0]!)).toEqual(['sent ana', 'confirmed mira']);
    expect(await balanceOf(mira)).toBeUndefined();
  });

  it('undo once', async () => {
    for (const { statuses, events } of await play(({ ana }) => [
      [ana, 'undo'],
      [ana, 'undo'],
    ])) {
      expect(statuses).toEqual([200, 200]);
      expect(events).toEqual(['sent ana', 'undone ana']);
    }
  });

  it('either reject or undo, and open the charges once', async () => {
    for (const { events, status } of await play(({ mira, ana }) => [
      [mira, 'reject'],
      [ana, 'undo'],
    ])) {
      expect(events).toHaveLength(2);
      expect(['undone', 'not_received']).toContain(status);
    }
  });

  it('never undo a payment and confirm it with the account of its debtor deleted meanwhile', async () => {
    const { mira, ana } = await debtors();
    const { id } = (await settle(ana, { username: 'mira' })).body;
    const [confirmed] = await Promise.all([
      act(mira, id, 'confirm'),
      api.deps.db.deleteFrom('users').where('id', '=', ana.user.id).execute(),
    ]);
    expect(confirmed).toMatchObject({ status: 200, body: { status: 'paid', username: 'ana' } });
  });
});

describe('whatever two people do', () => {
  const Step = fc.record({
    byDebtor: fc.boolean(),
    action: fc.constantFrom('settle', 'settle', 'confirm', 'reject', 'undo', 'withdraw', 'mark'),
    amount: fc.option(fc.integer({ min: 1, max: 1600 }), { nil: undefined }),
    which: fc.nat(5),
    hours: fc.constantFrom(0, 1, 80),
  });

  it('what is open and what was paid add up to the charges, and no charge is overpaid', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(Step, { minLength: 3, maxLength: 14 }), async (steps) => {
        await api.reset();
        const { mira, ana } = await debtors();
        const charges = (await balanceOf(mira))?.lines ?? [];
        for (const { byDebtor, action, amount, which, hours } of steps) {
          api.clock.advance(hours * HOUR);
          const [as, username] = byDebtor ? [ana, 'mira'] : [mira, 'ana'];
          const payments = await settlementsOf(as);
          const payment = payments[which % Math.max(1, payments.length)];
          const charge = charges[which % charges.length];
          const answer =
            action === 'settle'
              ? await settle(as, { username, ...(amount !== undefined && { amount: amount / 100 }) })
              : action === 'mark'
                ? await api.call('POST', `/api/statement-lines/${charge?.id}/mark/`, {
                    as,
                    body: { status: which % 2 === 0 ? 'due' : byDebtor ? 'sent' : 'paid' },
                  })
                : payment
                  ? await act(as, payment.id, action)
                  : undefined;
          expect([answer?.status ?? 200, await brokenSums(mira, ana)]).toEqual([
            expect.toSatisfy((code) => code < 500),
            [],
          ]);
        }
      }),
      { numRuns: 12 },
    );
  }, 120_000);

  /** Returns every sum that isn't what it should be. */
  async function brokenSums(mira: SignedIn, ana: SignedIn): Promise<string[]> {
    const [credit, debit, payments] = [await balanceOf(mira), await balanceOf(ana), await settlementsOf(mira)];
    const stored = await api.deps.db.selectFrom('statement_lines').selectAll().where('role', '=', 'member').execute();
    const cents = (amount = 0) => Math.round(amount * 100);
    const signed = (lines: { direction: string }[], amountOf: (index: number) => number | undefined) =>
      lines.reduce((sum, line, index) => sum + (line.direction === 'they_owe' ? 1 : -1) * cents(amountOf(index)), 0);
    const covered = (id: number, status: string) =>
      payments
        .filter((payment) => payment.status === status)
        .flatMap(({ lines }) => lines)
        .filter((line) => line.id === id)
        .reduce((sum, line) => sum + cents(line.covered_amount), 0);
    const problems: [string, boolean][] = stored.flatMap((line) => {
      const shown = credit?.lines.find(({ id }) => id === line.id);
      const open = cents(shown?.open_amount);
      const isMarked = line.paid_at !== null;
      const paid = isMarked ? line.amount_cents : covered(line.id, 'paid');
      return [
        [`${line.id}: open ${open} and paid ${paid}`, open + paid === line.amount_cents && open >= 0 && paid >= 0],
        [`${line.id}: sent`, shown === undefined || cents(shown.sent_amount) === covered(line.id, 'sent')],
        [`${line.id}: overpaid`, isMarked || covered(line.id, 'sent') <= open],
      ];
    });
    const [mirasNet, anasNet] = [credit, debit].map((balance) =>
      signed(balance?.lines ?? [], (index) => balance?.lines[index]?.open_amount),
    );
    problems.push(['net', mirasNet === cents(credit?.net)], ['both nets', (mirasNet ?? 0) + (anasNet ?? 0) === 0]);
    for (const { id, lines, amount, direction } of payments)
      problems.push([
        `payment ${id}`,
        signed(lines, (index) => lines[index]?.covered_amount) === (direction === 'they_paid' ? 1 : -1) * cents(amount),
      ]);
    return problems.filter(([, holds]) => !holds).map(([name]) => name);
  }
});

it('an amount is taken from the charges of one month in the order in which they were made', () => {
  const charge = (id: number, month: string) => ({ id, month, cents: 5 });
  const charges = [charge(3, '2026-02'), charge(2, '2026-01'), charge(1, '2026-02')];
  expect(takeFromOldest(charges, 7)).toEqual([
    { lineId: 2, cents: 5 },
    { lineId: 1, cents: 2 },
  ]);
});
