import type { SignedIn } from '@hourshare/contract/sign-ins';
import type { OwnedAsset } from '@hourshare/contract/assets';
import type { Terms } from '@hourshare/contract/fields';
import type { SharedAsset } from '@hourshare/contract/shares';
import type { Statement, StatementLine } from '@hourshare/contract/statements';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../../app.ts';
import { freshAccess, openTestApi, type TestApi } from '../../testing/api.ts';
import { billingCalls } from '../../testing/bills.ts';
import { everyCase } from '../../testing/every-case.ts';
import { HANG_MILLISECONDS, isThorough, randomRuns } from '../../testing/thorough.ts';

// No month costs more than what its member last said yes to: what once moved money, and random acts of everyone, tried over HTTP.

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const { setClock, get, send, record, statementOf } = billingCalls(() => api);

const HOUR = 3_600_000;
const APRIL = '2026-04';
const on = (day: number, time = '00:00:00') => `2026-04-${String(day).padStart(2, '0')}T${time}Z`;
const CLOSED = '2026-05-04T00:00:00Z';

interface Home {
  mira: SignedIn;
  asset: OwnedAsset;
  people: Map<string, SignedIn>;
  shares: Map<string, SharedAsset>;
}

/** Mira's asset of $20.00 a month, since April 1. */
async function openHome(changes: Record<string, unknown> = {}): Promise<Home> {
  await api.reset();
  setClock(on(1));
  const mira = await api.register('mira');
  const people = new Map<string, SignedIn>();
  for (const name of ['ana', 'ben', 'cem']) people.set(name, await api.register(name));
  const asset = await api.addAsset(mira, { subscription_cost: 20, ...changes });
  return { mira, asset, people, shares: new Map() };
}

const personOf = ({ people }: Home, name: string) => people.get(name) as SignedIn;
const shareOf = ({ shares }: Home, name: string) => shares.get(name) as SharedAsset;

async function join(home: Home, name: string, hours: number): Promise<void> {
  home.shares.set(name, await api.share(home.mira, home.asset, personOf(home, name), hours));
}
const change = ({ mira, asset }: Home, body: object) => send('PATCH', `/api/assets/${asset.id}/`, { as: mira, body });
const allow = (home: Home, name: string, hours: number, as = home.mira) =>
  send('PATCH', `/api/assets/${home.asset.id}/share/${shareOf(home, name).id}/`, {
    as,
    body: { monthly_hours_allocated: hours },
  });
const remove = (home: Home, name: string) =>
  send('DELETE', `/api/assets/${home.asset.id}/share/${shareOf(home, name).id}/`, { as: home.mira });
const leave = (home: Home, name: string) =>
  send('POST', `/api/shared-assets/${shareOf(home, name).id}/leave/`, { as: personOf(home, name) });

/** Ends April. Returns what it costs each. */
async function closed(home: Home): Promise<Record<string, number>> {
  setClock(CLOSED);
  const { lines, closed, price } = await statementOf(home.asset, APRIL, home.mira);
  expect(closed).toBe(true);
  expect(lines.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)).toBe(Math.round(price * 100));
  return Object.fromEntries(lines.map(({ username, amount }) => [username, amount]));
}

