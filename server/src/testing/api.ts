import { deepEqual } from 'node:assert/strict';
import type { NewPasskeyOptions, Passkey, PasskeyProofOptions, SignedIn } from '@hourshare/contract/sign-ins';
import type { ErrorAnswer } from '@hourshare/contract/errors';
import type { OwnedAsset } from '@hourshare/contract/assets';
import type { Statement } from '@hourshare/contract/statements';
import type { InvitedAsset, SharedAsset } from '@hourshare/contract/shares';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { pino } from 'pino';
import { buildApp, connectFeatures, type AppOptions } from '../app.ts';
import { loadConfig } from '../config.ts';
import { createDeps, type Deps, type Providers } from '../deps.ts';
import { documentedStatuses } from './documented.ts';
import { createPasskey, type TestPasskey } from './authenticator.ts';
import { openTestDatabase, type TestDatabase } from '../platform/database/testing/test-database.ts';
import { createPasswords, type Passwords } from '../platform/passwords.ts';
import { GOOGLE, quietProvider } from './providers.ts';
import { react } from '../reactions.ts';
import { retold } from './retold.ts';

export interface Answer<T = unknown> {
  status: number;
  body: T;
  text: string;
  headers: Record<string, string | number | string[] | undefined>;
}

export interface CallOptions {
  body?: unknown;
  /** The user who makes the call, with a fresh access token, so that a test may move the clock past 15 minutes. */
  as?: SignedIn;
  /** An access token to send unchanged. */
  token?: string;
  headers?: Record<string, string>;
  remoteAddress?: string;
}

