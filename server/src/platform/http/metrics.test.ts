import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildApp } from '../../app.ts';
import { defineMetrics as measureMail, queueMail } from '../../features/mail/service.ts';
import { openTestApi, type TestApi } from '../../testing/api.ts';
import { openTestDatabase } from '../database/testing/test-database.ts';
import { createLog } from '../log.ts';
import { createMetrics } from '../metrics.ts';

const TOKEN = 'a-token-for-prometheus';
const PAGE = '<!doctype html><title>HourShare</title>';
const LOGIN = JSON.stringify({ username: 'nobody', password: 'some password' });
const bearer = { authorization: `Bearer ${TOKEN}` };

let folder: string;
let webDir: string;
let api: TestApi;
const readiness = { draining: false };
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hourshare-metrics-'));
  webDir = folder;
  for (const name of ['index.html', 'app.html']) writeFileSync(join(folder, name), PAGE);
  const settings = {
    METRICS_TOKEN: TOKEN,
    RATE_LIMIT: 'on',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'hours@example.org',
  };
  api = await openTestApi(settings, { webDir, readiness });
});
beforeEach(async () => {
  await api.reset();
  // Figures from the database are kept for 10 seconds.
  api.clock.advance(10_000);
  readiness.draining = false;
});
afterAll(async () => {
  await api.close();
  rmSync(folder, { recursive: true });
});

const scrape = async (app: FastifyInstance = api.app): Promise<string> => {
  const { statusCode, body } = await app.inject({ url: '/metrics', headers: bearer });
  expect(statusCode).toBe(200);
  return body;
};