/** By trick, what it costs each after it was tried. */
const tricks: [name: string, expected: Record<string, number>, attempt: () => Promise<Home>][] = [
  [
    'removing a member early',
    { ana: 5, mira: 15 },
    async () => {
      const home = await openHome();
      await join(home, 'ana', 20);
      await record(shareOf(home, 'ana'), on(1, '08:00:00'), 5);
      setClock(on(3));
      await remove(home, 'ana');
      return home;
    },
  ],
  [
    'archiving after use',
    { ana: 2.67, mira: 17.33 },
    async () => {
      const home = await openHome();
      await join(home, 'ana', 60);
      await record(shareOf(home, 'ana'), on(1, '08:00:00'), 8);
      setClock(on(3));
      await change(home, { archived: true });
      return home;
    },
  ],
  [
    'sharing on one of the last days',
    { ana: 1, mira: 19 },
    async () => {
      const home = await openHome();
      setClock(on(28));
      await join(home, 'ana', 20);
      await record(shareOf(home, 'ana'), on(28, '08:00:00'), 1);
      return home;
    },
  ],
  [
    'leaving others behind',
    { ana: 5, ben: 0, mira: 15 },
    async () => {
      const home = await openHome();
      await join(home, 'ben', 20);
      await join(home, 'ana', 20);
      setClock(on(1, '12:00:00'));
      await leave(home, 'ben');
      await record(shareOf(home, 'ana'), on(2), 10);
      return home;
    },
  ],
  [
    'cutting hours for the last second of each day',
    { ana: 5, ben: 0, mira: 15 },
    async () => {
      const home = await openHome();
      await join(home, 'ben', 20);
      await join(home, 'ana', 20);
      await record(shareOf(home, 'ana'), on(2), 10);
      for (let day = 1; day <= 30; day += 5) {
        setClock(on(day, '23:59:59'));
        await allow(home, 'ben', 1);
        setClock(on(day + (day < 30 ? 1 : 0), day < 30 ? '00:00:00' : '23:59:59.5'));
        await allow(home, 'ben', 20);
      }
      return home;
    },
  ],
  [
    'raising the price a second after the yes',
    { ana: 0.05, mira: 9_999_999.94 },
    async () => {
      const home = await openHome({ subscription_cost: 1 });
      await join(home, 'ana', 20);
      await record(shareOf(home, 'ana'), on(1), 1);
      setClock(on(1, '00:00:01'));
      await change(home, { subscription_cost: 9_999_999.99 });
      setClock(on(1, '01:00:00'));
      await leave(home, 'ana');
      return home;
    },
  ],
  [
    'raising the price before the month ends, and another split after it',
    { ana: 10, mira: 1990 },
    async () => {
      const home = await openHome();
      await join(home, 'ana', 20);
      await record(shareOf(home, 'ana'), on(2), 10);
      await change(home, { split_method: 'allocation', base_percent: 100 });
      setClock(on(30, '23:59:59'));
      await change(home, { subscription_cost: 2000 });
      return home;
    },
  ],
  [
    'lowering the price, and raising it again',
    { ana: 1, ben: 1, mira: 18 },
    async () => {
      const home = await openHome();
      await join(home, 'ben', 20);
      await join(home, 'ana', 20);
      for (const name of ['ana', 'ben']) await record(shareOf(home, name), on(2), 4);
      setClock(on(3));
      await leave(home, 'ben');
      for (const [day, cost] of [
        [10, 10],
        [20, 20],
      ] as const) {
        setClock(on(day));
        await change(home, { subscription_cost: cost });
      }
      return home;
    },
  ],
  [
    'raising hours by allowance',
    { ana: 0.52, ben: 0.03, mira: 19.45 },
    async () => {
      const home = await openHome({ split_method: 'allocation' });
      await join(home, 'ben', 1);
      await join(home, 'ana', 20);
      // Ben said yes to 1 h, and at the fullest moment there were 764.
      await allow(home, 'ben', 744);
      setClock(on(1, '00:00:01'));
      await allow(home, 'ben', 1);
      setClock(on(1, '00:00:02'));
      await allow(home, 'ben', 20);
      return home;
    },
  ],
  [
    'adding members and hours as a co-manager',
    { ana: 10, ben: 0, cem: 0, mira: 10 },
    async () => {
      const home = await openHome();
      await join(home, 'ana', 20);
      const [ana, ben] = [personOf(home, 'ana'), personOf(home, 'ben')];
      const entries = `/api/assets/${home.asset.id}/share/`;
      await send('PATCH', `${entries}${shareOf(home, 'ana').id}/`, { as: home.mira, body: { manager: true } });
      await record(shareOf(home, 'ana'), on(2), 10);
      // A member whom Mira offers 1 h, of which Ana makes 700 before he accepts, and who gets more later.
      const offer = await api.offer(home.mira, home.asset, ben, 1);
      home.shares.set('ben', offer);
      await allow(home, 'ben', 700, ana);
      await send('POST', `/api/shared-assets/${offer.id}/accept/`, { as: ben });
      await allow(home, 'ben', 744, ana);
      // And one whom she adds.
      home.shares.set('cem', await api.share(ana, home.asset, personOf(home, 'cem'), 700));
      return home;
    },
  ],
  [
    'an invented end that was pressed offline',
    { ana: 20, mira: 0 },
    async () => {
      const home = await openHome();
      await join(home, 'ana', 20);
      setClock(on(30));
      const [path, as] = [`/api/shared-assets/${shareOf(home, 'ana').id}/`, personOf(home, 'ana')];
      await send('POST', `${path}start/`, { as });
      setClock('2026-05-01T00:00:00Z');
      const pressed = { at: on(30, '00:01:00'), client_time: '2026-05-01T00:00:00Z' };
      await send('POST', `${path}late-end/`, { as, body: pressed });
      return home;
    },
  ],
];

