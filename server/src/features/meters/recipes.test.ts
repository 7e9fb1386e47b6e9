import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { EventResults, MemberMeterWithToken, Meter, MeterWithToken } from '@hourshare/contract/meters';
import type { SharedAsset } from '@hourshare/contract/shares';
import type { SignedIn } from '@hourshare/contract/sign-ins';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { openTestApi, type TestApi } from '../../testing/api.ts';
import { callsOfMeter } from '../../testing/meters.ts';

// The recipes of docs/meters.md: their commands run, and what other programs would send is sent. These programs have the real time.

const HOUR = 3_600_000;
const page = readFileSync(join(import.meta.dirname, '../../../../docs/meters.md'), 'utf8');

const runs = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;
const hasCurl = runs('curl', '--version');
const hasJq = hasCurl && runs('jq', '--version');
const hasPython = runs('python3', '--version');
// As a program, it does nothing.
const hasJinja = hasPython && runs('python3', '-m', 'jinja2.sandbox');

let api: TestApi;
let owner: SignedIn;
let member: SignedIn;
let share: SharedAsset;
let meter: Meter;
let token: string;
let server: string;
beforeAll(async () => {
  api = await openTestApi();
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  server = urlOf(api.app.server);
});
afterEach(() => vi.unstubAllEnvs());
afterAll(() => api.close());

const urlOf = (one: Pick<Server, 'address'>) => `http://127.0.0.1:${(one.address() as AddressInfo).port}`;

const { manage, callShare, agree, logs, expectConsistent } = callsOfMeter(
  () => ({ api, owner, member, share, meter, token }),
  'Ben TV',
);

/** A share of 20 hours with a meter that may record the member, who has a token of their own if each has one. */
async function setUp(settings: object): Promise<void> {
  await api.reset();
  api.clock.now = new Date(Date.now() - 24 * HOUR);
  [owner, member] = [await api.register('mira'), await api.register('ben')];
  share = await api.share(owner, await api.addAsset(owner, { time_zone: 'UTC' }), member);
  const body = { name: 'Meter', min_seconds: 0, ...settings };
  const made = (await manage<MeterWithToken>('POST', '', { body })).body;
  ({ meter, token } = { meter: made.meter, token: made.token ?? '' });
  await agree();
  if (meter.per_member) ({ token } = (await callShare<MemberMeterWithToken>('POST', `meters/${meter.id}/token`)).body);
  api.clock.now = new Date();
}

