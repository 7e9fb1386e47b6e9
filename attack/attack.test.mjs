import { errorStatus } from '@hourshare/contract/errors';
import { english } from '@hourshare/contract/sentences';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { attack, isOnThisMachine, shellLine } from './attack.mjs';
import { createJudge, problemsAfterwards } from './oracles.mjs';
import { OTLP_CALL, withOtlp } from './otlp.mjs';
import { absentPath, changed, OPERATIONS, planRequests } from './requests.mjs';
import { SETTLED } from './settling.mjs';
import { bytesOf, createWorld, exchange, parseAnswer } from './target.mjs';
import { FORMULA, MARKUP } from './values.mjs';
import { root, run } from '../scripts/processes.mjs';
import { openApiDocument } from '../server/src/platform/http/openapi.ts';

const published = withOtlp(openApiDocument());

/** Describes a few of our calls, so that the fake server below stays readable. */
const CALLS = [
  'GET /api/assets/{id}/',
  'PATCH /api/assets/{id}/',
  'DELETE /api/assets/{id}/',
  'GET /api/assets/{id}/sessions/',
  'GET /api/me/',
];
const operations = Object.fromEntries(Object.entries(OPERATIONS).filter(([key]) => CALLS.includes(key)));
const document = {
  ...published,
  paths: {
    '/api/assets/{id}/': {
      get: published.paths['/api/assets/{id}/'].get,
      patch: published.paths['/api/assets/{id}/'].patch,
      delete: published.paths['/api/assets/{id}/'].delete,
    },
    '/api/assets/{id}/sessions/': published.paths['/api/assets/{id}/sessions/'],
    '/api/me/': { get: published.paths['/api/me/'].get },
  },
};
const PASSWORD = 'canary password';
const FOREIGN = 'their-secret';
const SIGNED_IN = ['stranger', 'owner', 'manager', 'member', 'former', 'otherOwner', 'otherMember'];
/** Whose access tokens they have. @type {Record<string, string>} */
const SCRIPTS = { ownerScript: 'owner', memberScript: 'member', shareScript: 'member', eventsScript: 'owner' };
const SIGNED_OUT = [
  'garbage',
  'unsigned',
  'wrongKey',
  'altered',
  'refreshToken',
  'expired',
  'ended',
  'revokedScript',
  'meterToken',
  'counterToken',
];
const symbols = {
  asset: { ours: 1, theirs: 2, deleted: 3, absent: 9_999_999 },
  line: { ours: 1, theirs: 2 },
  payment: { ours: 1, theirs: 2, absent: 9_999_999 },
  deposit: { ours: 1, theirs: 2, absent: 9_999_999 },
  token: Object.fromEntries(
    [...SIGNED_IN, ...Object.keys(SCRIPTS), ...SIGNED_OUT].map((role) => [role, `token-of-${role}`]),
  ),
  name: {},
  month: {},
};

const HEADERS = {
  'content-security-policy': "default-src 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
};
const JSON_TYPE = 'application/json; charset=utf-8';
const ASSET = {
  id: 1,
  name: 'Gym',
  description: '',
  subscription_cost: 5,
  currency: 'USD',
  time_zone: 'UTC',
  next_time_zone: null,
  split_method: 'usage',
  base_percent: 0,
  owner_hours: 0,
  max_session_hours: 24,
  max_price_per_hour: null,
  extra_cost_limit: 0,
  cycle: null,
  spread: true,
  spread_from: null,
  trial_until: null,
  ends_on: null,
  cancel_by_days: null,
  auto_renews: true,
  reminder_days: [],
  price_per_month: 5,
  max_price_chosen: false,
  owner_takes_part: false,
  measured: true,
  own_share_id: null,
  total_hours: 0,
  places: 1,
  next_terms: null,
  handover: null,
  archived: false,
  unbilled: false,
  used: false,
  owner: 'mira',
  your_role: 'owner',
  shared_with: [],
};
const ME = {
  id: 1,
  username: 'mira',
  email: 'm@example.org',
  time_zone: 'UTC',
  email_notifications: true,
  language: null,
  usage_reminders: true,
  payment_details: { iban: null, link: null, text: null, methods: [] },
  email_change: null,
  email_confirmed: true,
  two_step: false,
  administrator: false,
};

/** @typedef {{ status: number, headers: Record<string, string>, body: string }} Reply */
/** @typedef {{ caller: string | undefined, script: string | undefined, id: string | undefined, isOurs: boolean, method: string, url: string, body: string }} Asked */
/** @param {number} status @param {unknown} body @param {Record<string, string>} [headers] @returns {Reply} */
const reply = (status, body, headers = {}) => ({
  status,
  headers: { ...HEADERS, 'content-type': JSON_TYPE, ...headers },
  body: JSON.stringify(body),
});
/** @param {import('@hourshare/contract/errors').ErrorCode} code @param {Record<string, string>} [headers] */
const refusal = (code, headers) => reply(errorStatus[code], { error: english({ code }), code }, headers);