/** Returns the value of a series, written as the text format has it. */
function valueOf(text: string, series: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

const requests = (labels: string) => `hourshare_http_request_duration_seconds_count{${labels}}`;

describe('/metrics', () => {
  it('answers in the text format of Prometheus, and is never stored', async () => {
    const { status, headers, text } = await api.call('GET', '/metrics', { headers: bearer });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      'cache-control': 'no-store',
    });
    expect(text).toMatch(
      /^# HELP hourshare_build_info .+\n# TYPE hourshare_build_info gauge\nhourshare_build_info\{version="\d+\.\d+\.\d+/m,
    );
    expect((await api.call('HEAD', '/metrics', { headers: bearer })).status).toBe(200);
  });

  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(0, -1)}`,
    `Bearer ${TOKEN} ${TOKEN}`,
    `Basic ${TOKEN}`,
    TOKEN,
    'Bearer \u00e4'.repeat(500),
  ])('rejects the header %j without a figure', async (authorization) => {
    const headers = authorization === undefined ? {} : { authorization };
    for (const path of ['/metrics', '/metrics/', `/metrics?token=${TOKEN}`]) {
      const answer = await api.call('GET', path, { headers });
      expect(answer).toMatchObject({
        status: 401,
        headers: { 'www-authenticate': 'Bearer' },
        body: { error: "Send this server's METRICS_TOKEN as a bearer token.", code: 'not_signed_in' },
      });
      expect(answer.text).not.toContain('hourshare_');
    }
  });

  it('gives only counters names that end in _total, also those of Node.js', async () => {
    const { clock, uptime } = api.deps;
    const text = await createMetrics({ clock, uptime, includeProcessMetrics: true }).render();
    expect(text).toContain('# TYPE process_cpu_seconds_total counter');
    expect(text.split('\n').filter((line) => /^# TYPE \S+_total (?!counter)/.test(line))).toEqual([]);
  });

  it('rejects the access token of a user', async () => {
    const { access } = await api.register('mira');
    expect((await api.call('GET', '/metrics', { token: access })).status).toBe(401);
  });

  it("is JSON that says there is nothing if there is no METRICS_TOKEN, and never the app's page", async () => {
    const { clock, uptime, config } = api.deps;
    const metrics = createMetrics({ clock, uptime });
    const app = await buildApp({ ...api.deps, metrics, config: { ...config, METRICS_TOKEN: undefined } }, { webDir });
    expect((await app.inject({ url: '/dashboard' })).body).toBe(PAGE);
    for (const headers of [{}, bearer, { accept: 'text/html' }])
      for (const url of ['/metrics', '/metrics/', '/metrics?a=b']) {
        const answer = await app.inject({ url, headers });
        expect([answer.statusCode, answer.json()]).toEqual([404, { error: 'Not found.', code: 'not_found' }]);
      }
    await app.close();
  });

  it('logs what went wrong when it fails, and nothing else', async () => {
    let written = '';
    const { clock, uptime } = api.deps;
    const metrics = createMetrics({ clock, uptime });
    const log = createLog('trace', { write: (line) => (written += line) });
    const app = await buildApp({ ...api.deps, metrics, log });
    await scrape(app);
    expect(written).toBe('');
    metrics.ownGauge('hourshare_draining', 'help', () => {
      throw new Error('no figure');
    });
    expect((await app.inject({ url: '/metrics', headers: bearer })).statusCode).toBe(500);
    expect(JSON.parse(written)).toMatchObject({ level: 50, msg: 'unexpected error', err: { message: 'no figure' } });
    await app.close();
  });

  it('has no limit on requests, right or wrong', async () => {
    for (let n = 0; n < 400; n++) {
      expect((await api.call('GET', '/metrics', { headers: { authorization: 'Bearer wrong' } })).status).toBe(401);
      expect((await api.call('GET', '/metrics', { headers: bearer })).status).toBe(200);
    }
  });
});

describe('requests', () => {
  it('are counted by the pattern of their route, their method, and the class of their status', async () => {
    const as = await api.register('mira');
    const asset = await api.addAsset(as);
    const before = await scrape();
    const got = (text: string, labels: string) => valueOf(text, requests(labels)) ?? 0;
    for (const id of [asset.id, asset.id, 999]) await api.call('GET', `/api/assets/${id}/?x=1`, { as });
    await api.call('GET', '/api/assets/1/');
    await api.call('DELETE', '/api/me/', { as, body: { password: 'wrong' } });
    const after = await scrape();
    for (const [labels, count] of [
      ['method="GET",route="/api/assets/{id}/",status="2xx"', 2],
      ['method="GET",route="/api/assets/{id}/",status="4xx"', 2],
      ['method="DELETE",route="/api/me/",status="4xx"', 1],
      ['method="GET",route="/metrics",status="2xx"', 1],
    ] as const)
      expect([labels, got(after, labels) - got(before, labels)]).toEqual([labels, count]);
  });

  it.each([
    ['before their body is complete', 'Content-Length: 9\r\n\r\n{'],
    ['before they are answered', `Content-Length: ${LOGIN.length}\r\n\r\n${LOGIN}`],
  ])('whose client leaves %s are counted as aborted', async (_, rest) => {
    const { clock, uptime } = api.deps;
    const metrics = createMetrics({ clock, uptime });
    // No answer is ready before the client leaves.
    const passwords = { ...api.deps.passwords, matches: () => new Promise<never>(() => undefined) };
    const app = await buildApp({ ...api.deps, metrics, passwords });
    await app.listen({ host: '127.0.0.1', port: 0 });
    const arrived = once(app.server, 'request');
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(`POST /api/login/ HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${rest}`);
    await arrived;
    socket.destroy();
    const labels = 'method="POST",route="/api/login/",status="aborted"';
    await expect.poll(async () => valueOf(await metrics.render(), requests(labels)), { timeout: 60_000 }).toBe(1);
    await app.close();
  });

  it('have bounded labels, with nothing that a client made up', async () => {
    const series = (text: string) => text.split('\n').filter((line) => line.startsWith('hourshare_http_')).length;
    const ask = async (made: string) => {
      const paths = [
        `/${made}`,
        `/api/${made}/`,
        `/api/assets/${made}/`,
        `/invite/${made}`,
        `/api/invitations/${made}/`,
        `/sign-in/${made}?code=${made}`,
        `/static/${made}.js`,
        `/metrics/${made}`,
        `/api/docs/${made}`,
        `//${made}/%2e%2e/`,
        `http://${made}.example/${made}`,
      ];
      for (const url of paths)
        for (const method of ['GET', 'POST', 'PATCH', 'OPTIONS', 'PROPFIND', 'TRACE'] as const)
          await api.call(method, url, { headers: { 'user-agent': made, 'x-request-id': made, host: made } });
    };
    await ask('canary-first');
    const first = await scrape();
    for (let n = 0; n < 5; n++) await ask(`canary-${n}`);
    const later = await scrape();
    expect(first + later).not.toContain('canary');
    expect(series(later)).toBe(series(first));
    const routes = new Set([...later.matchAll(/^hourshare_http_\w+\{.*route="([^"]*)"/gm)].map(([, route]) => route));
    for (const route of ['pages and files', 'unknown call', '/sign-in/:provider']) expect(routes).toContain(route);
  });
});

