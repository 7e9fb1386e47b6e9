import type { Balance, BalanceLine, Settlement } from '@hourshare/contract/settlements';
import { describe, expect, it } from 'vitest';
import { aLine, anOffer, aShare, aStatement, bensLine } from '../../testing/records.ts';
import { findNotices, type NoticeSources } from './notices.ts';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const none: NoticeSources = { username: 'mira', shares: [], balances: [], settlements: [], statements: [] };

const notices = (sources: Partial<NoticeSources>, now = NOW) => findNotices({ ...none, ...sources }, now);
const texts = (sources: Partial<NoticeSources>, now = NOW) =>
  notices(sources, now).map(({ text, detail }) => `${text} (${detail})`);

const aCharge = (change: Partial<BalanceLine> = {}): BalanceLine => ({
  id: 1,
  asset_id: 3,
  asset_name: 'Films',
  month: '2026-10',
  amount: 5,
  direction: 'they_owe',
  status: 'sent',
  status_since: '2026-11-19T10:00:00.000Z',
  ...change,
});

const bensBalance = (...lines: BalanceLine[]): Balance => ({
  username: 'ben',
  they_owe: 5,
  you_owe: 0,
  net: 5,
  currency: 'USD',
  lines,
});

const aSettlement = (change: Partial<Settlement> = {}): Settlement => ({
  id: 1,
  username: 'ben',
  direction: 'they_paid',
  amount: 5,
  currency: 'USD',
  settled_at: '2026-11-19T10:00:00.000Z',
  recorded_by: 'ben',
  lines: [aCharge()],
  ...change,
});

const october = { month: '2026-10', ended: true, closes_at: '2026-11-04T00:00:00.000Z' };

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

describe('charges marked as sent', () => {
  it('are listed for the person who is owed, once a day', () => {
    const [notice] = notices({
      balances: [
        bensBalance(
          aCharge({ id: 1, amount: 5.1 }),
          aCharge({ id: 2, amount: 0.2, status_since: '2026-11-19T10:00:01.000Z' }),
          aCharge({ id: 3, amount: 40, status: 'due', status_since: null }),
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
    const earlier = aCharge({ id: 2, asset_name: 'Figma', status_since: '2026-11-16T10:00:00.000Z' });
    expect(texts({ balances: [bensBalance(earlier, aCharge())] })).toEqual([
      'ben marked $5.00 as sent (Films, October 2026)',
      'ben marked $5.00 as sent (Figma, October 2026)',
    ]);
  });

  it('are not listed for the person who marked them', () => {
    expect(notices({ balances: [bensBalance(aCharge({ direction: 'you_owe' }))] })).toEqual([]);
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
  it('are listed if someone else recorded them', () => {
    const settlements = [
      aSettlement(),
      aSettlement({ id: 2, direction: 'you_paid', lines: [aCharge(), aCharge({ id: 2 })] }),
      aSettlement({ id: 3, recorded_by: 'mira' }),
      aSettlement({ id: 4, amount: 0, lines: [aCharge(), aCharge({ id: 2, direction: 'you_owe' })] }),
    ];
    expect(texts({ settlements })).toEqual([
      'ben recorded a payment of $5.00 to you (Films, October 2026)',
      'ben recorded your payment of $5.00 (2 charges)',
      'You and ben settled up (2 charges)',
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