/** Returns what a correct server answers. @param {Asked} asked @returns {Reply} */
function correctAnswer({ caller, script, id, isOurs, method, url, body }) {
  const isRead = method === 'GET' || method === 'HEAD';
  const isKnown = isRead || (['PATCH', 'DELETE'].includes(method) && id !== undefined && !url.includes('/sessions'));
  const isMe = /^\/api\/me\/?(?:\?|$)/.test(url);
  if (!isKnown || (id === undefined && !isMe)) return refusal('not_found');
  if (caller === undefined) return refusal('not_signed_in', { 'www-authenticate': 'Bearer' });
  if (isMe && !isRead) return refusal('not_found');
  if (script && (/^(?:share|events)/.test(script) || !isRead)) return refusal('token_scope');
  if (isMe) return reply(200, ME);
  if (!isOurs) return refusal('not_found');
  if (method === 'DELETE') return caller === 'manager' ? refusal('owner_only') : { ...reply(204, ''), body: '' };
  if (method === 'PATCH' && !/^\{"name":"[\w ]+"/.test(body)) return refusal('validation_failed');
  if (url.includes('format=csv')) return { ...reply(200, ''), headers: { ...HEADERS, ...CSV }, body: 'id\r\n1\r\n' };
  return reply(200, url.includes('/sessions') ? { results: [], next: null } : ASSET);
}
const CSV = { 'content-type': 'text/csv; charset=utf-8', 'content-disposition': 'attachment; filename="a.csv"' };

/** @type {(answer: Reply, asked: Asked) => Reply | undefined} */
let misbehave = (answer) => answer;
/** The acts of anyone raise it. */
let newestEvent = 0;
const server = createServer((request, response) => {
  /** @type {Buffer[]} */
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const { method = '', url = '', headers } = request;
    const role = /^Bearer token-of-(\w+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
    const id = /^\/api\/assets\/([^/?]+)\/?(?:sessions\/?)?(?:\?|$)/.exec(url)?.[1];
    const caller = SIGNED_IN.includes(role) ? role : SCRIPTS[role];
    const script = role in SCRIPTS ? role : undefined;
    const isOurs =
      (id === '1' && ['owner', 'manager'].includes(caller ?? '')) || (id === '2' && caller === 'otherOwner');
    const call = { caller, script, id, isOurs, method, url, body: Buffer.concat(chunks).toString() };
    const answer = url === '/healthz' ? reply(200, {}) : misbehave(correctAnswer(call), call);
    if (!answer) {
      request.socket.destroy();
      return;
    }
    newestEvent += 1;
    const changing = { 'event-id': newestEvent, 'content-length': Buffer.byteLength(answer.body) };
    response.writeHead(answer.status, { ...answer.headers, ...changing });
    response.end(answer.body);
  });
});
server.on('checkExpectation', (request, response) => server.emit('request', request, response));
server.on('clientError', (error, socket) => {
  if (!socket.writable) return;
  const isTooLong = 'code' in error && error.code === 'HPE_HEADER_OVERFLOW';
  const { status, headers, body } = refusal(isTooLong ? 'headers_too_large' : 'malformed_request');
  const lines = Object.entries({ ...headers, 'content-length': body.length, connection: 'close' });
  socket.end(`HTTP/1.1 ${status} Bad\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`);
});

let url = '';
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`;
});
afterAll(() => server.close());

const planned = planRequests(document, { seed: 1, count: 1500, operations });
const judge = createJudge({ document, errorStatus, english, secrets: [PASSWORD], foreign: FOREIGN });
const world = {
  prepare: async () => {},
  bytesOf: (/** @type {import('./requests.mjs').Request} */ request) => bytesOf(request, symbols, url),
  after: async () => {},
  renew: async () => {},
};

/**
 * Returns the problems that an attack finds on a server with this fault, up to the first one that is looked for.
 *
 * @param {typeof misbehave} fault
 * @param {string} [wanted]
 */
async function findings(fault, wanted) {
  misbehave = fault;
  const requests = wanted === undefined ? planned : planned.filter(({ kind }) => kind !== 'wire');
  /** @type {string[]} */
  const problems = [];
  const left = requests.values();
  // Several at once, because some requests wait for an answer that never comes.
  const attacks = Array.from({ length: 8 }, async () => {
    for (const request of left) {
      await attack({ url, requests: [request], judge, world }, ({ problem }) => problems.push(problem));
      if (wanted !== undefined && problems.some((problem) => problem.includes(wanted))) return;
    }
  });
  await Promise.all(attacks);
  return problems;
}

it('finds nothing on a server without faults', async () => {
  expect(await findings((answer) => answer)).toEqual([]);
});

it('ends when the server has ended', async () => {
  const gone = createTcpServer().listen(0, '127.0.0.1');
  await once(gone, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (gone.address());
  gone.close();
  await once(gone, 'close');
  /** @type {string[]} */
  const problems = [];
  const lonely = { ...world, after: () => expect.fail('There is nothing to restore.') };
  const target = { url: `http://127.0.0.1:${port}`, requests: planned.slice(0, 2), judge, world: lonely };
  await attack(target, ({ problem }) => problems.push(problem));
  expect(problems).toEqual(['no answer', '/healthz after request 1: no answer']);
});

