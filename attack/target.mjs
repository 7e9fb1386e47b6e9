import { createHmac, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { parsed } from './oracles.mjs';
import { OTLP_NAME } from './otlp.mjs';
import { METER_CALLS, METER_TOKENS, NOTICE_TARGET, PUSH_SUBSCRIPTION, TRUST } from './requests.mjs';
import { SETTLED } from './settling.mjs';
import { createDatabase } from '../harness/databases.mjs';
import { startServer as start } from '../harness/server.mjs';
import { root } from '../scripts/processes.mjs';

// The attacked server, its users and data, and raw connections to it. Requests use plain sockets, because HTTP
// clients refuse to send half of them.

/** @typedef {import('./requests.mjs').Request} Request */
/**
 * @typedef {object} Answer
 * @property {number} status
 * @property {[name: string, value: string][]} headers
 * @property {string} body bytes, one character each
 * @property {string} extra bytes after it
 * @property {boolean} isCut
 * @property {boolean} [isLeft] the sender disconnected, or closed its side, before it came
 */

const ANSWER_WITHIN_MS = 30_000;
/** Little, so that memory the server doesn't give back shows, instead of what the garbage collector was in no hurry to. */
const HEAP_MB = 192;
const UNFINISHED_AFTER_MS = 300;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Long enough for its month to close: 31 days plus the 3 for changes. */
const PAST_MS = 40 * DAY_MS;

/** What undoes an encoding that a hostile header asked for. @type {Record<string, (bytes: Buffer) => Buffer>} */
const UNPACK = { gzip: gunzipSync, br: brotliDecompressSync };

/** @param {string} text @returns {{ body: string, rest: string, isCut: boolean }} */
function unchunked(text) {
  let body = '';
  for (let rest = text; ;) {
    const [line = ''] = rest.split('\r\n', 1);
    const length = Number.parseInt(line, 16);
    const start = line.length + 2;
    if (Number.isNaN(length) || rest.length < start + length + 2) return { body, rest: '', isCut: true };
    body += rest.slice(start, start + length);
    rest = rest.slice(start + length + 2);
    if (length === 0) return { body, rest, isCut: false };
  }
}

/** @param {[name: string, value: string][]} headers */
const isEventStream = (headers) =>
  headers.some(([name, value]) => /^content-type$/i.test(name) && value.startsWith('text/event-stream'));

/** @param {string} text everything received on a connection @param {string} method @returns {Answer | undefined} */
export function parseAnswer(text, method) {
  const end = text.indexOf('\r\n\r\n');
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1]);
  if (end === -1 || Number.isNaN(status)) return undefined;
  const rest = text.slice(end + 4);
  if (status < 200) return parseAnswer(rest, method);
  const headers = text
    .slice(0, end)
    .split('\r\n')
    .slice(1)
    .map(
      (line) =>
        /** @type {[string, string]} */ ([line.split(':', 1)[0] ?? '', line.slice(line.indexOf(':') + 1).trim()]),
    );
  const valueOf = (/** @type {string} */ name) => headers.find(([each]) => each.toLowerCase() === name)?.[1];
  if (method === 'HEAD' || status === 204 || status === 304)
    return { status, headers, body: '', extra: rest, isCut: false };
  if (valueOf('transfer-encoding') === 'chunked') {
    const { body, rest: extra, isCut } = unchunked(rest);
    return { status, headers, body, extra, isCut: isCut && !isEventStream(headers) };
  }
  const length = Number(valueOf('content-length') ?? rest.length);
  const isCut = rest.length < length;
  const sent = rest.slice(0, length);
  const unpack = isCut ? undefined : UNPACK[valueOf('content-encoding') ?? ''];
  const body = unpack && sent !== '' ? unpack(Buffer.from(sent, 'latin1')).toString('latin1') : sent;
  return { status, headers, body, extra: rest.slice(length), isCut };
}

/**
 * Returns the bytes of a request with its symbols replaced.
 *
 * @param {Request} request
 * @param {Record<string, Record<string, any>>} symbols
 * @param {string} url
 */