/** The whole app on a real database, with a clock that only the test moves. */
export interface TestApi {
  app: FastifyInstance;
  deps: Deps;
  database: TestDatabase;
  /** The server's time. Advancing it lets time pass; assigning `now` only sets the clock. */
  clock: { now: Date; advance(milliseconds: number): void };
  call<T = unknown>(method: string, path: string, options?: CallOptions): Promise<Answer<T>>;
  register(username: string): Promise<SignedIn>;
  /** Adds a passkey to an account that has just signed in. Returns it as the account and as the device have it. */
  addPasskey(user: SignedIn, name?: string): Promise<{ added: Passkey; passkey: TestPasskey }>;
  /** Returns what a device needs to prove possession of a passkey: to sign in, or to check the signed-in user. */
  passkeyOptions(user?: SignedIn): Promise<PasskeyProofOptions>;
  addAsset(owner: SignedIn, asset?: Record<string, unknown>): Promise<OwnedAsset>;
  /** Offers an asset. Returns the offer as its member sees it. */
  offer(owner: SignedIn, asset: OwnedAsset, member: SignedIn, hours?: number): Promise<SharedAsset>;
  /** Shares an asset, accepted at once. Returns the share as its member sees it. */
  share(owner: SignedIn, asset: OwnedAsset, member: SignedIn, hours?: number): Promise<SharedAsset>;
  /** Offers a member to take over an asset. Returns the offer's contents and the member's share. */
  offerHandover(
    owner: SignedIn,
    assetId: number,
    member: SignedIn,
    stayHours?: number | null,
  ): Promise<NonNullable<SharedAsset['handover']> & { shareId: number }>;
  /** Invites someone to an asset by link. Returns the invitation and its token. */
  invite(owner: SignedIn, asset: OwnedAsset, hours?: number): Promise<InvitedAsset['invitation'] & { token: string }>;
  /** Creates an asset shared since the start of a past month, which a late edit has kept open. */
  openAsset(owner: SignedIn, member: SignedIn, month: string): Promise<{ assetId: number; shareId: number }>;
  /**
   * Creates an asset shared evenly since the start of a past month, which is closed. Returns its id and that of the
   * member's line.
   */
  billedAsset(owner: SignedIn, member: SignedIn, month: string): Promise<{ assetId: number; lineId: number }>;
  /** Empties the database and resets the clock. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

export const TEST_PASSWORD = 'correct horse battery';
export const TEST_START = '2026-03-10T12:00:00.000Z';
/** Hashes in a hundredth of the time that the server takes, because almost every test creates users. */
const quickPasswords = () => createPasswords({ memoryCost: 64, timeCost: 1, parallelism: 1 });

export const TEST_SECRET = 'a secret that only tests know, 32+ characters';

/** Returns an access token for a sign-in as a refresh would, however far the clock has moved since. */
export function freshAccess(deps: Deps, { access }: SignedIn): Promise<string> {
  const claims = JSON.parse(Buffer.from(access.split('.')[1] ?? '', 'base64url').toString()) as {
    sub: string;
    sid: string;
  };
  return deps.tokens.access({ userId: Number(claims.sub), signIn: claims.sid });
}

export async function openTestApi(
  environment: Record<string, string> = {},
  {
    passwords = quickPasswords(),
    providers = { google: quietProvider('Google', GOOGLE) },
    ...options
  }: AppOptions & { passwords?: Passwords; providers?: Providers } = {},
  databaseDefaults: Record<string, string> = {},
): Promise<TestApi> {
  const database = await openTestDatabase(databaseDefaults);
  let uptime = 0;
  const clock = {
    now: new Date(TEST_START),
    advance(milliseconds: number) {
      clock.now = new Date(clock.now.getTime() + milliseconds);
      uptime += milliseconds;
    },
  };
  const deps = createDeps({
    react,
    config: loadConfig({
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'silent',
      DATA_DIR: 'unused',
      SECRET: TEST_SECRET,
      ...environment,
    }),
    db: database.db,
    secret: TEST_SECRET,
    log: pino({ level: environment['LOG_LEVEL'] ?? 'silent' }),
    clock: () => clock.now,
    uptime: () => uptime,
    // Months close as if the database's clock agreed; other tests cover a clock that doesn't.
    otherClock: async () => clock.now,
    passwords,
    providers,
    pool: database.pool,
  });
  connectFeatures(deps);
  const app = await buildApp(deps, options);
  // Signing takes a tenth of a short call.
  const signed = new Map<string, Promise<string>>();
  const fresh = (caller: SignedIn) => {
    const key = `${clock.now.getTime()} ${caller.access}`;
    const known = signed.get(key) ?? freshAccess(deps, caller);
    signed.set(key, known);
    return known;
  };

  const call: TestApi['call'] = async (method, path, { body, as: caller, token, headers, remoteAddress } = {}) => {
    const bearer = caller ? await fresh(caller) : token;
    const response = await app.inject({
      method: method as NonNullable<InjectOptions['method']>,
      url: path,
      headers: { ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }), ...headers },
      ...(body === undefined ? {} : { payload: body as object }),
      ...(remoteAddress === undefined ? {} : { remoteAddress }),
    });
    const isJson = String(response.headers['content-type'] ?? '').startsWith('application/json');
    const received: unknown = isJson && response.body !== '' ? JSON.parse(response.body) : undefined;
    const documented = documentedStatuses(method, path);
    if (documented && !documented.includes(response.statusCode))
      throw new Error(`${method} ${path} answers ${response.statusCode}, which isn't documented: ${response.body}`);
    // Of every error in every test; health checks have none.
    if (response.statusCode >= 400 && Object.hasOwn(Object(received), 'error'))
      deepEqual(retold(received as ErrorAnswer), received);
    return {
      status: response.statusCode,
      body: received as never,
      text: response.body,
      headers: response.headers,
    };
  };

  const expectStatus = async <T>(answer: Promise<Answer<T>>, status: number): Promise<T> => {
    const { status: actual, body, text } = await answer;
    if (actual !== status) throw new Error(`expected ${status}, got ${actual}: ${text}`);
    return body;
  };

  const offer: TestApi['offer'] = async (owner, asset, member, hours = 20) => {
    const body = { username: member.user.username, monthly_hours_allocated: hours };
    await expectStatus(call('POST', `/api/assets/${asset.id}/share/`, { as: owner, body }), 201);
    const list = await expectStatus(
      call<{ results: SharedAsset[] }>('GET', '/api/shared-assets/', { as: member }),
      200,
    );
    const share = list.results.find((each) => each.asset.id === asset.id);
    if (!share) throw new Error("The member can't see the offer.");
    return share;
  };
  const share: TestApi['share'] = async (owner, asset, member, hours) => {
    const { id } = await offer(owner, asset, member, hours);
    return expectStatus(call<SharedAsset>('POST', `/api/shared-assets/${id}/accept/`, { as: member }), 200);
  };

  return {
    app,
    deps,
    database,
    clock,
    call,
    async register(username) {
      const body = { username, email: `${username}@example.org`, password: TEST_PASSWORD };
      const signedIn = await expectStatus(call<SignedIn>('POST', '/api/register/', { body }), 201);
      if (!deps.mailer) return signedIn;
      const { id } = signedIn.user;
      await deps.db.updateTable('users').set({ email_confirmed_at: clock.now }).where('id', '=', id).execute();
      await deps.db.deleteFrom('email_changes').where('user_id', '=', id).execute();
      await deps.db.deleteFrom('mails').where('user_id', '=', id).execute();
      return { ...signedIn, user: { ...signedIn.user, email_change: null, email_confirmed: true } };
    },
    async addPasskey(user, name) {
      const options = await expectStatus(
        call<NewPasskeyOptions>('POST', '/api/me/passkeys/options/', { as: user }),
        200,
      );
      const { passkey, created } = createPasskey(options);
      const body = { passkey: created, ...(name !== undefined && { name }) };
      const added = await expectStatus(call<Passkey>('POST', '/api/me/passkeys/', { as: user, body }), 201);
      return { added, passkey };
    },
    passkeyOptions: (user) =>
      expectStatus(
        call<PasskeyProofOptions>('POST', user ? '/api/me/check/passkey/options/' : '/api/login/passkey/options/', {
          ...(user && { as: user }),
        }),
        200,
      ),
    addAsset: (owner, asset = {}) =>
      expectStatus(
        call<OwnedAsset>('POST', '/api/assets/', {
          as: owner,
          body: { name: 'Netflix Premium', description: 'Living room', subscription_cost: 22.99, ...asset },
        }),
        201,
      ),
    offer,
    share,
    async offerHandover(owner, assetId, member, stayHours = null) {
      const body = { username: member.user.username, stay_hours: stayHours };
      await expectStatus(call('POST', `/api/assets/${assetId}/handover/`, { as: owner, body }), 201);
      const { results } = await expectStatus(
        call<{ results: SharedAsset[] }>('GET', '/api/shared-assets/', { as: member }),
        200,
      );
      const share = results.find(({ asset }) => asset.id === assetId);
      if (!share?.handover) throw new Error("The member can't see the handover.");
      return { shareId: share.id, ...share.handover };
    },
    async invite(owner, asset, hours = 20) {
      const body = { monthly_hours_allocated: hours };
      const path = `/api/assets/${asset.id}/invitations/`;
      const { invitation } = await expectStatus(call<InvitedAsset>('POST', path, { as: owner, body }), 201);
      return { ...invitation, token: invitation.link.replace(/^.*\//, '') };
    },
    async billedAsset(owner, member, month) {
      const now = clock.now;
      clock.now = new Date(`${month}-01T00:00:00.000Z`);
      const body = { name: 'Billed', subscription_cost: 10 };
      const asset = await expectStatus(call<OwnedAsset>('POST', '/api/assets/', { as: owner, body }), 201);
      const { id } = asset;
      await expectStatus(call('PATCH', `/api/assets/${id}/`, { as: owner, body: { split_method: 'equal' } }), 200);
      await share(owner, asset, member);
      clock.now = now;
      const path = `/api/assets/${id}/statements/${month}/close/`;
      const { lines } = await expectStatus(call<Statement>('POST', path, { as: owner }), 200);
      const lineId = lines.find(({ username }) => username === member.user.username)?.id;
      if (typeof lineId !== 'number') throw new Error('The member has no closed line.');
      return { assetId: id, lineId };
    },
    async openAsset(owner, member, month) {
      const now = clock.now;
      clock.now = new Date(`${month}-01T00:00:00.000Z`);
      const body = { name: 'Tent', subscription_cost: 10 };
      const asset = await expectStatus(call<OwnedAsset>('POST', '/api/assets/', { as: owner, body }), 201);
      const { id: shareId } = await share(owner, asset, member);
      clock.now = now;
      const [year = 0, next = 0] = month.split('-').map(Number);
      const [end, ended] = [new Date(Date.UTC(year, next)), new Date(now.getTime() - 3_600_000)];
      const periods = deps.db.updateTable('periods').where('asset_id', '=', asset.id);
      await periods.set({ ends_at: ended }).where('ends_at', '=', end).execute();
      await periods.set({ starts_at: ended }).where('starts_at', '=', end).execute();
      return { assetId: asset.id, shareId };
    },
    async reset() {
      await database.reset();
      clock.now = new Date(TEST_START);
    },
    async close() {
      await app.close();
      await database.close();
    },
  };
}