describe('no trick costs anyone more than what they said yes to', () => {
  it('over HTTP', () =>
    everyCase(
      tricks,
      ([name]) => name,
      async ([, expected, attempt]) => expect(await closed(await attempt())).toEqual(expected),
    ));
});

interface Amount {
  cents: bigint;
  by: bigint;
}

/** Returns the most that terms allow for someone's own use and days of April, in cents, rounded up. */
function allowedBy(terms: Terms, { used_seconds: used, days, summed_hours: summed }: StatementLine): number {
  const [price, cap] = [terms.price, terms.max_price_per_hour ?? 0].map((amount) => Math.round(amount * 100));
  const isByUse = terms.split_method === 'usage' || terms.split_method === 'share_of_use';
  const base = isByUse ? Math.floor((price! * terms.base_percent + 50) / 100) : 0;
  const amount = (cents: number, count: number, by: number): Amount =>
    by === 0 ? { cents: 0n, by: 1n } : { cents: BigInt(cents) * BigInt(count), by: BigInt(by) };
  const byAllowance = (cents: number) => amount(cents, summed, terms.total_hours * 30);
  const [one, other] = {
    usage: () => [amount(price! - base, used, terms.total_hours * 3600), byAllowance(base)] as const,
    share_of_use: () => [amount(cap!, used, 3600), byAllowance(base)] as const,
    allocation: () => [byAllowance(price!), amount(0, 0, 1)] as const,
    equal: () => [amount(price!, days, terms.places * 30), amount(0, 0, 1)] as const,
  }[terms.split_method]();
  const [cents, by] = [one.cents * other.by + other.cents * one.by, one.by * other.by];
  return Number((cents + by - 1n) / by);
}

const act = fc.record({
  kind: fc.constantFrom(
    ...(['accept', 'accept', 'accept', 'leave', 'remove', 'use', 'use', 'use', 'allow', 'allow', 'price'] as const),
    ...(['price', 'agree', 'start', 'terms', 'pause', 'join by co-manager', 'allow by co-manager', 'confirm'] as const),
  ),
  name: fc.constantFrom('ana', 'ben', 'cem'),
  hours: fc.integer({ min: 1, max: 60 }),
  cents: fc.oneof(fc.integer({ min: 0, max: 5000 }), fc.constant(999_999_999)),
  wait: fc.integer({ min: 1, max: 30 * HOUR }),
});
type Act = typeof act extends fc.Arbitrary<infer Value> ? Value : never;

/** A home in which max also manages the asset, with what each member last said yes to as it was shown. */
interface World extends Home {
  max: SignedIn;
  yes: Map<string, Terms>;
}

async function openWorld(terms: Record<string, unknown>): Promise<World> {
  const home = await openHome(terms);
  const max = await api.register('max');
  home.people.set('max', max);
  await join(home, 'max', 5);
  await send('PATCH', `/api/assets/${home.asset.id}/share/${shareOf(home, 'max').id}/`, {
    as: home.mira,
    body: { manager: true },
  });
  return { ...home, max, yes: new Map([['max', shareOf(home, 'max').terms as Terms]]) };
}