it('finds nothing when the headers of a HEAD request are too long to know its method', async () => {
  const intact = planned.find(({ kind, operation }) => kind === 'intact' && operation.startsWith('GET'));
  if (!intact) throw new Error('No read is planned.');
  const request = { ...intact, kind: /** @type {const} */ ('wire'), method: 'HEAD' };
  request.headers = [...request.headers, ['x', 'x'.repeat(20_000)]];
  const bytes = bytesOf(request, symbols, url);
  const answer = await exchange(url, bytes, request);
  expect(answer).toMatchObject({ status: 431, extra: expect.stringContaining('headers_too_large') });
  expect(judge.problemsOf(request, bytes, answer)).toEqual([]);
});

it('finds a truncated answer, unless the client had disconnected', async () => {
  const request = planned.find(({ kind, operation }) => kind === 'intact' && operation === 'GET /api/me/');
  if (!request) throw new Error('No read is planned.');
  const bytes = bytesOf(request, symbols, url);
  const answer = await exchange(url, bytes, request);
  if (!answer) throw new Error('There is no answer.');
  const cut = { ...answer, body: answer.body.slice(0, 5), isCut: true };
  expect(judge.problemsOf(request, bytes, cut)).toContain('an answer that breaks off');
  expect(judge.problemsOf({ ...request, isUnfinished: true }, bytes, cut)).toContain('an answer that breaks off');
  const left = { ...cut, isLeft: true };
  expect(judge.problemsOf(request, bytes, left)).toEqual([]);
  expect(judge.problemsOf(request, bytes, { ...left, status: 500 })).toContain('the status 500');
});

