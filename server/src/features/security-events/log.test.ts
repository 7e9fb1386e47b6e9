import { readFile } from 'node:fs/promises';
import type { ProviderAnswer, SignedIn, TokenPair } from '@hourshare/contract/sign-ins';
import type { CreatedAccessToken } from '@hourshare/contract/shares';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildApp } from '../../app.ts';
import { sendDueMails } from '../mail/service.ts';
import { createResetLink } from '../sign-ins/recovery/service.ts';
import { openTestApi, TEST_PASSWORD, type TestApi } from '../../testing/api.ts';
import { browserHeaders, GOOGLE, plantFlow, plantIdentity } from '../../testing/providers.ts';
import { switchTwoStepOn } from '../../testing/two-step.ts';
import { createLog } from '../../platform/log.ts';
import { codeAt } from '../../platform/one-time-codes.ts';
import { hashToken } from '../../platform/tokens.ts';

const NETWORK = '203.0.113.7';
const OTHER_NETWORK = '203.0.113.8';
/** What refusals by anyone who isn't known have in common. */
const REFUSED = { user_id: null, count: 1 };
const NEXT_PASSWORD = 'a longer battery of horses';

let api: TestApi;
let app: FastifyInstance;
let written = '';
beforeAll(async () => {
  api = await openTestApi({ RATE_LIMIT: 'on' });
  app = await buildApp({ ...api.deps, log: createLog('info', { write: (line) => (written += line) }) });
});
beforeEach(async () => {
  await api.reset();
  api.clock.advance(24 * 60 * 60_000);
  written = '';
});
afterAll(async () => {
  await app.close();
  await api.close();
});

const requestIds = new Set<unknown>();
async function send(
  method: 'POST' | 'PATCH' | 'DELETE',
  url: string,
  payload: object,
  as?: Pick<SignedIn, 'access'>,
  remoteAddress = NETWORK,
) {
  const headers = { ...browserHeaders, ...(as && { authorization: `Bearer ${as.access}` }) };
  const answer = await app.inject({ method, url, payload, remoteAddress, headers });
  requestIds.add(answer.headers['x-request-id']);
  return answer;
}
const signIn = async (password: string, username = 'mira') =>
  (await send('POST', '/api/login/', { username, password })).json<SignedIn>();

const lineOfSignIn = ({ user }: SignedIn) => ({
  event: 'signed_in',
  user_id: user.id,
  network: NETWORK,
  method: 'password',
  second_factor: false,
});

/** Returns every line written, without the fields that are the same in all of them, and the id of an answered request. */
function events(): Record<string, unknown>[] {
  const lines = written
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return lines.map(({ level, time, pid, hostname, msg, request_id: requestId, ...event }) => {
    expect({ level, msg }).toEqual({ level: 30, msg: 'security event' });
    expect([typeof time, typeof pid, typeof hostname]).toEqual(['number', 'number', 'string']);
    expect(requestIds).toContain(requestId);
    return event;
  });
}

