import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { MemberMeterWithToken, Meter, MeterWithToken } from '@hourshare/contract/meters';
import type { SharedAsset } from '@hourshare/contract/shares';
import type { SignedIn } from '@hourshare/contract/sign-ins';
import { OTLPMetricExporter as JsonExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPMetricExporter as ProtobufExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { AggregationTemporality, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestApi, type TestApi } from '../../../testing/api.ts';
import { callsOfMeter } from '../../../testing/meters.ts';

const HOUR = 3_600_000;
const COUNTER = 'claude_code.active_time.total';
const COST = 'claude_code.cost.usage';

let api: TestApi;
let owner: SignedIn;
let member: SignedIn;
let share: SharedAsset;
let meter: Meter;
let token: string;
let url: string;
beforeAll(async () => {
  api = await openTestApi();
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}/v1/metrics`;
});
/** A share of 20 hours with a meter of totals of which the member has a token of their own. Exporters have the real time. */
beforeEach(async () => {
  await api.reset();
  api.clock.now = new Date(Date.now() - HOUR);
  owner = await api.register('mira');
  member = await api.register('ben');
  share = await api.share(owner, await api.addAsset(owner), member);
  ({ meter, token } = await addMeter({ per_member: true }));
  api.clock.now = new Date();
});
afterAll(() => api.close());

const { manage, callShare, answer, logs, expectConsistent } = callsOfMeter(
  () => ({ api, owner, member, share, meter, token }),
  'ben@example.org',
);

/** Adds a meter that may record the member. */
async function addMeter(settings: object): Promise<{ meter: Meter; token: string }> {
  const body = { name: 'Claude Code', kind: 'totals', ...settings };
  const made = (await manage<MeterWithToken>('POST', '', { body })).body;
  await callShare('POST', `meters/${made.meter.id}`, { body: { agreed: true } });
  if (made.token !== null) return { meter: made.meter, token: made.token };
  const own = await callShare<MemberMeterWithToken>('POST', `meters/${made.meter.id}/token`);
  return { meter: made.meter, token: own.body.token };
}

const seconds = async () => {
  const rows = await api.deps.db.selectFrom('metered_days').select('seconds').execute();
  return rows.reduce((sum, row) => sum + row.seconds, 0);
};

type Temporality = keyof typeof AggregationTemporality;

/** A program that counts and sends, until it ends. */
function startSender(encoding: 'json' | 'protobuf', temporality: Temporality, attributes: Record<string, string> = {}) {
  const Exporter = encoding === 'json' ? JsonExporter : ProtobufExporter;
  const exporter = new Exporter({
    url,
    headers: { authorization: `Bearer ${token}` },
    temporalityPreference: AggregationTemporality[temporality],
    // The enum is of a package that isn't a dependency of its own.
    compression: (encoding === 'json' ? 'gzip' : 'none') as never,
  });
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const provider = new MeterProvider({
    readers: [reader],
    resource: resourceFromAttributes({ 'service.name': 'claude-code' }),
  });
  const meterOfSdk = provider.getMeter('com.anthropic.claude_code');
  const time = meterOfSdk.createCounter(COUNTER, { unit: 's' });
  const cost = meterOfSdk.createCounter(COST, { unit: 'USD' });
  const others = [meterOfSdk.createCounter('claude_code.token.usage'), meterOfSdk.createHistogram('latency')] as const;
  return {
    count: (value: number, type: 'user' | 'cli' = 'user') => time.add(value, { ...attributes, type }),
    spend: (value: number) => cost.add(value, { ...attributes, model: 'large' }),
    use: () => {
      others[0].add(5, attributes);
      others[1].record(7, attributes);
    },
    send: async () => {
      await new Promise((resolve) => setTimeout(resolve, 2));
      api.clock.now = new Date();
      await reader.forceFlush();
    },
    end: () => provider.shutdown(),
  };
}

describe.each(['json', 'protobuf'] as const)('an exporter of the OpenTelemetry SDK in %s', (encoding) => {
  it.each(['DELTA', 'CUMULATIVE'] as const)(
    'has its seconds counted over restarts, with temporality %s',
    async (temporality) => {
      let expected = 0;
      for (let run = 0; run < 3; run++) {
        const sender = startSender(encoding, temporality);
        for (const step of [60, 0.25, 0.75, 45]) {
          sender.count(step);
          sender.count(step / 4, 'cli');
          sender.use();
          expected += step * 1.25;
          await sender.send();
          await sender.send();
        }
        sender.spend(0.125);
        sender.count(10);
        expected += 10;
        await sender.end();
      }
      expect(await seconds()).toBe(Math.floor(expected));
      expect((await manage<{ results: Meter[] }>('GET')).body.results[0]?.members).toMatchObject([
        { username: 'ben', list_price: 0.38 },
      ]);
      expect(await logs()).toMatchObject([{ meter: 'Claude Code', source: 'metered' }]);
      await expectConsistent();
    },
  );
});

it('counts several programs of several people with one token, by what their attributes say', async () => {
  const zoe = await api.register('zoe');
  const other = await api.share(owner, share.asset as never, zoe);
  ({ meter, token } = await addMeter({ counted_types: 'user', name_attribute: 'user.email' }));
  await api.call('POST', `/api/shared-assets/${other.id}/meters/${meter.id}/`, { as: zoe, body: { agreed: true } });
  const names = [
    { external_name: 'ben@example.org', share_id: share.id },
    { external_name: 'zoe@example.org', share_id: other.id },
  ];
  await manage('PUT', `${meter.id}/names/`, { body: { names } });
  const senders = ['ben', 'ben', 'zoe', 'eve'].map((name, index) =>
    startSender(index % 2 ? 'json' : 'protobuf', 'CUMULATIVE', {
      'user.email': `${name}@example.org`,
      'session.id': String(index),
    }),
  );
  for (let round = 0; round < 2; round++)
    for (const [index, sender] of senders.entries()) {
      sender.count(100 + index);
      sender.count(1000, 'cli');
      await sender.send();
    }
  for (const sender of senders) await sender.end();
  const rows = await api.deps.db
    .selectFrom('metered_days')
    .select(['share_id', 'seconds'])
    .orderBy('share_id')
    .execute();
  expect(rows).toEqual([
    { share_id: share.id, seconds: 402 },
    { share_id: other.id, seconds: 204 },
  ]);
  const listed = (await manage<{ results: Meter[] }>('GET')).body.results.find(({ id }) => id === meter.id);
  expect(listed?.names.find(({ external_name: name }) => name === 'eve@example.org')).toMatchObject({
    share_id: null,
    waiting_hours: 0.06,
  });
  await expectConsistent();
});

it('a counter goes on after its member refused it, without what it counted meanwhile', async () => {
  ({ meter, token } = await addMeter({}));
  const names = [{ external_name: 'ben@example.org', share_id: share.id }];
  await manage('PUT', `${meter.id}/names/`, { body: { names } });
  const sender = startSender('protobuf', 'CUMULATIVE', { 'user.email': 'ben@example.org' });
  sender.count(100);
  await sender.send();
  await answer(false);
  sender.count(1000);
  await sender.send();
  expect(await api.deps.db.selectFrom('meter_series').selectAll().execute()).toEqual([]);
  await answer(true);
  // What was counted until the first export after that can't be told apart.
  for (const step of [7, 5, 20]) {
    sender.count(step);
    await sender.send();
  }
  await sender.end();
  expect(await seconds()).toBe(125);
});

describe('an export', () => {
  const at = (ms = api.clock.now.getTime()) => `${ms}000000`;
  const sum = (dataPoints: object[], more: object = {}) => ({
    name: COUNTER,
    unit: 's',
    sum: { aggregationTemporality: 1, isMonotonic: true, dataPoints, ...more },
  });
  const body = (...metrics: object[]) => ({ resourceMetrics: [{ scopeMetrics: [{ metrics }] }] });
  const post = (payload: unknown, headers: Record<string, string> = {}) =>
    fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body: typeof payload === 'string' || payload instanceof Uint8Array ? payload : JSON.stringify(payload),
    });
  const answerTo = async (payload: unknown) => {
    const answer = await post(payload);
    expect(answer.status).toBe(200);
    return (await answer.json()) as { partialSuccess?: { rejectedDataPoints: string; errorMessage: string } };
  };

  it('that is repeated counts once', async () => {
    const one = body(sum([{ asDouble: 5, startTimeUnixNano: at(Date.now() - 60_000), timeUnixNano: at() }]));
    for (let count = 0; count < 3; count++) expect(await answerTo(one)).toEqual({});
    expect(await seconds()).toBe(5);
  });

  it('of any shape is taken, and says what of it was not', async () => {
    const point = { asInt: '5', timeUnixNano: at() };
    const other = { name: 'claude_code.token.usage', gauge: { dataPoints: [point, point] } };
    expect(await answerTo(body(sum([point]), other))).toEqual({
      partialSuccess: { rejectedDataPoints: '2', errorMessage: expect.stringContaining(COUNTER) },
    });
    expect(
      await answerTo(body(sum([{ ...point, asInt: -5 }, { timeUnixNano: at() }], { isMonotonic: false }))),
    ).toMatchObject({
      partialSuccess: { rejectedDataPoints: '2' },
    });
    for (const odd of [{}, [], null, 5, 'x', { resourceMetrics: 5 }, body(sum([{ asDouble: 'x' }])), body({ sum: [] })])
      await answerTo(JSON.stringify(odd));
    expect(await answerTo(body(sum([{ asDouble: 1, timeUnixNano: at(Date.now() - 30 * 24 * HOUR) }])))).toMatchObject({
      partialSuccess: { rejectedDataPoints: '1', errorMessage: 'Ignored (too_old): 1.' },
    });
    expect(await seconds()).toBe(5);
  });

  it('is refused if it is no export, too large, or in another encoding', async () => {
    expect((await post('{')).status).toBe(400);
    expect((await post(Buffer.from([0xff, 0xff]), { 'content-type': 'application/x-protobuf' })).status).toBe(400);
    expect((await post('x', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post('{}', { 'content-encoding': 'br' })).status).toBe(400);
    expect((await post('{}', { 'content-encoding': 'gzip' })).status).toBe(400);
    expect((await post(gzipSync(' '.repeat(10_000_000)), { 'content-encoding': 'gzip' })).status).toBe(413);
    expect((await post(gzipSync('{}'), { 'content-encoding': 'gzip' })).status).toBe(200);
  });

  it('needs the token of a meter of totals, which can do nothing else', async () => {
    const refused = await post({}, { authorization: 'Bearer hm_x' });
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({
      code: 'not_signed_in',
      error: expect.stringMatching(/^This meter token is wrong/) as string,
    });
    for (const path of ['/api/me/', `/api/assets/${share.asset.id}/meters/`, `/api/shared-assets/${share.id}/logs/`])
      expect(await api.call('GET', path, { token })).toMatchObject({ status: 401 });
    ({ meter, token } = await addMeter({ kind: 'sessions', name: 'TV' }));
    expect(await answerTo(body(sum([{ asDouble: 5, timeUnixNano: at() }])))).toMatchObject({
      partialSuccess: { errorMessage: 'This meter records sessions, not totals.' },
    });
    ({ meter, token } = await addMeter({ name_attribute: 'user.id' }));
    expect(await answerTo(body(sum([{ asDouble: 5, timeUnixNano: at() }])))).toMatchObject({
      partialSuccess: { rejectedDataPoints: '1', errorMessage: 'Without user.id: 1.' },
    });
  });
});