/** Does something, as far as it is allowed, and returns whose act it was. */
async function perform(world: World, { kind, name, hours, cents }: Act): Promise<string> {
  const { mira, max, asset, shares, yes } = world;
  const as = personOf(world, name);
  const known = shares.get(name);
  const shared = `/api/shared-assets/${known?.id}/`;
  const entry = `/api/assets/${asset.id}/share/${known?.id}/`;
  const attempt = async (method: string, path: string, caller: SignedIn, body?: object) =>
    (await api.call(method, path, { as: caller, ...(body && { body }) })).status < 300;
  if (kind === 'price') {
    await attempt('PATCH', `/api/assets/${asset.id}/`, mira, { subscription_cost: cents / 100 });
  } else if (kind === 'terms') {
    await attempt('PATCH', `/api/assets/${asset.id}/`, mira, { owner_hours: hours, base_percent: 50 });
  } else if (kind === 'pause') {
    await attempt('PATCH', `/api/assets/${asset.id}/`, mira, { archived: true });
    api.clock.advance((hours * HOUR) / 60);
    await attempt('PATCH', `/api/assets/${asset.id}/`, mira, { archived: false });
  } else if (!known) {
    const by = kind === 'join by co-manager' ? max : mira;
    if (kind !== 'accept' && by === mira) return 'nobody';
    const body = { username: name, monthly_hours_allocated: hours };
    if (!(await attempt('POST', `/api/assets/${asset.id}/share/`, by, body))) return 'nobody';
    const { results } = await get<{ results: SharedAsset[] }>('/api/shared-assets/', as);
    const offer = results.find((each) => each.asset.id === asset.id);
    if (!offer?.terms) throw new Error('The offer shows no terms.');
    const { id, terms } = offer;
    await send('POST', `/api/shared-assets/${id}/accept/`, { as, body: { terms } });
    shares.set(name, offer);
    yes.set(name, terms);
    return name;
  } else if (kind === 'leave' || kind === 'remove') {
    await (kind === 'leave' ? attempt('POST', `${shared}leave/`, as) : attempt('DELETE', entry, mira));
    shares.delete(name);
    return kind === 'leave' ? name : 'mira';
  } else if (kind === 'use') {
    const to = Math.min(api.clock.now.getTime(), Date.parse('2026-05-01T00:00:00Z'));
    await record(known, new Date(to - (hours * HOUR) / 10).toISOString(), hours / 10);
    return name;
  } else if (kind === 'allow' || kind === 'allow by co-manager') {
    await attempt('PATCH', entry, kind === 'allow' ? mira : max, { monthly_hours_allocated: hours });
    return kind === 'allow' ? 'mira' : 'max';
  } else if (kind === 'confirm') {
    await attempt('POST', `${entry}confirm/`, mira);
  } else if (kind === 'agree' || kind === 'start') {
    const { terms } = await get<SharedAsset>(shared, as);
    // A plain start changes nothing.
    const isYes = kind === 'agree' || hours > 30;
    const done =
      kind === 'agree'
        ? await attempt('POST', `${shared}agree/`, as, { terms })
        : await attempt('POST', `${shared}start/`, as, isYes ? { agrees: terms } : {});
    if (kind === 'start') await attempt('POST', `${shared}end/`, as);
    if (done && isYes && terms) yes.set(name, terms);
    return name;
  }
  return 'mira';
}

const cents = ({ amount }: StatementLine) => Math.round(amount * 100);

/** Returns whether more was used, or more days given, than the fullest moment has, so that what each pays is divided by that. */
function isBeyond({ lines, total_hours: hours, places, split_method: method, base_percent: base }: Statement): boolean {
  const sum = (of: (line: StatementLine) => number) => lines.slice(1).reduce((total, line) => total + of(line), 0);
  const isBeyondHours = sum((line) => line.summed_hours) > hours * 30;
  if (method === 'equal') return sum(({ days }) => days) > places * 30;
  if (method === 'allocation') return isBeyondHours;
  return sum((line) => line.used_seconds) > hours * 3600 || (base > 0 && isBeyondHours);
}

