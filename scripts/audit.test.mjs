import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { judgeAudit } from './audit.mjs';
import { root } from './processes.mjs';

// What npm 11 printed, cut to what matters.
const NOTHING = { auditReportVersion: 2, vulnerabilities: {}, metadata: { vulnerabilities: { total: 0 } } };
const advisory = (/** @type {string} */ name, /** @type {string} */ severity) => ({
  source: 1,
  name,
  dependency: name,
  title: `${name} goes wrong`,
  url: `https://advisories.example/${name}`,
  severity,
  range: '<99',
});
const found = (/** @type {Record<string, unknown[]>} */ via) => ({
  ...NOTHING,
  vulnerabilities: Object.fromEntries(Object.entries(via).map(([name, each]) => [name, { name, via: each }])),
});
const refused = {
  message: '405 Method Not Allowed - POST https://registry.example/-/npm/v1/security/advisories/bulk',
  method: 'POST',
  statusCode: 405,
  body: '',
  error: { summary: '', detail: '' },
};
const notReached = {
  message:
    'request to https://registry.example/-/npm/v1/security/advisories/bulk failed, reason: connect ECONNREFUSED 192.0.2.1:443',
  error: { summary: '', detail: '' },
};
const noLockFile = { error: { code: 'ENOLOCK', summary: 'This command requires an existing lockfile.', detail: '' } };

const judge = (/** @type {object} */ report) => judgeAudit(JSON.stringify(report));

describe('the judgment of an audit report', () => {
  it('passes without advisories', () => {
    expect(judge(NOTHING)).toEqual({ outcome: 'passed', lines: ['0 advisories, 0 of high or critical severity'] });
  });

  it.each(['high', 'critical'])('fails on a %s advisory and names it once', (severity) => {
    expect(judge(found({ pg: [advisory('pg', severity), 'pg-pool'], 'pg-pool': ['pg'] }))).toEqual({
      outcome: 'failed',
      lines: [
        `${severity}: pg <99: pg goes wrong (https://advisories.example/pg)`,
        '1 advisories, 1 of high or critical severity',
      ],
    });
  });

  it.each(['info', 'low', 'moderate'])('passes with a %s advisory, and names it', (severity) => {
    const { outcome, lines } = judge(found({ prettier: [advisory('prettier', severity)] }));
    expect(outcome).toBe('passed');
    expect(lines[0]).toBe(`${severity}: prettier <99: prettier goes wrong (https://advisories.example/prettier)`);
  });

  it.each([
    ['refuses', refused],
    ['cannot be reached', notReached],
  ])('is neither a pass nor a failure when the registry %s', (_, report) => {
    const { outcome, lines } = judge(report);
    expect(outcome).toBe('skipped');
    expect(lines).toEqual([`no audit report from the registry, so nothing was checked: ${report.message}`]);
  });

  it('fails when npm itself does, or prints no report', () => {
    expect(judge(noLockFile)).toEqual({
      outcome: 'failed',
      lines: ['npm audit failed: This command requires an existing lockfile.'],
    });
    expect(judgeAudit('npm: command not found\n').outcome).toBe('failed');
    expect(judgeAudit('').outcome).toBe('failed');
    expect(judge({}).outcome).toBe('failed');
  });
});

describe('npm run audit', () => {
  /** @param {number} status @param {object} [answer] @returns {Promise<{ code: number, output: string, asked: string[] }>} */
  async function auditAgainst(status, answer) {
    /** @type {string[]} */
    let asked = [];
    const registry = createServer((request, response) => {
      /** @type {Buffer[]} */
      const chunks = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        // npm 10 tries an older address when this one fails.
        const isAudit = request.url?.startsWith('/-/npm/v1/security/');
        if (request.url?.endsWith('/advisories/bulk'))
          asked = Object.keys(JSON.parse(gunzipSync(Buffer.concat(chunks)).toString()));
        response.writeHead(isAudit ? status : 404, { 'content-type': 'application/json' });
        response.end(isAudit && answer ? JSON.stringify(answer) : '');
      });
    });
    registry.listen(0, '127.0.0.1');
    await once(registry, 'listening');
    onTestFinished(() => void registry.close());
    const { port } = /** @type {import('node:net').AddressInfo} */ (registry.address());
    // npm keeps what it learns about advisories; the seeded one must not get into its usual cache.
    const cache = mkdtempSync(join(tmpdir(), 'hourshare-audit-'));
    onTestFinished(() => rmSync(cache, { recursive: true, force: true }));
    const child = spawn('node', [join(root, 'scripts', 'audit.mjs')], {
      env: {
        ...process.env,
        NODE_ENV: 'production',
        npm_config_registry: `http://127.0.0.1:${port}/`,
        npm_config_cache: cache,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
    const [code] = await once(child, 'close');
    return { code, output, asked };
  }

  it('asks about what runs and what builds, and fails on a high advisory', async () => {
    const { source: id, range: vulnerable_versions, ...rest } = advisory('pg', 'high');
    const { code, output, asked } = await auditAgainst(200, { pg: [{ ...rest, id, vulnerable_versions }] });
    expect(asked).toEqual(expect.arrayContaining(['fastify', 'react', 'vite', 'vitest', 'prettier']));
    expect(output).toContain('high: pg <99: pg goes wrong');
    expect(code).toBe(1);
  });

  it('passes when the registry knows of nothing', async () => {
    expect(await auditAgainst(200, {})).toMatchObject({ code: 0, output: expect.stringContaining('0 advisories') });
  });

  it('says that nothing was checked when the registry has no audit endpoint', async () => {
    expect(await auditAgainst(405)).toMatchObject({
      code: 1,
      output: expect.stringContaining('so nothing was checked: 405 Method Not Allowed'),
    });
  });
});
