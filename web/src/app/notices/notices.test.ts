import type { Balance, BalanceLine, Settlement, SettlementEventKind } from '@hourshare/contract/settlements';
import { describe, expect, it } from 'vitest';
import { aBalance, aCharge, aLine, anOffer, aSettlement, aShare, aStatement, bensLine } from '../../testing/records.ts';
import { findNotices, type NoticeSources } from './notices.ts';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const none: NoticeSources = { username: 'mira', shares: [], balances: [], settlements: [], statements: [] };

const notices = (sources: Partial<NoticeSources>, now = NOW) => findNotices({ ...none, ...sources }, now);
const texts = (sources: Partial<NoticeSources>, now = NOW) =>
  notices(sources, now).map(({ text, detail }) => `${text} (${detail})`);

const sentCharge = (change: Partial<BalanceLine> = {}): BalanceLine =>
  aCharge({ status: 'sent', status_since: '2026-11-19T10:00:00.000Z', ...change });

const bensBalance = (...lines: BalanceLine[]): Balance => aBalance({ lines });

/** A payment that Ben recorded. */
const bensPayment = (change: Partial<Settlement> = {}): Settlement =>
  aSettlement({
    recorded_by: 'ben',
    events: [{ kind: 'paid', username: 'ben', at: '2026-11-19T10:00:00.000Z' }],
    ...change,
  });

const october = {
  month: '2026-10',
  ended: true,
  ends_at: '2026-11-01T00:00:00.000Z',
  closes_at: '2026-11-04T00:00:00.000Z',
};

describe('an open offer', () => {
  it('comes before newer news, with its price and hours, and leads to its dialog', () => {
    const shares = [
      aShare({ id: 8, shared_at: '2026-11-20T11:00:00.000Z' }),
      { ...anOffer(), shared_at: '2026-11-10T10:00:00.000Z' },
    ];
    expect(texts({ shares })).toEqual([
      'ben offers you Figma ($20.00 a month in total, 20 h for you)',
      'ben shared Figma with you (20 h a month)',
    ]);
    expect(notices({ shares })[0]).toMatchObject({ isOffer: true, link: { search: { share: 7, tab: 'usage' } } });
  });
});

describe('a handover', () => {
  const handover = {
    accepted: false,
    offered_at: '2026-11-19T10:00:00.000Z',
    from_month: '2026-12',
    price: 20,
    currency: 'USD',
    split_method: 'usage' as const,
    base_percent: 0,
    owner_hours: 0,
    max_session_hours: 24,
    time_zone: 'UTC',
    next_price: null,
    members: 1,
    stay_hours: null,
    expires_at: '2026-12-03T10:00:00.000Z',
    version: 'v',
  };

  it('waits for an answer like an offer, until it is accepted', () => {
    const share = aShare({ shared_at: '2026-11-20T11:00:00.000Z', handover });
    expect(notices({ shares: [share] })[0]).toMatchObject({
      text: 'ben wants to hand Figma over to you',
      detail: 'Starting December 2026',
      isOffer: true,
      link: { search: { share: 7, tab: 'usage' } },
    });
    expect(texts({ shares: [{ ...share, handover: { ...handover, accepted: true } }] })).toHaveLength(1);
  });
});

describe('access', () => {
  it('is listed for 30 days and leads to the share', () => {
    const shares = [
      aShare({ id: 7, asset_name: 'Figma', shared_at: '2026-10-22T12:00:00.000Z' }),
      aShare({ id: 8, asset_name: 'Films', shared_at: '2026-10-20T12:00:00.000Z' }),
    ];
    expect(notices({ shares })).toEqual([
      {
        key: 'share-7',
        at: '2026-10-22T12:00:00.000Z',
        text: 'ben shared Figma with you',
        detail: '20 h a month',
        about: { asset: 'Figma' },
        link: { to: '/shared', search: { share: 7, tab: 'usage' } },
      },
    ]);
  });
});

describe('co-managing', () => {
  it('is listed separately from the access, and leads to the view of the owner', () => {
    const shares = [aShare({ manager_since: '2026-11-19T12:00:00.000Z' })];
    expect(texts({ shares })).toEqual(['ben made you a co-manager of Figma (You can now manage it with ben)']);
    expect(notices({ shares })[0]?.link).toEqual({ to: '/shared', search: { asset: 1, tab: 'details' } });
  });
});

describe('charges marked as sent', () => {
  it('are listed for the person who is owed, once a day', () => {
    const [notice] = notices({
      balances: [
        bensBalance(
          sentCharge({ id: 1, amount: 5.1 }),
          sentCharge({ id: 2, amount: 0.2, status_since: '2026-11-19T10:00:01.000Z' }),
          sentCharge({ id: 3, amount: 40, status: 'due', status_since: null }),
        ),
      ],
    });
    expect(notice).toMatchObject({
      at: '2026-11-19T10:00:01.000Z',
      text: 'ben marked $5.30 as sent',
      detail: '2 charges',
      link: { to: '/costs', search: { person: 'ben', currency: 'USD' } },
    });
  });

  it('have an entry for each day, newest first', () => {
    const earlier = sentCharge({ id: 2, asset_name: 'Figma', status_since: '2026-11-16T10:00:00.000Z' });
    expect(texts({ balances: [bensBalance(earlier, sentCharge())] })).toEqual([
      'ben marked $5.00 as sent (Films, October 2026)',
      'ben marked $5.00 as sent (Figma, October 2026)',
    ]);
  });

  it('are not listed for the person who marked them', () => {
    expect(notices({ balances: [bensBalance(sentCharge({ direction: 'you_owe' }))] })).toEqual([]);
  });
});