describe('the promise', () => {
  it(
    'holds over HTTP after every act of anyone in random months',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(
            { split_method: 'usage' },
            { split_method: 'usage', base_percent: 25, owner_hours: 7 },
            { split_method: 'allocation', owner_hours: 3 },
            { split_method: 'equal' },
            { split_method: 'share_of_use', max_price_per_hour: 0.7 },
          ),
          fc.array(act, { minLength: 15, maxLength: 30 }),
          async (terms, acts) => {
            const world = await openWorld(terms);
            const { mira, asset, yes } = world;
            const check = (statement: Statement) => {
              const { price, lines } = statement;
              expect(lines.reduce((sum, line) => sum + cents(line), 0)).toBe(Math.round(price * 100));
              for (const line of lines.slice(1)) {
                const agreed = yes.get(line.username);
                if (!agreed) throw new Error(`${line.username} said yes to nothing.`);
                expect(cents(line)).toBeLessThanOrEqual(allowedBy(agreed, line));
                expect(cents(line)).toBeLessThanOrEqual(Math.round((line.maximum ?? 0) * 100));
              }
            };
            let before = await statementOf(asset, APRIL, mira);
            for (const each of acts) {
              api.clock.advance(each.wait);
              if (api.clock.now.getTime() >= Date.parse('2026-04-30T23:00:00Z')) break;
              const actor = await perform(world, each);
              const after = await statementOf(asset, APRIL, mira);
              check(after);
              const parts = after.base_percent > 0 ? 2 : 1;
              for (const line of after.lines.slice(1)) {
                const earlier = before.lines.find(({ username }) => username === line.username);
                if (line.username === actor || !earlier || after.split_method === 'share_of_use') continue;
                if (isBeyond(before) || isBeyond(after)) continue;
                expect(cents(line)).toBeLessThanOrEqual(cents(earlier) + parts);
              }
              before = after;
            }
            setClock(CLOSED);
            const statement = await statementOf(asset, APRIL, mira);
            expect(statement.closed).toBe(true);
            check(statement);
          },
        ),
        { numRuns: randomRuns(6), endOnFailure: true },
      );
    },
    HANG_MILLISECONDS,
  );

  it(
    'holds for what two servers accept, end, and raise at the last moment of a month',
    async () => {
      const home = await openHome({ split_method: 'usage' });
      // One server's clock shows the last millisecond of April, the other's the first of May, or when April closes.
      const [last, first] = [new Date('2026-04-30T23:59:59.999Z'), new Date('2026-05-01T00:00:00Z')];
      const servers = await Promise.all([last, first].map((now) => buildApp({ ...api.deps, clock: () => now })));
      const request = async (
        server: number,
        method: 'POST' | 'PATCH' | 'DELETE',
        url: string,
        as: SignedIn,
        body?: object,
      ) => {
        const authorization = `Bearer ${await freshAccess(api.deps, as)}`;
        const app = servers[server];
        return app?.inject({ method, url, headers: { authorization }, ...(body && { payload: body }) });
      };
      const rounds = isThorough ? 40 : 8;
      for (let round = 0; round < rounds; round++) {
        setClock(on(1));
        const asset = await api.addAsset(home.mira, { name: `Films ${round}`, subscription_cost: 20 });
        const here = { ...home, asset, shares: new Map<string, SharedAsset>() };
        await join(here, 'ana', 20);
        await join(here, 'ben', 20);
        for (const name of ['ana', 'ben']) await record(shareOf(here, name), on(2), 10);
        setClock(on(30, '23:00:00'));
        const offer = await api.offer(home.mira, asset, personOf(home, 'cem'), 20);
        setClock(last.toISOString());
        const path = `/api/assets/${asset.id}/`;
        const [one, other] = round % 2 === 0 ? [0, 1] : [1, 0];
        const answers = await Promise.all([
          request(one, 'POST', `/api/shared-assets/${offer.id}/accept/`, personOf(home, 'cem'), { terms: offer.terms }),
          request(other, 'POST', `/api/shared-assets/${shareOf(here, 'ben').id}/leave/`, personOf(home, 'ben')),
          request(one, 'PATCH', path, home.mira, { subscription_cost: 2000 }),
          request(other, 'PATCH', `${path}share/${shareOf(here, 'ana').id}/`, home.mira, {
            monthly_hours_allocated: 744,
          }),
        ]);
        // What was seen is refused once it costs more.
        expect(answers.map((answer) => answer?.statusCode)).toEqual([
          expect.toSatisfy((status: number) => status === 200 || status === 409),
          204,
          200,
          200,
        ]);
        api.clock.now = new Date(CLOSED);
        const [statement, again] = await Promise.all([
          statementOf(asset, APRIL, home.mira),
          statementOf(asset, APRIL, home.mira),
        ]);
        expect(again).toEqual(statement);
        const [ofOwner, ...ofMembers] = statement.lines;
        // Ana said yes to $1.00 an hour, and Ben to half of it.
        expect(ofMembers.map(({ username, amount }) => [username, amount]).slice(0, 2)).toEqual([
          ['ana', expect.toSatisfy((amount: number) => amount <= 10)],
          ['ben', expect.toSatisfy((amount: number) => amount <= 5)],
        ]);
        // What the first server did was in April; what the other did, in May.
        const hours = answers[0]?.statusCode === 200 ? 60 : 40;
        expect(statement).toMatchObject(
          one === 0 ? { price: 2000, total_hours: hours } : { price: 20, total_hours: 744 },
        );
        expect(Math.round((ofOwner?.amount ?? 0) * 100) + ofMembers.reduce((sum, line) => sum + cents(line), 0)).toBe(
          Math.round(statement.price * 100),
        );
      }
      await Promise.all(servers.map((server) => server.close()));
    },
    HANG_MILLISECONDS,
  );
});