/** Returns what is to be copied for a program, filled in; without the name for the token of one member. */
function recipe(title: string): string[] {
  const section = page.split(/^### /m).find((each) => each.startsWith(`${title}\n`)) ?? '';
  return [...section.split(/^## /m)[0]!.matchAll(/^```\w*\n([^]*?)\n```$/gm)].map(([, block = '']) =>
    block
      .replaceAll('https://hours.example.org', server)
      .replaceAll('hm_YOUR_TOKEN', token)
      .replaceAll('"name": "NAME", ', meter.per_member ? '' : '"name": "Ben TV", '),
  );
}

/** Runs a program to its end. Returns what it printed. */
async function run(program: string, args: string[], input?: string): Promise<string> {
  const child = execFile(program, args);
  if (input !== undefined) child.stdin?.end(input);
  const output = Promise.all([text(child.stdout!), text(child.stderr!)]);
  const [code] = (await once(child, 'close')) as [number];
  const [printed, problem] = await output;
  if (code !== 0) throw new Error(problem);
  return printed;
}

const python = async <T>(script: string, given: object) =>
  JSON.parse(
    await run('python3', ['-c', `import json, sys\ngiven = json.load(sys.stdin)\n${script}`], JSON.stringify(given)),
  ) as T;

/** Sends what a program would. Returns what becomes of its events. */
async function post(url: string, headers: Record<string, string>, body: string): Promise<string[]> {
  api.clock.now = new Date();
  return outcomes(await (await fetch(url, { method: 'POST', headers, body })).text());
}

const outcomes = (answer: string) =>
  (JSON.parse(answer) as EventResults).results.map(({ result, reason }) => (reason ? `${result}: ${reason}` : result));

/** Events that differ only by their second would be the same. */
async function letASecondPass(): Promise<void> {
  await pause(1100);
  api.clock.now = new Date();
}

async function expectOneSession(): Promise<void> {
  expect(await logs()).toMatchObject([{ source: 'metered', end_time: expect.any(String) as string }]);
  await expectConsistent();
}

describe.each([
  ['the token of a meter', false],
  ['the token of a member', true],
])('with %s, the recipe', (_, perMember) => {
  it.runIf(hasCurl)('for cron and curl starts and stops (needs curl)', async () => {
    await setUp({ per_member: perMember });
    const [start = '', stop = ''] = recipe('cron and curl');
    expect(outcomes(await run('sh', ['-c', start]))).toEqual(['recorded']);
    expect((await callShare('GET', 'active-session')).status).toBe(200);
    await letASecondPass();
    expect(outcomes(await run('sh', ['-c', stop]))).toEqual(['extended']);
    await expectOneSession();
  });

  it.runIf(hasJinja)('for Home Assistant starts, goes on, and stops (needs Python with Jinja2)', async () => {
    await setUp({ per_member: perMember });
    const {
      rest_command: { hourshare: command },
      'automation hourshare': [automation],
    } = parse(recipe('Home Assistant')[0] ?? '') as {
      rest_command: { hourshare: Record<'url' | 'method' | 'content_type' | 'payload', string> & { headers: object } };
      'automation hourshare': [
        { triggers: { id: string }[]; conditions: [string]; actions: [{ action: string; data: { type: string } }] },
      ];
    };
    expect(automation.triggers.map(({ id }) => id)).toEqual(['start', 'stop', 'beat']);
    expect([command.method, automation.actions[0].action]).toEqual(['post', 'rest_command.hourshare']);
    const templates = [automation.conditions[0], automation.actions[0].data.type, command.payload];
    const happen = async (id: string, power: string) => {
      const payload = await python<string | null>(
        `from datetime import datetime
from jinja2.sandbox import SandboxedEnvironment
env = SandboxedEnvironment()
env.globals.update(now=lambda: datetime.now().astimezone(), states=lambda sensor: given["power"])
condition, kind, payload = [env.from_string(each) for each in given["templates"]]
holds = condition.render(given) == "True"
print(json.dumps(payload.render(type=kind.render(given)) if holds else None))`,
        { templates, trigger: { id }, power },
      );
      const headers = { ...command.headers, 'content-type': command.content_type };
      return payload === null ? [] : post(command.url, headers, payload);
    };
    expect(await happen('beat', '9.5')).toEqual([]);
    expect(await happen('start', '12.5')).toEqual(['recorded']);
    expect(await happen('beat', '12.5')).toEqual(['extended']);
    expect(await happen('beat', 'unavailable')).toEqual([]);
    expect(await happen('stop', '9.5')).toEqual(['extended']);
    await expectOneSession();
  });

  it('for iOS Shortcuts starts and stops', async () => {
    await setUp({ per_member: perMember });
    const [request = '', body = ''] = recipe('iOS Shortcuts');
    const { 'Get Contents of URL': url = '', ...headers } = Object.fromEntries(
      request.split('\n').map((line) => line.split(/: (.*)/).slice(0, 2) as [string, string]),
    );
    const send = (type: string) => {
      const inZone = new Date(Date.now() + 2 * HOUR).toISOString().replace(/\.\d+Z/, '+02:00');
      return post(url, headers, body.replaceAll('DATE', inZone).replaceAll('start', type));
    };
    expect(await send('start')).toEqual(['recorded']);
    await letASecondPass();
    expect(await send('stop')).toEqual(['extended']);
    await expectOneSession();
  });

  it.runIf(hasJq)('for ActivityWatch sends what it recorded (needs curl and jq)', async () => {
    await setUp({ per_member: perMember });
    const asked: unknown[] = [];
    const instant = (minutesAgo: number) =>
      new Date(Date.now() - minutesAgo * 60_000).toISOString().replace('Z', '000+00:00');
    const found = [
      { id: null, timestamp: instant(30), duration: 600.25, data: { app: 'Figma' } },
      { id: null, timestamp: instant(60), duration: 0.5, data: { app: 'Figma' } },
      { id: null, timestamp: instant(90), duration: 900, data: { app: 'Figma' } },
    ];
    const watcher = createServer((request, response) => {
      void text(request).then((body) => {
        asked.push([request.url, JSON.parse(body)]);
        response.end(JSON.stringify([found]));
      });
    }).listen(0, '127.0.0.1');
    await once(watcher, 'listening');
    const [script = '', crontab = ''] = recipe('ActivityWatch');
    const answer = await run('sh', ['-c', script.replace('http://localhost:5600', urlOf(watcher))]);
    watcher.close();
    expect(outcomes(answer)).toEqual(['recorded', 'recorded']);
    expect((await logs()).map(({ duration }) => duration)).toEqual([10, 15]);
    const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`;
    const timeperiods = [expect.stringMatching(`^${time}/${time}$`)];
    const query = [expect.stringContaining('filter_keyvals(w, "app", ["Figma"])')];
    expect(asked).toEqual([['/api/0/query/', { query, timeperiods }]]);
    expect(crontab).toMatch(/^(?:[\d*/,-]+ ){5}sh /);
    await expectConsistent();
  });
});

it('the recipe for Jellyfin goes on while it plays, and stops', async () => {
  await setUp({});
  const template = recipe('Jellyfin')[0] ?? '';
  /** As Handlebars would, as far as the template needs it. */
  const render = (values: Record<string, string>) => {
    const innermost =
      /\{\{#if_equals (\w+) '(\w+)'\}\}((?:(?!\{\{#).)*?)\{\{else\}\}((?:(?!\{\{#).)*?)\{\{\/if_equals\}\}/;
    let rendered = template;
    for (let choice = innermost.exec(rendered); choice; choice = innermost.exec(rendered)) {
      const [all, name = '', value, yes = '', no = ''] = choice;
      rendered = rendered.replace(all, values[name] === value ? yes : no);
    }
    return rendered.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
  };
  const notify = (NotificationType: string, IsPaused: string) =>
    post(
      `${server}/api/meters/events/`,
      { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      render({
        NotificationType,
        IsPaused,
        NotificationUsername: 'Ben TV',
        UserId: '0b7c2c2b11112222',
        UtcTimestamp: new Date().toISOString().replace('Z', '4567Z'),
      }),
    );
  expect(await notify('PlaybackStart', 'False')).toEqual(['recorded']);
  expect(await notify('PlaybackProgress', 'False')).toEqual(['extended']);
  expect(await notify('PlaybackProgress', 'True')).toEqual(['extended']);
  expect((await callShare('GET', 'active-session')).status).toBe(204);
  expect(await notify('PlaybackProgress', 'False')).toEqual(['extended']);
  expect(await notify('PlaybackStop', 'False')).toEqual(['extended']);
  await expectOneSession();
});

it.runIf(hasPython)('the recipe for Tautulli starts and stops (needs Python)', async () => {
  await setUp({});
  const section = page.split('### Tautulli')[1]?.split('###')[0] ?? '';
  const headers = /`(\{"Authorization": [^`]*\})`/.exec(section)?.[1]?.replace('hm_YOUR_TOKEN', token) ?? '';
  const send = async (template = '') => {
    const utctime = new Date().toISOString().replace('Z', '456');
    const values = { session_key: '7', unixtime: Math.floor(Date.now() / 1000), username: 'Ben TV', utctime };
    const events = await python<object[]>(
      'print(json.dumps([{key: text.format(**given["values"]) for key, text in each.items()} for each in given["events"]]))',
      { ...(JSON.parse(template) as object), values },
    );
    const json = { 'content-type': 'application/json', ...(JSON.parse(headers) as object) };
    return post(`${server}/api/meters/events/`, json, JSON.stringify({ events }));
  };
  const [start, stop] = recipe('Tautulli');
  expect(await send(start)).toEqual(['recorded']);
  await letASecondPass();
  expect(await send(stop)).toEqual(['extended']);
  await expectOneSession();
});

it('the recipe for Claude Code has an exporter send its seconds here, for the member whose token it has', async () => {
  await setUp({ kind: 'totals', per_member: true });
  const settings = (await run('sh', ['-c', `${recipe('Claude Code')[0]}\nenv`]))
    .split('\n')
    .filter((line) => line.startsWith('OTEL_'))
    .map((line) => line.split(/=(.*)/).slice(0, 2) as [string, string]);
  for (const [name, value] of settings) vi.stubEnv(name, value);
  expect(process.env).toMatchObject({
    OTEL_METRICS_EXPORTER: 'otlp',
    OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: 'http/protobuf',
  });
  const reader = new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter(), exportIntervalMillis: HOUR });
  const provider = new MeterProvider({ readers: [reader] });
  provider.getMeter('com.anthropic.claude_code').createCounter(meter.counter, { unit: 's' }).add(90, { type: 'user' });
  await pause(2);
  api.clock.now = new Date();
  await provider.shutdown();
  const rows = await api.deps.db.selectFrom('metered_days').select('seconds').execute();
  expect(rows).toEqual([{ seconds: 90 }]);
});
