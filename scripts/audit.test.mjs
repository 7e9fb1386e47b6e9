import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { audit } from './audit.mjs';

afterEach(() => vi.unstubAllEnvs());

/** Audits this project with a registry that always gives this answer, or is down without a status. @param {number} [status] @param {object} [answer] */
async function auditAgainst(status, answer) {
  /** @type {string[]} */
  let requests = [];
  const registry = createServer((request, response) => {
    /** @type {Buffer[]} */
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      // npm 10 tries an older endpoint when this one fails.
      const isAudit = request.url?.startsWith('/-/npm/v1/security/');
      if (request.url?.endsWith('/advisories/bulk'))
        requests = Object.keys(JSON.parse(gunzipSync(Buffer.concat(chunks)).toString()));
      response.writeHead(isAudit ? (status ?? 500) : 404, { 'content-type': 'application/json' });
      response.end(isAudit && answer ? JSON.stringify(answer) : '');
    });
  });
  registry.listen(0, '127.0.0.1');
  await once(registry, 'listening');
  onTestFinished(() => void registry.close());
  const { port } = /** @type {import('node:net').AddressInfo} */ (registry.address());
  if (status === undefined) registry.close();
  // npm caches advisories, and the fake one must not get into the real cache.
  const cache = mkdtempSync(join(tmpdir(), 'hourshare-audit-'));
  onTestFinished(() => rmSync(cache, { recursive: true, force: true }));
  vi.stubEnv('NODE_ENV', 'production');
  vi.stubEnv('npm_config_registry', `http://127.0.0.1:${port}/`);
  vi.stubEnv('npm_config_cache', cache);
  return { ...(await audit()), requests };
}

describe('the dependency audit', () => {
  it('checks all dependencies, and passes without advisories', async () => {
    const { outcome, output, requests } = await auditAgainst(200, {});
    expect(requests).toEqual(expect.arrayContaining(['fastify', 'react', 'vite', 'vitest', 'prettier']));
    expect(output).toContain('found 0 vulnerabilities');
    expect(outcome).toBe('passed');
  });

  /** @param {string} severity */
  const auditWith = (severity) =>
    auditAgainst(200, {
      pg: [{ id: 1, title: 'pg goes wrong', url: 'https://a.example/pg', severity, vulnerable_versions: '<99' }],
    });
  const named = expect.stringContaining('pg goes wrong - https://a.example/pg');

  it.each(['high', 'critical'])('fails on a %s advisory', async (severity) => {
    expect(await auditWith(severity)).toMatchObject({ outcome: 'failed', output: named });
  });

  it.each(['low', 'moderate'])('passes with a %s advisory and names it', async (severity) => {
    expect(await auditWith(severity)).toMatchObject({ outcome: 'passed', output: named });
  });

  it.each([
    ['has no audit endpoint', 405, '405 Method Not Allowed'],
    ['cannot be reached', undefined, 'ECONNREFUSED'],
  ])('is skipped when the registry %s', async (_, status, reason) => {
    expect(await auditAgainst(status)).toMatchObject({
      outcome: 'skipped',
      output: expect.stringMatching(new RegExp(`, so nothing was checked: .*${reason}`)),
    });
  });

  it('fails when npm itself fails or is missing', async () => {
    vi.stubEnv('npm_config_global', 'true');
    expect(await auditAgainst(200, {})).toMatchObject({ outcome: 'failed', requests: [] });
    vi.stubEnv('PATH', '');
    expect(await audit()).toMatchObject({ outcome: 'failed', output: expect.stringContaining('ENOENT') });
  });
});