describe('the security log', () => {
  it('has a line per failed sign-in, and one for the first that a limit rejects', async () => {
    const { user } = await api.register('mira');
    for (let n = 0; n < 15; n++) await signIn('wrong');
    const failed = { event: 'sign_in_failed', user_id: user.id, network: NETWORK };
    expect(events()).toEqual([...Array.from({ length: 10 }, () => failed), { ...failed, event: 'sign_in_blocked' }]);
  });

  it('has the id of the request that failed, and matches the pattern for fail2ban', async () => {
    const { headers } = await send('POST', '/api/login/', { username: 'mira', password: 'wrong' });
    expect(JSON.parse(written)).toMatchObject({ event: 'sign_in_failed', request_id: headers['x-request-id'] });
    const page = await readFile(new URL('../../../../docs/security.md', import.meta.url), 'utf8');
    const pattern = /^failregex = (.+)$/m.exec(page)?.[1] ?? 'missing';
    expect(written).toMatch(new RegExp(pattern.replace('<SUBNET>', NETWORK.replaceAll('.', '\\.'))));
  });

  it('has the id of the request for a link, though the message is sent later', async () => {
    await api.register('mira');
    const mailer = { send: async () => undefined };
    const log = createLog('info', { write: (line) => (written += line) });
    const mailing = await buildApp({ ...api.deps, mailer, log });
    const payload = { email: 'mira@example.org' };
    const { headers } = await mailing.inject({ method: 'POST', url: '/api/password-reset/', payload });
    await mailing.close();
    expect(written).toBe('');
    await sendDueMails({ ...api.deps, mailer, log });
    expect(JSON.parse(written)).toMatchObject({
      event: 'password_reset_requested',
      request_id: headers['x-request-id'],
    });
  });

  it('names no account when there is none, and never what was typed', async () => {
    await signIn('canary-password', 'canary-name');
    expect(events()).toEqual([{ event: 'sign_in_failed', user_id: null, network: NETWORK }]);
    expect(written).not.toContain('canary');
  });

  it('has lines for two-step sign-in, wrong codes, and recovery codes', async () => {
    const mira = await api.register('mira');
    const about = { user_id: mira.user.id, network: NETWORK };
    const { key } = (await send('POST', '/api/me/two-step/', {}, mira)).json<{ key: string }>();
    await send('POST', '/api/me/two-step/confirm/', { code: 'wrong' }, mira);
    const code = codeAt(key, api.clock.now);
    const confirmed = await send('POST', '/api/me/two-step/confirm/', { code }, mira);
    const [recoveryCode] = confirmed.json<{ recovery_codes: string[] }>().recovery_codes;
    const login = { username: 'mira', password: TEST_PASSWORD };
    await send('POST', '/api/login/', login);
    for (let n = 0; n < 12; n++) await send('POST', '/api/login/', { ...login, code: 'canary-code' });
    api.clock.advance(60 * 60_000);
    await send('POST', '/api/login/', { ...login, code: recoveryCode });
    const signedIn = (
      await send('POST', '/api/login/', { ...login, code: codeAt(key, api.clock.now) })
    ).json<SignedIn>();
    await send('POST', '/api/me/two-step/recovery-codes/', {}, signedIn);
    await send('DELETE', '/api/me/two-step/', {}, signedIn);
    expect(events().filter(({ event }) => event === 'signed_in')).toMatchObject([
      { method: 'password', second_factor: true },
      { method: 'password', second_factor: true },
    ]);
    expect(events().map((event) => event['event'])).toEqual([
      'two_step_on',
      ...Array.from({ length: 10 }, () => 'second_step_failed'),
      'sign_in_blocked',
      'signed_in',
      'recovery_code_used',
      'signed_in',
      'recovery_codes_made',
      'two_step_off',
    ]);
    for (const { user_id, network } of events()) expect({ user_id, network }).toEqual(about);
    expect(written).not.toContain('canary');
    expect(written).not.toContain(key);
  });

  it('has lines for a failed and a successful password change, and for the sign-ins that it ended', async () => {
    const mira = await api.register('mira');
    await signIn(TEST_PASSWORD);
    await signIn(TEST_PASSWORD);
    const change = (current: string) =>
      send('POST', '/api/me/password/', { current_password: current, new_password: NEXT_PASSWORD }, mira);
    await change('wrong');
    await change(TEST_PASSWORD);
    const about = { user_id: mira.user.id, network: NETWORK };
    expect(events()).toEqual([
      lineOfSignIn(mira),
      lineOfSignIn(mira),
      { event: 'password_check_failed', ...about },
      { event: 'password_changed', ...about },
      { event: 'sign_ins_ended', ...about, reason: 'password_change', count: 2 },
    ]);
    expect(written).not.toMatch(/battery|horse|Bearer|eyJ/);
  });

  it('has one line for the first password check that a limit rejects', async () => {
    const mira = await api.register('mira');
    const change = () =>
      send('POST', '/api/me/password/', { current_password: 'wrong', new_password: NEXT_PASSWORD }, mira);
    for (let n = 0; n < 13; n++) await change();
    const about = { user_id: mira.user.id, network: NETWORK };
    expect(events().slice(9)).toEqual([
      { event: 'password_check_failed', ...about },
      { event: 'password_check_blocked', ...about },
    ]);
  });

  it('has a line for a changed email address, without the address', async () => {
    const mira = await api.register('mira');
    const change = (password: string) =>
      send('PATCH', '/api/me/', { email: 'new@example.net', current_password: password }, mira);
    await change('wrong');
    await change(TEST_PASSWORD);
    const about = { user_id: mira.user.id, network: NETWORK };
    expect(events()).toEqual([
      { event: 'password_check_failed', ...about },
      { event: 'email_changed', ...about },
    ]);
    expect(written).not.toContain('example.net');
  });

  it('has lines for a password set with a link, for an address confirmed with a link, and for links that fail', async () => {
    const mira = await api.register('mira');
    await signIn(TEST_PASSWORD);
    const link = await createResetLink(api.deps, mira.user.id);
    const confirm = (token: string) => send('POST', '/api/password-reset/confirm/', { token, password: NEXT_PASSWORD });
    await confirm('canary-token');
    await confirm(String(link?.split('#')[1]));
    const change = {
      user_id: mira.user.id,
      email: 'new@example.net',
      token_hash: hashToken('canary-token'),
      created_at: api.clock.now,
      expires_at: new Date(api.clock.now.getTime() + 1),
    };
    await api.deps.db.insertInto('email_changes').values(change).execute();
    await send('POST', '/api/me/email-change/confirm/', { token: 'canary-token' });
    await send('POST', '/api/me/email-change/confirm/', { token: 'canary-token' }, undefined, OTHER_NETWORK);
    const about = { user_id: mira.user.id, network: NETWORK };
    const refused = { ...REFUSED, event: 'link_refused', method: 'POST', status: 400, code: 'link_invalid' };
    expect(events()).toEqual([
      lineOfSignIn(mira),
      { ...refused, network: NETWORK, route: '/api/password-reset/confirm/' },
      { event: 'password_reset', ...about },
      { event: 'sign_ins_ended', ...about, reason: 'password_reset', count: 2 },
      { event: 'email_changed', ...about },
      { ...refused, network: OTHER_NETWORK, route: '/api/me/email-change/confirm/' },
    ]);
    expect(written).not.toMatch(/canary|example\.net|battery/);
  });

  it('has a line for the sign-ins that a user ends', async () => {
    const mira = await api.register('mira');
    await signIn(TEST_PASSWORD);
    await send('DELETE', '/api/me/sign-ins/', {}, mira);
    await send('DELETE', '/api/me/sign-ins/', {}, mira);
    const about = { user_id: mira.user.id, network: NETWORK };
    expect(events()).toEqual([
      lineOfSignIn(mira),
      { event: 'sign_ins_ended', ...about, reason: 'ended_by_user', count: 1 },
    ]);
  });

  it('has lines for a sign-out and for a reused refresh token', async () => {
    const mira = await api.register('mira');
    const copied = await signIn(TEST_PASSWORD);
    await send('POST', '/api/token/refresh/', { refresh: copied.refresh });
    // The answer is lost, so the successor isn't used, and this is no reuse.
    api.clock.advance(10_001);
    const { body: next } = await api.call<TokenPair>('POST', '/api/token/refresh/', {
      body: { refresh: copied.refresh },
    });
    await api.call('GET', '/api/me/', { token: next.access });
    await send('POST', '/api/token/refresh/', { refresh: copied.refresh });
    await send('POST', '/api/logout/', { refresh_token: mira.refresh });
    await send('POST', '/api/logout/', { refresh_token: mira.refresh });
    const about = { user_id: mira.user.id, network: NETWORK };
    expect(events()).toEqual([
      lineOfSignIn(mira),
      { event: 'refresh_token_reused', ...about },
      { event: 'sign_ins_ended', ...about, reason: 'sign_out', count: 1 },
    ]);
  });

  it('has lines for sign-ins with a provider: with a code, without, failed, and expired', async () => {
    const mira = await api.register('mira');
    const ben = await api.register('ben');
    const about = { event: 'signed_in', network: NETWORK, method: 'provider' };
    for (const { user } of [mira, ben]) await plantIdentity(api.deps, user.id, user.username);
    const { key } = await switchTwoStepOn(api, mira);
    // Each code works once.
    api.clock.advance(60_000);
    const code = codeAt(key, api.clock.now);
    const finish = async (answer: string) => {
      await plantFlow(api.deps, { step: 'state', token: 'state', purpose: 'sign-in' });
      const encoded = Buffer.from(`state=state&${answer}`).toString('base64url');
      return (
        await send('POST', '/api/providers/finish/', { provider: 'google', answer: encoded })
      ).json<ProviderAnswer>();
    };
    await finish('code=ben');
    const { ticket } = await finish('code=mira');
    await send('POST', '/api/providers/sign-in/', { ticket, code });
    await finish('error=canary');
    await send('POST', '/api/providers/sign-in/', { ticket, code });
    const refused = { ...REFUSED, event: 'provider_refused', network: NETWORK, method: 'POST', status: 400 };
    expect(events()).toEqual([
      { ...about, user_id: ben.user.id, second_factor: false },
      { ...about, user_id: mira.user.id, second_factor: true },
      { ...refused, route: '/api/providers/finish/', code: 'provider_failed' },
      { ...refused, route: '/api/providers/sign-in/', code: 'provider_expired' },
    ]);
    expect(written).not.toContain('canary');
  });

  it('has only the line of the account for someone else at a provider who confirms who the user is', async () => {
    const mira = await api.register('mira');
    const content = { issuer: GOOGLE, subject: 'canary', email: null, name: null };
    await plantFlow(api.deps, { step: 'ticket', token: 'ticket', purpose: 'check', content });
    const { statusCode } = await send('POST', '/api/me/check/provider/', { ticket: 'ticket' }, mira);
    expect(statusCode).toBe(400);
    expect(events()).toEqual([{ event: 'password_check_failed', user_id: mira.user.id, network: NETWORK }]);
  });

  it('has a line for an access token that was revoked', async () => {
    const mira = await api.register('mira');
    const created = await send('POST', '/api/me/access-tokens/', { name: 'Button' }, mira);
    const { id, token } = created.json<CreatedAccessToken>();
    await send('DELETE', `/api/me/access-tokens/${id}/`, {}, mira);
    await send('POST', '/api/shared-assets/1/start/', {}, { access: token });
    const about = { user_id: mira.user.id, network: NETWORK };
    expect(events()).toEqual([
      { event: 'access_token_created', ...about },
      { event: 'access_tokens_revoked', ...about, reason: 'ended_by_user', count: 1 },
      {
        ...REFUSED,
        event: 'token_refused',
        network: NETWORK,
        method: 'POST',
        route: '/api/shared-assets/{id}/start/',
        status: 401,
        code: 'not_signed_in',
        token: 'script',
      },
    ]);
    expect(written).not.toContain(token);
  });
});