describe('a charge marked as paid', () => {
  const statement = (settled: boolean) =>
    aStatement({
      ...october,
      closed: true,
      lines: [bensLine({ id: 9, status: 'paid', status_since: '2026-11-19T10:00:00.000Z', settled })],
    });

  it('is listed for its member and leads to the statement', () => {
    expect(notices({ username: 'ben', statements: [statement(false)] })[0]).toMatchObject({
      text: 'mira marked $5.00 as paid',
      detail: 'Films, October 2026',
      link: { to: '/costs/$assetId/$month', params: { assetId: '3', month: '2026-10' } },
    });
  });

  it('is not listed if a recorded payment settled it', () => {
    expect(texts({ username: 'ben', statements: [statement(true)] })).toEqual(['October 2026 is closed (Films)']);
  });
});

describe('payments', () => {
  const event = (kind: SettlementEventKind, username = 'ben', at = '2026-11-19T10:00:00.000Z') => ({
    kind,
    username,
    at,
  });
  const [one] = aSettlement().lines;
  const two = [one!, { ...one!, id: 2 }];

  it('are listed if someone else recorded them', () => {
    const settlements = [
      bensPayment(),
      bensPayment({ id: 2, direction: 'you_paid', lines: two }),
      bensPayment({ id: 3, recorded_by: 'mira', events: [event('paid', 'mira')] }),
      bensPayment({ id: 4, amount: 0, lines: two }),
    ];
    expect(texts({ settlements })).toEqual([
      'ben recorded a payment of $5.00 to you (Films, October 2026)',
      'ben recorded your payment of $5.00 (2 charges)',
      'You and ben settled up (2 charges)',
    ]);
  });

  it('are listed with everything that the other person did to them, newest first', () => {
    const events = [
      event('sent', 'mira', '2026-11-10T10:00:00.000Z'),
      event('confirmed', 'ben', '2026-11-11T10:00:00.000Z'),
      event('confirmation_undone', 'ben', '2026-11-12T10:00:00.000Z'),
      event('undo_asked', 'ben', '2026-11-13T10:00:00.000Z'),
      event('undo_withdrawn', 'ben', '2026-11-14T10:00:00.000Z'),
      event('undo_asked', 'mira', '2026-11-15T10:00:00.000Z'),
      event('undone', 'ben', '2026-11-16T10:00:00.000Z'),
      event('not_received', 'ben', '2026-11-17T10:00:00.000Z'),
    ];
    const found = notices({ settlements: [aSettlement({ direction: 'you_paid', events })] });
    expect(found.map(({ text }) => text)).toEqual([
      'ben marked your payment of $5.00 as not received',
      'ben undid a payment of $5.00',
      'ben asks to undo a payment of $5.00',
      'ben undid confirming your payment of $5.00',
      'ben confirmed your payment of $5.00',
    ]);
  });

  it('that were sent to the user lead to where they are confirmed, once', () => {
    const sent = aSettlement({ status: 'sent', events: [event('sent')] });
    const balance = bensBalance(sentCharge({ sent_amount: 5 }));
    expect(notices({ settlements: [sent], balances: [balance] })).toMatchObject([
      { text: 'ben sent you $5.00: please confirm it', link: { search: { person: 'ben', currency: 'USD' } } },
    ]);
  });
});

describe('a month that ended', () => {
  const atStart = Date.parse('2026-11-02T12:00:00.000Z');

  it('is listed with the day it closes, once for all assets', () => {
    const films = aStatement(october);
    expect(texts({ statements: [films] }, atStart)).toEqual(['October 2026 closes on November 4 (Films)']);
    const figma = aStatement({ ...october, asset_id: 4, asset_name: 'Figma', lines: [aLine()] });
    expect(notices({ statements: [films, figma] }, atStart)).toMatchObject([
      { at: '2026-11-01T00:00:00.000Z', detail: '2 assets', link: { to: '/costs' } },
    ]);
  });

  it('is still dated at its end when it stays open longer', () => {
    const films = aStatement({ ...october, closes_at: '2026-11-05T09:00:00.000Z' });
    expect(notices({ statements: [films] }, atStart)).toMatchObject([
      { at: '2026-11-01T00:00:00.000Z', text: 'October 2026 closes on November 5' },
    ]);
  });

  it('is listed as closed from the day it closes', () => {
    const closed = aStatement({ ...october, closed: true });
    expect(notices({ statements: [closed] })).toMatchObject([
      { at: '2026-11-04T00:00:00.000Z', text: 'October 2026 is closed', detail: 'Films' },
    ]);
  });

  it('is dated at its end if the owner closed it early', () => {
    const closed = aStatement({ ...october, closed: true });
    expect(notices({ statements: [closed] }, atStart)).toMatchObject([{ at: '2026-11-01T00:00:00.000Z' }]);
  });

  it('is not listed while it is running', () => {
    expect(notices({ statements: [aStatement()] })).toEqual([]);
  });
});