describe('an attack finds', () => {
  const isAsset = (/** @type {Reply} */ { status }, /** @type {Asked} */ { method, url }) =>
    status === 200 && method === 'GET' && /\/assets\/[^/?]+\/$/.test(url);
  const withBody = (/** @type {Reply} */ answer, /** @type {object} */ change) => ({
    ...answer,
    body: JSON.stringify({ ...JSON.parse(answer.body), ...change }),
  });
  /** @param {Reply} answer @param {Record<string, string>} change */
  const withHeaders = (answer, change) => ({ ...answer, headers: { ...answer.headers, ...change } });
  /** @param {Reply} answer @param {string} name */
  const without = ({ headers: { ...headers }, ...answer }, name) => {
    delete headers[name];
    return { ...answer, headers };
  };

  /** @type {Record<string, [problem: string, fault: typeof misbehave]>} */
  const faults = {
    'an internal server error': ['the status 500', (answer, { body }) => (body.includes('\\u0000') ? refusal('internal') : answer)],
    'a dropped connection': ['no answer', (answer, { url }) => (url.includes('%00') ? undefined : answer)],
    'an undocumented status': ['the status 418, which is not documented', (answer) => (answer.status === 400 ? { ...answer, status: 418 } : answer)],
    'an error without a code': ['an error that is not', (answer) => (answer.status === 400 ? { ...answer, body: '{"error":"No."}' } : answer)],
    'an error with extra fields': ['an error that is not', (answer) => (answer.status === 400 ? withBody(answer, { stack: [] }) : answer)],
    'a code with the wrong status': ['the code not_found with', (answer) => (answer.status === 400 ? withBody(answer, { code: 'not_found' }) : answer)],
    'a sentence that the code does not say': ['an error that its codes', (answer) => (answer.status === 400 ? withBody(answer, { error: 'No.' }) : answer)],
    'an error page in HTML': ['an error of the type text/html', (answer) => (answer.status === 400 ? withHeaders(answer, { 'content-type': 'text/html' }) : answer)],
    'a response without a content type': ['no content-type', (answer) => without(answer, 'content-type')],
    'a response without a security header': ['no x-frame-options', (answer) => (answer.status === 404 ? without(answer, 'x-frame-options') : answer)],
    'a response that may be cached': ['no cache-control', (answer) => withHeaders(answer, { 'cache-control': 'public' })],
    'an undocumented field': ['a body that is not as documented', (answer, call) => (isAsset(answer, call) ? withBody(answer, { password_hash: 'x' }) : answer)],
    'a missing field': ['a body that is not as documented', (answer, call) => (isAsset(answer, call) ? withBody(answer, { owner: undefined }) : answer)],
    'a field of the wrong type': ['a body that is not as documented', (answer, call) => (isAsset(answer, call) ? withBody(answer, { id: '1' }) : answer)],
    'a stack trace': ['internals', (answer) => (answer.status === 400 ? withBody(answer, { error: 'No\n    at check (/srv/check.js:1:2)' }) : answer)],
    'the name of a constraint': ['internals', (answer) => (answer.status === 400 ? withBody(answer, { error: 'violates "assets_owner_id_fkey"' }) : answer)],
    'someone else\'s resource': ['200 for a caller who may not', (answer, { caller, id }) => (caller && id === '1' ? reply(200, ASSET) : answer)],
    'a resource open to everyone': ['200 for a caller who may not', (answer, { id }) => (id === '1' ? reply(200, ASSET) : answer)],
    'an accepted forged token': ['200 for a caller who may not', (answer, { url }) => (answer.status === 401 && url.includes('/me/') ? reply(200, ME) : answer)],
    'a body that reveals that something exists': ['tells that there is something', (answer, { caller, id }) => (id === '2' && caller === 'stranger' ? { ...answer, body: '{"error":"Asset not found.","code":"not_found","detail":"asset_not_found"}' } : answer)],
    'a header that reveals that something exists': ['tells that there is something', (answer, { id }) => (answer.status === 404 && id === '1' ? withHeaders(answer, { etag: '"1"' }) : answer)],
    'a 401 without WWW-Authenticate': ['401 for a caller who is not signed in', (answer) => without(answer, 'www-authenticate')],
    'a refusal of someone with access': ['404 for a caller who may', (answer, { caller }) => (caller === 'owner' ? refusal('not_found') : answer)],
    'a call for owners that a co-manager makes': ['204 for a caller who may not', (answer, { caller, method }) => (caller === 'manager' && method === 'DELETE' ? { ...reply(204, ''), body: '' } : answer)],
    'a co-manager who is told nothing': ['404 for a call reserved for the owner', (answer) => (answer.body.includes('owner_only') ? refusal('not_found') : answer)],
    'a script that does more than it may': ['204 for a caller who may not', (answer, { script, method }) => (script && method === 'DELETE' ? { ...reply(204, ''), body: '' } : answer)],
    'a script of a share that reads the account': ['200 for a caller who may not', (answer, { script, url }) => (script === 'shareScript' && url.includes('/me/') ? reply(200, ME) : answer)],
    'a script that is told what exists': ['tells that there is something', (answer, { script, id, isOurs }) => (script && id !== undefined && !isOurs && answer.status === 403 ? refusal('not_found') : answer)],
    'a script that may not read': ['403 for a caller who may', (answer, { script }) => (script ? refusal('token_scope') : answer)],
    'an id that is parsed as another': ['200 for a caller who may not', (answer, { caller, id }) => (caller === 'owner' && Number.parseInt(id ?? '', 10) === 1 ? reply(200, ASSET) : answer)],
    'data of the other household': ['data of the other household', (answer, call) => (isAsset(answer, call) ? withBody(answer, { name: FOREIGN }) : answer)],
    'a password in a response': ['a secret', (answer, call) => (isAsset(answer, call) ? withBody(answer, { name: PASSWORD }) : answer)],
    'markup in a page': ['markup', (answer, { url }) => (url.includes('svg') ? { ...withHeaders(answer, { 'content-type': 'text/html' }), body: MARKUP } : answer)],
    'a header that a request injected': ['a header that the request injected', (answer, { url }) => (url.includes('x-injected') ? withHeaders(answer, { 'x-injected': '1' }) : answer)],
    'a formula in CSV': ['a formula in CSV', (answer) => (answer.headers['content-disposition'] ? { ...answer, body: `id\r\n${FORMULA}\r\n` } : answer)],
    'a file that a browser would display': ['CSV that is no attachment', (answer) => without(answer, 'content-disposition')],
  }; // prettier-ignore

  it.each(Object.entries(faults))('%s', async (_what, [problem, fault]) => {
    expect(await findings(fault, problem)).toContainEqual(expect.stringContaining(problem));
  });

  const quiet = {
    before: { me: '1' },
    after: { me: '1' },
    log: '{"level":30}',
    secrets: ['s3cret'],
    grownMegabytes: 100,
    isRunning: true,
  };
  it.each([
    ['nothing on a healthy server', {}, []],
    ['nothing when memory is unknown', { grownMegabytes: Number.NaN }, []],
    [
      'a change in the other household',
      { after: { me: '2' } },
      [expect.stringContaining('the other household changed')],
    ],
    ['a secret in the log', { log: 'password=s3cret' }, ['a secret in the log']],
    [
      'an unexpected error in the log',
      { log: '{"level":50,"msg":"unexpected error"}' },
      [expect.stringContaining('in the log')],
    ],
    [
      'nothing in a message given up',
      { log: '{"level":50,"msg":"a message could not be sent for 3 days, and was"}' },
      [],
    ],
    ['memory that grows', { grownMegabytes: 201 }, ['the server grew by 201 MB']],
    ['a server that has stopped', { isRunning: false }, ['the server has ended']],
  ])('finds at the end %s', (_what, change, problems) => {
    expect(problemsAfterwards({ ...quiet, ...change })).toEqual(problems);
  });
});

const correctReply = {
  status: 200,
  headers: Object.entries({ ...HEADERS, 'content-type': JSON_TYPE }),
  body: '',
  extra: '',
  isCut: false,
};

/** As many as CI sends, at most. */
const all = planRequests(published, { seed: 3, count: 30_000 });