describe('figures from the database', () => {
  const figures = async () => {
    const text = await scrape();
    return ['accounts', 'sessions_active', 'months_overdue', 'mail_waiting', 'mail_oldest_seconds'].map((name) =>
      valueOf(text, `hourshare_${name}`),
    );
  };

  it('are those of the moment, but at most 10 seconds old', async () => {
    expect(await figures()).toEqual([0, 0, 0, 0, 0]);
    const owner = await api.register('mira');
    const member = await api.register('ben');
    const { id } = await api.share(owner, await api.addAsset(owner), member);
    await api.call('POST', `/api/assets/${id}/people/`, { as: owner, body: { name: 'Grandma' } });
    await api.call('POST', `/api/shared-assets/${id}/start/`, { as: member });
    await queueMail(
      api.deps,
      'emailChanged',
      { email: 'ben@example.org', username: 'ben', language: 'en', newEmail: 'b@example.org' },
      null,
    );
    api.clock.advance(9999);
    expect(await figures()).toEqual([0, 0, 0, 0, 0]);
    api.clock.advance(1);
    expect(await figures()).toEqual([2, 1, 0, 1, 10]);
  });

  it('come from one statement if they belong together', async () => {
    const statements: string[] = [];
    const recording: KyselyPlugin = {
      transformQuery({ node, queryId }) {
        statements.push(api.deps.db.getExecutor().compileQuery(node, queryId).sql);
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const metrics = createMetrics({ clock: api.deps.clock, uptime: api.deps.uptime });
    measureMail({ ...api.deps, db: api.deps.db.withPlugin(recording), metrics });
    const text = await metrics.render();
    expect([valueOf(text, 'hourshare_mail_waiting'), valueOf(text, 'hourshare_mail_oldest_seconds')]).toEqual([0, 0]);
    expect(statements).toEqual([expect.stringMatching(/ from "mails"$/)]);
  });

  it('show a month that should have closed until it is', async () => {
    const owner = await api.register('mira');
    await api.addAsset(owner);
    api.clock.now = new Date('2026-04-03T23:59:59.999Z');
    api.clock.advance(0);
    expect((await figures())[2]).toBe(0);
    api.clock.advance(10_000);
    expect((await figures())[2]).toBe(1);
    await api.call('GET', '/api/statements/', { as: owner });
    api.clock.advance(10_000);
    expect((await figures())[2]).toBe(0);
  });

  it('are left out while the database is unavailable, and the server is not ready', async () => {
    const other = await openTestDatabase();
    const metrics = createMetrics({ clock: api.deps.clock, uptime: api.deps.uptime });
    const deps = { ...api.deps, db: other.db, metrics };
    measureMail(deps);
    const app = await buildApp(deps);
    expect(valueOf(await scrape(app), 'hourshare_ready')).toBe(1);
    await other.close();
    api.clock.advance(10_000);
    const text = await scrape(app);
    expect(valueOf(text, 'hourshare_ready')).toBe(0);
    expect(valueOf(text, 'hourshare_mail_waiting')).toBeUndefined();
    expect(valueOf(text, 'hourshare_mail_sent_total')).toBe(0);
    await app.close();
  });

  it('tell a server that has been told to stop', async () => {
    expect(valueOf(await scrape(), 'hourshare_draining')).toBe(0);
    readiness.draining = true;
    api.clock.advance(10_000);
    const text = await scrape();
    expect([valueOf(text, 'hourshare_draining'), valueOf(text, 'hourshare_ready')]).toEqual([1, 0]);
  });

  it('include the connections to the database', async () => {
    const text = await scrape();
    const pool = (name: string) => valueOf(text, `hourshare_database_pool_${name}`) ?? -1;
    expect(pool('limit')).toBe(
      api.deps.config.DATABASE_URL === undefined && api.database.engine === 'embedded' ? 1 : 10,
    );
    expect(pool('connections')).toBeGreaterThan(0);
    expect(pool('connections')).toBeLessThanOrEqual(pool('limit'));
    expect(pool('idle')).toBeLessThanOrEqual(pool('connections'));
    expect(pool('waiting')).toBeGreaterThanOrEqual(0);
  });
});