export function bytesOf({ method, target, version, headers, body = '' }, symbols, url) {
  const filled = (/** @type {string} */ text) =>
    text.replaceAll(/"<<#(.*?)>>"|<<#?(.*?)>>/g, (_, number, other) => {
      const [, group = '', name = ''] = /^(\w+)\.(.*)$/.exec(number ?? other) ?? [];
      return String(group === 'lit' ? name : (symbols[group]?.[name] ?? null));
    });
  const sent = filled(body);
  const names = headers.map(([name]) => name);
  /** @type {[string, string][]} */
  const all = [['connection', 'close'], ...headers];
  if (!names.includes('host')) all.unshift(['host', new URL(url).host]);
  if (body !== '' && !names.includes('content-length') && !names.includes('transfer-encoding'))
    all.push(['content-length', String(sent.length)]);
  const isChunked = headers.some((header) => header.join() === 'transfer-encoding,chunked');
  const head = [
    `${method} ${filled(target)} ${version}`.trim(),
    ...all.map(([name, value]) => `${name}: ${filled(value)}`),
  ];
  return `${head.join('\r\n')}\r\n\r\n${isChunked ? `${sent.length.toString(16)}\r\n${sent}\r\n0\r\n\r\n` : sent}`;
}

/** Sends bytes on a new connection. @param {string} url @param {string} bytes @param {Pick<Request, 'method' | 'isUnfinished' | 'isAbandoned'>} request @returns {Promise<Answer | undefined>} */
export function exchange(url, bytes, { method, isUnfinished, isAbandoned }) {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname.replaceAll(/[[\]]/g, ''));
    let received = '';
    socket.setEncoding('latin1').on('data', (text) => {
      received += text;
      // An event stream would go on; its first event says enough.
      const answer = received.includes('\n\n') ? parseAnswer(received, method) : undefined;
      if (answer && isEventStream(answer.headers) && answer.body.includes('\n\n')) socket.destroy();
    });
    const timers = [setTimeout(() => socket.destroy(), ANSWER_WITHIN_MS)];
    let isLeft = isAbandoned === true;
    // Tells a server that waits for the rest that nothing follows.
    const leave = () => {
      if (parseAnswer(received, method)) return;
      isLeft = true;
      socket.end();
    };
    if (isUnfinished) timers.push(setTimeout(leave, UNFINISHED_AFTER_MS));
    // A received response counts, however the connection ended.
    socket.on('error', () => {});
    socket.on('close', () => {
      for (const timer of timers) clearTimeout(timer);
      const answer = parseAnswer(received, method);
      resolve(answer && { ...answer, isLeft });
    });
    socket.write(bytes, 'latin1', () => isAbandoned && socket.resetAndDestroy());
  });
}

/**
 * Starts the built server on empty data, with a clock in the past: on PostgreSQL if TEST_DATABASE_URL names a server.
 *
 * @param {NodeJS.ProcessEnv} environment
 */