describe('planned requests', () => {
  const plan = (/** @type {number} */ seed, count = 600) => planRequests(published, { seed, count });

  it('are the same for the same seed, and differ for another', () => {
    expect(plan(7)).toEqual(plan(7));
    expect(plan(8)).not.toEqual(plan(7));
  });

  it('are as many as requested, numbered from 1', () => {
    for (const [count, requests] of /** @type {const} */ ([
      [1, plan(1, 1)],
      [7, plan(1, 7)],
      [30_000, all],
    ]))
      expect(requests.map(({ number }) => number)).toEqual(Array.from({ length: count }, (_, index) => index + 1));
  });

  it("cover every call by every caller on every resource within CI's 30,000", () => {
    const intact = all.filter(({ kind }) => kind === 'intact');
    // Half of the requests are, until there are no more.
    expect(intact.length).toBeLessThan(all.length / 2);
    for (const key of Object.keys(OPERATIONS)) {
      const planned = intact.filter(({ operation }) => operation === key);
      // The other household's members change nothing of their own, and may try what no caller may.
      const others = /^GET|\{(?!username)|\/administration\//.test(key) ? 22 : 20;
      // All signed-out callers, all scripts, and one who may make the call.
      const callers = OPERATIONS[key]?.endsCaller ? 16 : others;
      expect([key, new Set(planned.map(({ caller }) => caller)).size]).toEqual([key, callers]);
    }
    const named = new Set(intact.flatMap(({ target }) => target.match(/<<\w+\.\w+>>/g) ?? []));
    const kinds = new Set([...named].map((symbol) => symbol.slice(2, symbol.indexOf('.'))));
    for (const kind of [...kinds].filter((each) => each !== 'name' && each !== 'month'))
      for (const which of ['ours', 'theirs', 'absent']) expect(named).toContain(`<<${kind}.${which}>>`);
  });

  it('expect that co-managers are told what only owners may do', () => {
    const reserved = all.filter(({ kind, standing }) => kind === 'intact' && standing === 'reserved');
    expect(new Set(reserved.map(({ caller }) => caller))).toEqual(new Set(['manager']));
    expect([...new Set(reserved.map(({ operation }) => operation))].toSorted()).toEqual([
      'DELETE /api/assets/{id}/',
      'DELETE /api/assets/{id}/costs/{cost_id}/',
      'DELETE /api/assets/{id}/handover/',
      'DELETE /api/assets/{id}/share/{share_id}/claim/',
      'DELETE /api/assets/{id}/share/{share_id}/sessions/{session_id}/',
      'PATCH /api/assets/{id}/costs/{cost_id}/',
      'PATCH /api/assets/{id}/share/{share_id}/sessions/{session_id}/',
      'POST /api/assets/{id}/costs/{cost_id}/answer/',
      'POST /api/assets/{id}/deposits/',
      'POST /api/assets/{id}/handover/',
      'POST /api/assets/{id}/people/',
      'POST /api/assets/{id}/renewal/',
      'POST /api/assets/{id}/sessions/{session_id}/request/accept/',
      'POST /api/assets/{id}/sessions/{session_id}/request/decline/',
      'POST /api/assets/{id}/share/{share_id}/claim/',
      'POST /api/assets/{id}/share/{share_id}/confirm/',
      'POST /api/assets/{id}/share/{share_id}/sessions/',
      'POST /api/assets/{id}/statements/{month}/close/',
    ]);
  });

  it('expect that scripts make only the calls that the document names for them', () => {
    const intact = all.filter(({ kind, who }) => kind === 'intact' && !['public', 'administrator'].includes(who));
    for (const [caller, scope] of Object.entries({
      ownerScript: 'account',
      memberScript: 'account',
      shareScript: 'share',
      eventsScript: 'events',
    })) {
      const planned = intact.filter((request) => request.caller === caller);
      for (const { operation, standing } of planned) {
        const [method = '', path = ''] = operation.split(' ');
        const isNamed = published.paths[path][method.toLowerCase()]['x-scripts']?.includes(scope) === true;
        expect([operation, standing !== 'out of scope']).toEqual([operation, isNamed]);
      }
      expect(planned.some(({ standing }) => standing === 'allowed')).toBe(true);
    }
  });

  it('let no one join the other household, whose links anyone may read', () => {
    const theirs = all.filter(
      ({ target, standing }) =>
        /<<(?:calendar|claim|link|unsubscribe)\.theirs>>/.test(target) && standing === 'allowed',
    );
    expect(new Set(theirs.map(({ method }) => method))).toEqual(new Set(['GET']));
    const link = theirs.find(({ kind, target }) => kind === 'intact' && target.includes('<<link.'));
    const me = planned.find(
      ({ kind, operation, caller }) => kind === 'intact' && operation === 'GET /api/me/' && caller === 'owner',
    );
    if (!link || !me) throw new Error('They are not planned.');
    const answer = { ...correctReply, body: JSON.stringify({ ...ME, username: FOREIGN }) };
    expect(judge.problemsOf(me, '', answer)).toContain('data of the other household');
    expect(judge.problemsOf({ ...me, target: link.target, standing: 'allowed' }, '', answer)).toEqual([]);
    expect(judge.problemsOf({ ...me, target: link.target, standing: 'signed out' }, '', answer)).toContain(
      'data of the other household',
    );
  });

  it('are compared with the same about nothing, whatever they name', () => {
    const path = '/<<share.ended>>/<<recorded.theirs>>/<<signIn.ours>>/<<month.now>>/<<name.guest>>/';
    expect(absentPath(path)).toBe(
      '/<<share.absent>>/<<recorded.absent>>/<<signIn.absent>>/<<month.now>>/<<name.guest>>/',
    );
  });

  it('expect that signed-out callers may ask for the heads of public pages', () => {
    const head = () => ({ method: 'HEAD' });
    const headsOf = (/** @type {string} */ operation) =>
      all
        .filter((each) => each.kind === 'intact' && each.operation === operation && SIGNED_OUT.includes(each.caller))
        .map((request) => changed(request, [head]).standing);
    expect(new Set(headsOf('POST /api/invitations/{token}/'))).toEqual(new Set(['allowed']));
    expect(new Set(headsOf('POST /api/assets/'))).toEqual(new Set(['signed out']));
  });

  it('send exports of OpenTelemetry with hostile data points, by meters, and expect its answers', () => {
    const exports = all.filter(({ operation }) => operation === OTLP_CALL);
    const sent = exports.find(({ kind, caller }) => kind === 'intact' && caller === 'counterToken');
    if (!sent) throw new Error('None is planned.');
    const pointOf = (/** @type {string} */ body) =>
      JSON.parse(body).resourceMetrics[0].scopeMetrics[0].metrics[0].sum.dataPoints[0];
    expect(pointOf(sent.body ?? '')).toMatchObject({ asDouble: 5, timeUnixNano: '<<run.nanoseconds>>' });
    const hostile = exports.filter(
      ({ about }) => /value of (?:as|time|start|attributes)/.test(about) && !/junk|twice/.test(about),
    );
    const points = hostile.flatMap(({ body = '' }) => (body.length < 10_000 ? JSON.stringify(pointOf(body)) : []));
    expect(new Set(points).size).toBeGreaterThan(5);
    const ofAll = createJudge({ document: published, errorStatus, english, secrets: [], foreign: FOREIGN });
    const problemsWith = (/** @type {object} */ body, type = 'application/json') =>
      ofAll.problemsOf(sent, '', {
        ...correctReply,
        headers: Object.entries({ ...HEADERS, 'content-type': type }),
        body: JSON.stringify(body),
      });
    expect(problemsWith({ partialSuccess: { rejectedDataPoints: '1', errorMessage: 'Ignored.' } })).toEqual([]);
    expect(problemsWith({ partialSuccess: { rejectedDataPoints: 1 } })).toEqual([expect.stringMatching(/documented/)]);
    expect(problemsWith({}, 'text/plain')).toEqual(['an answer of the type text/plain']);
    const { status, headers, body } = refusal('not_signed_in', { 'www-authenticate': 'Bearer' });
    const refused = { ...correctReply, status, headers: Object.entries(headers), body };
    expect(ofAll.problemsOf(sent, '', refused)).toEqual(['401 for a caller who may']);
    expect(ofAll.problemsOf({ ...sent, caller: 'owner' }, '', refused)).toEqual([]);
  });

  it('name what their addresses are about', () => {
    const targets = new Set(all.filter(({ kind }) => kind === 'intact').map(({ target }) => target));
    const requested = '/api/assets/<<asset.ours>>/sessions/<<session.ours>>/request/accept/';
    for (const target of [requested, '/api/shared-assets/<<offer.ours>>/accept/']) expect(targets).toContain(target);
  });

  it('never let the other household change its own data', () => {
    const theirs = all.filter(({ caller, standing }) => caller.startsWith('other') && standing === 'allowed');
    expect(theirs.length).toBeGreaterThan(0);
    expect(new Set(theirs.map(({ method }) => method))).toEqual(new Set(['GET']));
  });

  it("can't be planned if no one may make a call, or a call is gone", () => {
    const { 'GET /api/me/': me, ...rest } = OPERATIONS;
    const options = { seed: 1, count: 1 };
    expect(() => planRequests(published, { ...options, operations: rest })).toThrow('GET /api/me/ is missing');
    const more = { ...OPERATIONS, 'GET /api/old/': /** @type {any} */ (me) };
    expect(() => planRequests(published, { ...options, operations: more })).toThrow('GET /api/old/ is not described');
  });
});

describe('a world', () => {
  /** Everything that a world is told while it is created and restored. */
  const told = {
    id: 1,
    refresh: 'a.refresh.token',
    results: [{ id: 1, status: 'held' }],
    shared_with: [{ id: 1, person: true }],
    meter: { id: 1 },
    sign_ins: [{ id: 1 }],
    access_tokens: [{ id: 1 }],
    invitation: { id: 1, link: '/x' },
    claim: { link: '/y' },
    address: '/api/calendar/z.ics',
    start_time: '2026-11-01T00:00:00Z',
    end_time: '2026-11-01T01:00:00Z',
  };
  /** @type {{ caller: string, call: string, body: any }[]} */
  let asked = [];
  let signIns = 0;
  const fake = createServer((request, response) => {
    const { method, url, headers } = request;
    let text = '';
    request.on('data', (chunk) => (text += chunk));
    request.on('end', () => {
      const body = text === '' ? {} : JSON.parse(text);
      const bearer = headers.authorization?.split('.')[1] ?? '';
      const { name: caller = '' } = bearer ? JSON.parse(Buffer.from(bearer, 'base64url').toString()) : {};
      asked.push({ caller, call: headers[SETTLED] ? SETTLED : `${method} ${url}`, body });
      const claims = Buffer.from(JSON.stringify({ name: body.username, number: signIns++ })).toString('base64url');
      const access = `e30.${claims}.x`;
      const entries = [...told.shared_with, { id: 2, shared_with_username: body.username }];
      const answer = { ...told, access, token: 'hs_1', user: { id: 1 }, shared_with: entries };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  /** @type {Awaited<ReturnType<typeof createWorld>>} */
  let created;
  beforeAll(async () => {
    fake.listen(0, '127.0.0.1');
    await once(fake, 'listening');
    const { port } = /** @type {import('node:net').AddressInfo} */ (fake.address());
    created = await createWorld(`http://127.0.0.1:${port}`, undefined);
  });
  afterAll(() => fake.close());

  const changing = all.filter(({ method }) => method !== 'GET');
  const LEFT = /** @type {const} */ ({ kind: 'wire', isAbandoned: true });
  const restore = (
    /** @type {import('./requests.mjs').Request} */ request,
    answer = /** @type {any} */ (undefined),
  ) => {
    asked = [];
    return created.after(request, OPERATIONS[request.operation]?.spoils === true, answer);
  };
  const planned = (/** @type {string} */ operation, /** @type {string} */ caller) =>
    changing.find((each) => each.kind === 'intact' && each.operation === operation && each.caller === caller) ??
    expect.fail(operation);

  it('acts for no one who is signed out or of the other household, whatever request was abandoned', async () => {
    const others = changing.filter(
      ({ operation, caller }) => !/assets/.test(operation) && /^(?:ended|other)/.test(caller),
    );
    const kinds = new Map(others.map((request) => [`${request.operation} ${request.caller}`, request]));
    expect(kinds.size).toBeGreaterThan(80);
    const tokens = () =>
      [...SIGNED_OUT, 'otherOwner', 'otherMember']
        .map((caller) => `${caller} <<token.${caller}>>`)
        .map((target) => created.bytesOf({ ...planned('POST /api/assets/', 'owner'), target, headers: [], body: '' }));
    const before = tokens();
    for (const request of kinds.values()) {
      await restore({ ...request, ...LEFT });
      const wrong = asked.filter(
        ({ caller, body }) => /^(?:ended|their)/.test(caller) || /^(?:ended|their)/.test(body.username),
      );
      expect([request.operation, request.caller, wrong]).toEqual([request.operation, request.caller, []]);
    }
    expect(tokens()).toEqual(before);
  });

  it('restores nothing before the server has carried out what was abandoned', async () => {
    await restore({ ...planned('DELETE /api/trusted-owners/{username}/', 'member'), ...LEFT });
    expect(asked.map(({ call }) => call)).toEqual(['GET /healthz', SETTLED, 'POST /api/trusted-owners/']);
    const answer = { ...correctReply, status: 204 };
    await restore(planned('DELETE /api/trusted-owners/{username}/', 'member'), answer);
    expect(asked.map(({ call }) => call)).toEqual(['POST /api/trusted-owners/']);
  });

  it('signs out whom a request has signed in, because too many sign-ins end older ones', async () => {
    const answer = { ...correctReply, body: JSON.stringify(told) };
    await restore(planned('POST /api/login/', 'anonymous'), answer);
    expect(asked).toMatchObject([{ call: 'POST /api/logout/', body: { refresh_token: told.refresh } }]);
  });
});

it('knows when the server has carried out requests whose senders have left', async () => {
  const slow = createServer((request, response) => {
    if (request.method === 'GET') response.end('{}');
  });
  slow.listen(0, '127.0.0.1');
  await once(slow, 'listening');
  onTestFinished(() => void slow.close());
  const { port } = /** @type {import('node:net').AddressInfo} */ (slow.address());
  const address = `http://127.0.0.1:${port}`;
  const arrived = once(slow, 'request');
  const bytes = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n';
  await exchange(address, bytes, { method: 'POST', isAbandoned: true });
  const [, response] = await arrived;
  let isSettled = false;
  const settled = fetch(address, { headers: { [SETTLED]: '1' } }).then(() => (isSettled = true));
  await (await fetch(address)).text();
  expect(isSettled).toBe(false);
  response.end();
  await settled;
});

describe('a response', () => {
  it('is read to its end, however it is framed', () => {
    const head = 'HTTP/1.1 200 OK\r\nA: b\r\n';
    expect(parseAnswer(`${head}content-length: 2\r\n\r\nhi`, 'GET')).toMatchObject({
      status: 200,
      body: 'hi',
      extra: '',
      isCut: false,
    });
    expect(parseAnswer(`${head}content-length: 3\r\n\r\nhi`, 'GET')).toMatchObject({ isCut: true });
    expect(parseAnswer(`${head}content-length: 1\r\n\r\nhi`, 'GET')).toMatchObject({ body: 'h', extra: 'i' });
    const chunked = `${head}transfer-encoding: chunked\r\n\r\n`;
    expect(parseAnswer(`${chunked}2\r\nhi\r\n1\r\n!\r\n0\r\n\r\n`, 'GET')).toMatchObject({
      body: 'hi!',
      extra: '',
      isCut: false,
    });
    expect(parseAnswer(`${chunked}2\r\nhi\r\n`, 'GET')).toMatchObject({ body: 'hi', isCut: true });
    expect(parseAnswer(`HTTP/1.1 100 Continue\r\n\r\n${head}\r\nhi`, 'GET')).toMatchObject({
      status: 200,
      headers: [['A', 'b']],
      body: 'hi',
    });
    expect(parseAnswer(`${head}content-length: 9\r\n\r\n`, 'HEAD')).toMatchObject({
      body: '',
      extra: '',
      isCut: false,
    });
    for (const none of ['', 'HTTP/1.1 200 OK\r\n', 'nonsense\r\n\r\n'])
      expect(parseAnswer(none, 'GET')).toBeUndefined();
  });
});

it('ends an event stream after its first event, also if that comes in parts, after a 100 Continue', async () => {
  const event = 'event: ready\nid: 1\ndata: {}\n\n';
  const streaming = createTcpServer((socket) => {
    const send = (/** @type {string} */ text) => new Promise((resolve) => socket.write(text, resolve));
    const sendAll = async () => {
      await send('HTTP/1.1 100 Continue\r\n\r\n');
      await send('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n');
      await send(`${event.length.toString(16)}\r\n${event}`);
      await send('\r\n');
    };
    const later = setTimeout(() => socket.write('4\r\nlate\r\n'), 5000);
    socket.on('error', () => {}).on('close', () => clearTimeout(later));
    void sendAll();
  });
  streaming.listen(0, '127.0.0.1');
  await once(streaming, 'listening');
  onTestFinished(() => void streaming.close());
  const { port } = /** @type {import('node:net').AddressInfo} */ (streaming.address());
  const request = { method: 'GET' };
  const answer = await exchange(`http://127.0.0.1:${port}`, 'GET / HTTP/1.1\r\n\r\n', request);
  expect(answer).toMatchObject({ status: 200, body: event, isCut: false });
});

it('prints a request as a shell command without its token', () => {
  const head =
    'PATCH /api/assets/1/ HTTP/1.1\r\nhost: x\r\nauthorization: Bearer eyJhbGciOiJIUzI1NiIsInR5.cCI6\r\ncontent-length: 9';
  const shown = (/** @type {string} */ body, kind = 'value') =>
    shellLine('http://127.0.0.1:3000', /** @type {any} */ ({ kind }), `${head}\r\n\r\n${body}`);
  expect(shown('{"a":"$"}')).toBe(
    String.raw`curl -i --path-as-is --globoff -X PATCH -H "authorization: Bearer $TOKEN" --data-raw "{\"a\":\"\$\"}" "http://127.0.0.1:3000/api/assets/1/"`,
  );
  const script = `GET / HTTP/1.1\r\nauthorization: Bearer hs_${'x'.repeat(44)}\r\n\r\n`;
  expect(shellLine('http://127.0.0.1:3000', /** @type {any} */ ({ kind: 'value' }), script)).toContain(
    'Bearer $TOKEN"',
  );
  expect(shown('\0')).toMatch(/^printf "PATCH .*\\x0d\\x0a\\x00" \| nc 127\.0\.0\.1 3000$/);
});

it('only attacks this machine', async () => {
  for (const address of ['http://127.0.0.1:3000', 'http://localhost', 'http://[::1]:80/', 'http://127.9.9.9:1'])
    expect([address, isOnThisMachine(address)]).toEqual([address, true]);
  const others = [
    'http://192.0.2.1:3000',
    'http://127.0.0.1.example.org',
    'http://localhost@example.org',
    'https://127.0.0.1',
    'nonsense',
  ];
  for (const address of others) expect([address, isOnThisMachine(address)]).toEqual([address, false]);

  const refused = await run('node', [join(root, 'attack', 'attack.mjs'), '--url', 'http://192.0.2.1:3000'], {
    quiet: true,
  });
  expect(refused).toMatchObject({ code: 2, output: expect.stringContaining('is not an address of this machine') });
});