export async function startServer({ TEST_DATABASE_URL, RATE_LIMIT = 'off' }) {
  const folder = mkdtempSync(join(tmpdir(), 'hourshare-attack-'));
  const database = TEST_DATABASE_URL ? await createDatabase(TEST_DATABASE_URL) : undefined;
  const secret = randomBytes(32).toString('base64url');
  const { createTokens } = await import(pathToFileURL(join(root, 'server', 'dist', 'platform', 'tokens.js')).href);
  const settling = pathToFileURL(join(import.meta.dirname, 'settling.mjs')).href;
  const server = await start(
    {
      RATE_LIMIT,
      DATA_DIR: join(folder, 'data'),
      SECRET: secret,
      // Nothing listens there, but messages are queued anyway.
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'hours@example.org',
      ...(database ? { DATABASE_URL: database.url } : {}),
    },
    { nodeOptions: [`--max-old-space-size=${HEAP_MB}`, '--import', settling], clockOffset: -PAST_MS },
  );
  return {
    server,
    url: server.url,
    /** Sets its clock right. */
    endPast: () => server.setClock(0),
    /** Encrypts a text as the server does. @type {(text: string) => string} */
    seal: createTokens(secret, () => new Date()).seal,
    /** Runs a statement; the embedded database takes none from another process. */
    query: database?.query,
    stop: async () => {
      await server.end();
      await database?.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const PEOPLE = [
  'otherOwner',
  'otherManager',
  'otherMember',
  'owner',
  'manager',
  'member',
  'former',
  'stranger',
  'guest',
  'spare',
  'ended',
];

/** The callers whose accounts requests may change; the others' accounts stay as they are. */
const ACTING = ['stranger', 'owner', 'manager', 'member', 'former'];

const encoded = (/** @type {object} */ value) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Returns tokens that look valid but aren't. @param {string} access a valid one @param {string} victim whom to impersonate */
function forgedTokens(access, victim) {
  const [head = '', claims = '', signature = ''] = access.split('.');
  const posing = encoded({ ...JSON.parse(Buffer.from(claims, 'base64url').toString()), sub: victim });
  const mac = createHmac('sha256', 'another key').update(`${head}.${claims}`).digest('base64url');
  return {
    garbage: 'garbage',
    unsigned: `${encoded({ alg: 'none', typ: 'at+jwt' })}.${claims}.`,
    wrongKey: `${head}.${claims}.${mac}`,
    altered: `${head}.${posing}.${signature}`,
  };
}

/** @typedef {Record<string, any>} Named by role, household or month */

/** Matches a resource in an address. */
const SYMBOL = /<<(\w+)\.(\w+)>>/g;

/** What is recreated for requests that name it. */
const FURNISHED = /<<#?(?:asset|share|offer|session|person|recorded|invitation|link|claim)\.(?!theirs|absent|deleted)/;

/**
 * Creates two households and a few other users. `ours` is also attacked by its own members and recreated when one of
 * them breaks it; `theirs` must stay unchanged. A server that wasn't started for this has no closed months, passkeys,
 * connected providers, and links in emails.
 *
 * @param {string} url
 * @param {Pick<Awaited<ReturnType<typeof startServer>>, 'endPast' | 'query' | 'seal'> | undefined} server
 */
export async function createWorld(url, server) {
  const run = Math.random().toString(36).slice(2, 8).padEnd(6, '0');
  const foreign = `their-secret-${run}`;
  const password = `canary password ${run}`;
  const secrets = new Set([password]);
  /** @type {Named} */
  const name = Object.fromEntries(PEOPLE.map((role) => [role, `${role}-${run}`]));
  const others = {
    otherOwner: `${foreign}-owner`,
    otherManager: `${foreign}-manager`,
    otherMember: `${foreign}-member`,
  };
  Object.assign(name, others);
  /** @type {[Named, Named, Named, Named, Named]} */
  const [token, refresh, month, asset, share] = [{}, {}, {}, {}, {}];
  /** @type {[Named, Named, Named, Named, Named, Named]} */
  const [offer, session, line, payment, invitation, link] = [{}, {}, {}, {}, {}, {}];
  /** @type {[Named, Named, Named, Named]} */
  const [identity, meter, cost, ownCost] = [{}, {}, {}, {}];
  /** @type {Named} */
  const deposit = {};
  /** @type {[Named, Named, Named, Named, Named, Named]} */
  const [person, recorded, claim, signInId, accessToken, passkey] = [{}, {}, {}, {}, {}, {}];
  /** @type {[Named, Named, Named, Named]} */
  const [pushSubscription, unsubscribe, calendar, noticeTarget] = [{}, {}, {}, {}];
  for (const kind of [
    asset,
    share,
    offer,
    session,
    line,
    payment,
    deposit,
    invitation,
    person,
    recorded,
    signInId,
    accessToken,
    passkey,
    pushSubscription,
    unsubscribe,
    calendar,
    noticeTarget,
    identity,
    meter,
    cost,
    ownCost,
    link,
    claim,
  ])
    kind.absent = 9_999_999;
  /** @type {Record<string, Named>} */
  const symbols = {
    name,
    token,
    refresh,
    month,
    asset,
    share,
    offer,
    session,
    line,
    payment,
    deposit,
    invitation,
    link,
    person,
    recorded,
    claim,
    signIn: signInId,
    accessToken,
    passkey,
    pushSubscription,
    unsubscribe,
    calendar,
    noticeTarget,
    identity,
    meter,
    cost,
    ownCost,
  };

  let isSpoiled = false;

  /** @param {string} role @param {string} method @param {string} path @param {object} [body] @returns {Promise<any>} */
  async function ask(role, method, path, body) {
    const headers = { authorization: `Bearer ${token[role]}`, 'content-type': 'application/json' };
    const response = await fetch(`${url}${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    const text = await response.text();
    if (response.status === 429) {
      await wait(1000 * Number(response.headers.get('retry-after')));
      return ask(role, method, path, body);
    }
    if (!response.ok) throw new Error(`${role}: ${method} ${path} answered ${response.status}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  /** @param {string} role @param {'login' | 'register'} how */
  async function signIn(role, how = 'login') {
    const email = how === 'register' ? { email: `${name[role]}@example.org` } : {};
    const {
      access,
      refresh: long,
      user,
    } = await ask('', 'POST', `/api/${how}/`, { username: name[role], password, ...email });
    [token[role], refresh[role]] = [access, long];
    for (const secret of [access, long]) secrets.add(secret.split('.').at(-1));
    return user;
  }

  /** @param {string} owner @param {number} id @param {string} member */
  async function offerTo(owner, id, member) {
    const body = { username: name[member], monthly_hours_allocated: 10 };
    const { shared_with: entries } = await ask(owner, 'POST', `/api/assets/${id}/share/`, body);
    return entries.find((/** @type {any} */ entry) => entry.shared_with_username === name[member]).id;
  }

  /** @param {string} owner @param {number} id @param {string} member */
  async function shareWith(owner, id, member) {
    const shareId = await offerTo(owner, id, member);
    await ask(member, 'POST', `/api/shared-assets/${shareId}/accept/`);
    return shareId;
  }

  /** Signs an owner in once more, keeping the token in use. @param {'ours' | 'theirs'} household @param {string} owner */
  async function signInElsewhere(household, owner) {
    // Too many sign-ins would end the one in use.
    await ask(owner, 'POST', '/api/me/check/', { current_password: password });
    await ask(owner, 'DELETE', '/api/me/sign-ins/');
    await ask('', 'POST', '/api/login/', { username: name[owner], password });
    const { sign_ins: signIns } = await ask(owner, 'GET', '/api/me/sign-ins/');
    signInId[household] = Math.max(...signIns.map((/** @type {any} */ each) => each.id));
    await subscribe(household, owner);
  }

  async function revokeTokens(/** @type {string} */ role) {
    const { access_tokens: made } = await ask(role, 'GET', '/api/me/access-tokens/');
    // An abandoned request may do the same meanwhile.
    for (const { id } of made) await ask(role, 'DELETE', `/api/me/access-tokens/${id}/`).catch(() => {});
  }

  /** Creates an access token for a script, and returns its id. @param {string} role @param {string} caller @param {{ share_id?: number, scope?: 'events' }} [scope] */
  async function makeScript(role, caller, scope) {
    const { id, token: secret } = await ask(role, 'POST', '/api/me/access-tokens/', { name: 'Button', ...scope });
    token[caller] = secret;
    secrets.add(secret);
    return id;
  }

  /** Replaces the access tokens of a user with one that reads the account. @param {'owner' | 'member'} role */
  async function replaceScripts(role) {
    await revokeTokens(role);
    await ask(role, 'POST', '/api/me/check/', { current_password: password });
    const id = await makeScript(role, `${role}Script`);
    if (role === 'owner') {
      accessToken.ours = id;
      await makeScript('owner', 'eventsScript', { scope: 'events' });
    }
    // The one of the member's share is created with the share.
    else isSpoiled = true;
  }

  /** Replaces the access token of the member's share. */
  async function makeShareScript() {
    await ask('member', 'DELETE', `/api/me/access-tokens/${accessToken.shared}/`).catch(() => {});
    accessToken.shared = await makeScript('member', 'shareScript', { share_id: share.ours });
  }

  /** Sends an owner's notices to a browser, until its sign-in ends. @param {'ours' | 'theirs'} household @param {string} owner */
  async function subscribe(household, owner) {
    const body = { ...PUSH_SUBSCRIPTION, endpoint: `https://push.invalid/${household}-${run}` };
    pushSubscription[household] = (await ask(owner, 'POST', '/api/push/subscriptions/', body)).id;
  }

  /** Sends an owner's notices elsewhere. @param {'ours' | 'theirs'} household @param {string} owner */
  async function addTarget(household, owner) {
    await ask(owner, 'POST', '/api/me/check/', { current_password: password });
    const { results: added } = await ask(owner, 'GET', '/api/notifications/targets/');
    // An abandoned request may do the same meanwhile.
    for (const { id } of added ?? []) await ask(owner, 'DELETE', `/api/notifications/targets/${id}/`).catch(() => {});
    noticeTarget[household] = (await ask(owner, 'POST', '/api/notifications/targets/', NOTICE_TARGET)).id;
  }

  /** Gives an owner's calendar an address. @param {'ours' | 'theirs'} household @param {string} owner */
  async function makeCalendar(household, owner) {
    await ask(owner, 'POST', '/api/me/check/', { current_password: password });
    const { address } = await ask(owner, 'POST', '/api/me/calendar/');
    const token = address.replace(/^.*\/|\.ics$/g, '');
    calendar[household] = token;
    secrets.add(token);
  }

  /** Gives an owner a passkey and a connected provider. Without rows, that takes a browser and the provider. @param {'ours' | 'theirs'} household @param {string} owner */
  async function connect(household, owner) {
    if (!server?.query) return;
    const values = [(await ask(owner, 'GET', '/api/me/')).id, `${household}-${run}`];
    const passkeys = await server.query(
      `insert into passkeys (user_id, credential_id, user_handle, public_key, counter, transports, backed_up, device, created_at)
      values ($1, $2, $2, 'pQ', 0, '{internal}', false, '', now())
      on conflict (credential_id) do update set name = null returning id`,
      values,
    );
    const identities = await server.query(
      `insert into identities (user_id, provider, issuer, subject, created_at, last_used_at)
      values ($1, 'google', 'https://accounts.google.com', $2, now(), now())
      on conflict (issuer, subject) do update set name = null returning id`,
      values,
    );
    [passkey[household], identity[household]] = [passkeys[0].id, identities[0].id];
  }

  /** Makes the links with which anyone can join. @param {'ours' | 'theirs'} household @param {string} owner */
  async function makeLinks(household, owner) {
    const path = `/api/assets/${asset[household]}`;
    const { invitation: made } = await ask(owner, 'POST', `${path}/invitations/`, { monthly_hours_allocated: 10 });
    const { claim: opened } = await ask(owner, 'POST', `${path}/share/${person[household]}/claim/`);
    invitation[household] = made.id;
    [link[household], claim[household]] = [made, opened].map((each) => each.link.split('/').at(-1));
    secrets.add(link[household]).add(claim[household]);
  }

  /** Offers the member a second asset. @param {'ours' | 'theirs'} household */
  async function furnishOffer(household) {
    const [owner, member, text] =
      household === 'ours' ? ['owner', 'member', 'Disney'] : ['otherOwner', 'otherMember', foreign];
    const { id } = await ask(owner, 'POST', '/api/assets/', { name: text, subscription_cost: 10 });
    if (household === 'ours') asset.offered = id;
    offer[household] = await offerTo(owner, id, member);
  }

  const trustGuest = (/** @type {string} */ role) =>
    ask(role, 'POST', '/api/trusted-owners/', { username: name.guest, ...TRUST });

  /** Creates an asset with a co-manager, a member, a session, and, in ours, a former member. @param {'ours' | 'theirs'} household */
  async function furnish(household) {
    const [owner, member, text] =
      household === 'ours' ? ['owner', 'member', 'Netflix'] : ['otherOwner', 'otherMember', foreign];
    const body = { name: text, description: text, subscription_cost: 10, split_method: 'equal' };
    const { id } = await ask(owner, 'POST', '/api/assets/', body);
    asset[household] = id;
    share[household] = await shareWith(owner, id, member);
    const managing = await shareWith(owner, id, household === 'ours' ? 'manager' : 'otherManager');
    await ask(owner, 'PATCH', `/api/assets/${id}/share/${managing}/`, { manager: true });
    const { meter: made, token: secret } = await ask(owner, 'POST', `/api/assets/${id}/meters/`, { name: text });
    meter[household] = made.id;
    secrets.add(secret);
    if (household === 'ours') {
      token.meterToken = secret;
      // Of someone else than the member, whose Start it turns off.
      const counting = await ask(owner, 'POST', `/api/assets/${id}/meters/`, { name: text, kind: 'totals' });
      token.counterToken = counting.token;
      secrets.add(counting.token);
      const names = [{ external_name: OTLP_NAME, share_id: managing }];
      await ask(owner, 'PUT', `/api/assets/${id}/meters/${counting.meter.id}/names/`, { names });
      await ask('manager', 'POST', `/api/shared-assets/${managing}/meters/${counting.meter.id}/`, { agreed: true });
    }
    const paid = { text, amount: 5 };
    cost[household] = (await ask(owner, 'POST', `/api/assets/${id}/costs/`, paid)).id;
    ownCost[household] = (await ask(member, 'POST', `/api/shared-assets/${share[household]}/costs/`, paid)).id;
    // Two people can have 20 at once, so those of earlier shares are given back first.
    for (const { id: open, status } of (await ask(member, 'GET', '/api/deposits/')).results) {
      if (status === 'returned') continue;
      if (status === 'recorded') await ask(member, 'DELETE', `/api/deposits/${open}/`);
      else for (const each of [member, owner]) await ask(each, 'POST', `/api/deposits/${open}/return/`);
    }
    const given = `/api/shared-assets/${share[household]}/deposits/`;
    deposit[household] = (await ask(member, 'POST', given, { amount: 5 })).id;
    const hours = { monthly_hours_allocated: 10 };
    const added = await ask(owner, 'POST', `/api/assets/${id}/people/`, { name: 'Grandma', ...hours });
    const isPerson = (/** @type {any} */ entry) => entry.person;
    person[household] = added.shared_with.find(isPerson).id;
    const used = `/api/shared-assets/${share[household]}`;
    await ask(member, 'POST', `${used}/start/`);
    await wait(20);
    const ended = await ask(member, 'POST', `${used}/end/`);
    session[household] = ended.id;
    const path = `/api/assets/${id}/share/${person[household]}`;
    // By the server's clock, which is set back at first.
    const times = { start_time: ended.start_time, end_time: ended.end_time };
    recorded[household] = (await ask(owner, 'POST', `${path}/sessions/`, times)).id;
    if (household === 'theirs') return;
    await makeLinks('ours', 'owner');
    await makeShareScript();
    [recorded.start, recorded.end] = [times.start_time, times.end_time];
    session.start = ended.start_time;
    share.ended = await shareWith(owner, id, 'former');
    await ask(owner, 'DELETE', `/api/assets/${id}/share/${share.ended}/`);
  }

  /** @param {string} role @param {number} id */
  const remove = (role, id) => ask(role, 'DELETE', `/api/assets/${id}/?bill=nothing`).catch(() => {});

  /** Reads the statement of a due month, which closes it. @param {'ours' | 'theirs'} household @param {string} owner @param {string} member */
  async function closeMonth(household, owner, member) {
    const { lines } = await ask(owner, 'GET', `/api/assets/${asset[household]}/statements/${month.past}/`);
    line[household] = lines.find((/** @type {any} */ each) => each.username === name[member]).id;
    const part = { username: name[owner], amount: 0.5 };
    payment[household] = (await ask(member, 'POST', '/api/settlements/', part)).id;
  }

  /** Waits until the server has carried out the requests whose senders have left. Does nothing on one not started for this. */
  async function settle() {
    // The second is read after everything that was sent before the first.
    for (const header of ['x', SETTLED])
      await fetch(`${url}/healthz`, { headers: { [header]: '1' }, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
  }

  /** Signs everyone in again, because access tokens expire after 15 minutes. */
  async function renew() {
    for (const role of PEOPLE) if (role !== 'ended') await signIn(role);
  }

  for (const role of PEOPLE) await signIn(role, 'register');
  // Keeps the ids of assets and shares apart, so that confusing them never hits an existing row by chance.
  for (let number = 0; number < 10; number++)
    await ask('otherOwner', 'POST', '/api/assets/', { name: foreign, subscription_cost: 1 });
  await furnish('theirs');
  await furnish('ours');
  month.past = new Date(Date.now() - PAST_MS).toISOString().slice(0, 7);
  month.now = new Date().toISOString().slice(0, 7);
  token.expired = server ? token.owner : 'none';
  if (server) {
    await server.endPast();
    await renew();
    await closeMonth('theirs', 'otherOwner', 'otherMember');
    await closeMonth('ours', 'owner', 'member');
    await furnish('ours');
  }
  // Not earlier, because offers, links, and sign-ins expire.
  for (const [household, owner] of /** @type {const} */ ([
    ['theirs', 'otherOwner'],
    ['ours', 'owner'],
  ])) {
    await signInElsewhere(household, owner);
    await furnishOffer(household);
    await connect(household, owner);
    await makeCalendar(household, owner);
    await addTarget(household, owner);
    const { id } = await ask(owner, 'GET', '/api/me/');
    unsubscribe[household] = server?.seal(`unsubscribe email_notifications ${id}`);
  }
  await makeLinks('theirs', 'otherOwner');
  accessToken.theirs = await makeScript('otherOwner', 'otherScript');
  await replaceScripts('owner');
  await replaceScripts('member');
  await makeScript('stranger', 'revokedScript');
  await revokeTokens('stranger');
  for (const role of ACTING) await trustGuest(role);
  const victim = await signIn('owner');
  await signIn('ended');
  await ask('', 'POST', '/api/logout/', { refresh_token: refresh.ended });
  Object.assign(token, forgedTokens(token.stranger, String(victim.id)), { refreshToken: refresh.owner });
  const deletedAsset = await ask('owner', 'POST', '/api/assets/', { name: 'Gone', subscription_cost: 1 });
  asset.deleted = deletedAsset.id;
  share.deleted = await shareWith('owner', deletedAsset.id, 'member');
  // With nothing to bill, it is gone at once.
  await ask('owner', 'DELETE', `/api/assets/${deletedAsset.id}/?bill=nothing`);

  return {
    foreign,
    password,
    secrets,
    renew,

    /** Returns whether everything that an address names exists here, or is missing on purpose. @param {string} target */
    has: (target) =>
      [...target.matchAll(SYMBOL)].every(([, kind = '', which = '']) => symbols[kind]?.[which] !== undefined),

    /** Recreates what earlier requests have used up, if a request needs it. @param {Request} request */
    async prepare({ operation, target, body = '', caller }) {
      const isOfMeter = METER_CALLS.includes(operation) && METER_TOKENS.includes(caller);
      if (!isSpoiled || !(FURNISHED.test(target + body) || caller === 'shareScript' || isOfMeter)) return;
      await remove('owner', asset.ours);
      await remove('owner', asset.offered);
      await furnish('ours');
      await furnishOffer('ours');
      isSpoiled = false;
    },

    /** @param {Request} request */
    bytesOf: (request) =>
      bytesOf(
        request,
        { ...symbols, run: { password, unique: `${run}${request.number}`, nanoseconds: `${Date.now()}000000` } },
        url,
      ),

    /** Restores what a request has used up, or notes that it has. @param {Request} request @param {boolean} spoils @param {Answer | undefined} answer */
    async after({ number, operation, caller, kind, method, isUnfinished, isAbandoned }, spoils, answer) {
      const reads = ['GET', 'HEAD', 'OPTIONS'].includes(method);
      // The server may still carry out a request whose sender has left, or refuse the bytes after one first.
      const isUnsure = isAbandoned || isUnfinished || !answer;
      if (!(isUnsure || answer.status < 300) || reads || !(spoils || kind === 'wire')) return;
      if (isUnsure) await settle();
      const body = answer && answer.status < 300 && !answer.isCut ? parsed(answer.body) : undefined;
      if (operation === 'POST /api/assets/' && body) {
        await remove(caller, body.id);
      } else if (operation === 'POST /api/login/') {
        // Too many sign-ins would end the one in use.
        if (body) await ask('', 'POST', '/api/logout/', { refresh_token: body.refresh });
      } else if (/logout|refresh/.test(operation)) {
        await signIn('spare');
        // Without a token in its body, a sign-out ends the sign-in that sent it.
        if (operation === 'POST /api/logout/' && ACTING.includes(caller)) await signIn(caller);
      } else if (/\/me\/password\/|^DELETE \/api\/me\/$/.test(operation)) {
        if (caller === 'stranger') {
          name.stranger = `stranger-${run}-${number}`;
          await signIn('stranger', 'register');
          await trustGuest('stranger');
        }
        // A new password has ended the owner's other sign-ins.
        if (caller === 'owner') await signInElsewhere('ours', 'owner');
      } else if (operation.includes('/sign-ins/')) {
        if (caller === 'owner') await signInElsewhere('ours', 'owner');
      } else if (operation.includes('/access-tokens/')) {
        if (caller === 'owner' || caller === 'member') await replaceScripts(caller);
        else if (ACTING.includes(caller)) await revokeTokens(caller);
      } else if (operation.includes('/targets/')) {
        if (caller === 'owner') await addTarget('ours', 'owner');
      } else if (operation.includes('/me/calendar/')) {
        if (caller === 'owner') await makeCalendar('ours', 'owner');
      } else if (operation.includes('/push/')) {
        if (caller === 'owner') await subscribe('ours', 'owner');
      } else if (/\/(?:passkeys|identities)\//.test(operation)) {
        await connect('ours', 'owner');
      } else if (operation.includes('/trusted-owners/')) {
        if (ACTING.includes(caller)) await trustGuest(caller);
      } else {
        isSpoiled = true;
      }
    },

    /** Returns everything of the other household that time alone doesn't change, as its own members read it. */
    async snapshot() {
      const [owned, used] = [`/api/assets/${asset.theirs}`, `/api/shared-assets/${share.theirs}`];
      const shared = [
        '/api/me/',
        '/api/assets/',
        '/api/shared-assets/',
        '/api/balances/',
        '/api/settlements/',
        '/api/deposits/',
      ];
      if (server) shared.push(`${owned}/statements/${month.past}/`);
      const paths = {
        otherOwner: [
          ...shared,
          `${owned}/sessions/`,
          `${owned}/prices/`,
          '/api/me/passkeys/',
          '/api/me/identities/',
          '/api/me/access-tokens/',
        ],
        otherMember: [...shared, `${used}/logs/`, `${used}/active-session/`],
      };
      /** @type {Record<string, string>} */
      const state = {};
      for (const [role, read] of Object.entries(paths))
        for (const path of read) state[`${name[role]}: ${path}`] = JSON.stringify(await ask(role, 'GET', path));
      return state;
    },
  };
}
