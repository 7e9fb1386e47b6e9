import type { Export } from '@hourshare/contract/exports';
import { LIST_PAGE_SIZE, LOGS_PAGE_SIZE_MAX } from '@hourshare/contract/limits';
import { Readable } from 'node:stream';
import type { Deps } from '../../deps.ts';
import { listRenewals } from '../periods/renewals/service.ts';
import type { Read } from '../../platform/database/replica.ts';
import { transaction } from '../../platform/database/transaction.ts';
import type { Client } from '../../platform/http/client.ts';
import { BYTE_ORDER_MARK, csvRows } from '../../platform/http/csv.ts';
import { zipOf, type FileToSend, type InTurn } from '../../platform/http/file-answers.ts';
import type { Page, PageRequest } from '../../platform/pages.ts';
import { ok, type Result } from '../../platform/result.ts';
import type { Caller } from '../../platform/tokens.ts';
import { notSignedIn } from '../users/errors.ts';
import { exportPasskeys } from '../sign-ins/passkeys/service.ts';
import { isSignedIn } from '../sign-ins/service.ts';
import { lockUsers, me } from '../users/service.ts';
import { exportSignIns } from '../sign-ins/devices/service.ts';
import { listIdentities } from '../sign-ins/providers/service.ts';
import { listSecurityEvents, recordSecurityEvent } from '../security-events/service.ts';
import { readTwoStep } from '../sign-ins/two-step/service.ts';
import { listAssets } from '../assets/service.ts';
import { readCalendar } from '../calendar/service.ts';
import { listChoices } from '../notifications/choices/service.ts';
import { listNotices } from '../notifications/bell/service.ts';
import { listTargets } from '../notifications/targets/service.ts';
import { listCosts } from '../costs/service.ts';
import { listDeposits } from '../deposits/service.ts';
import { listFormerAssets } from '../periods/owners/service.ts';
import { listMemberMeters, listMeters } from '../meters/service.ts';
import { listPrices } from '../periods/prices/service.ts';
import { listAssetSessions, listSessions } from '../sessions/log/service.ts';
import { listBalances, listSettlements } from '../settlements/service.ts';
import { listTokens } from '../shares/access-tokens/service.ts';
import { listAllShares } from '../shares/service.ts';
import { listTrustedOwners } from '../shares/trusted-owners/service.ts';
import { listClosedStatements } from '../statements/reading/service.ts';
import { tables, type ItemOf } from './wire.ts';

/** Statements contain lines and explanations, so a page has fewer of them. */
const STATEMENTS_PAGE_SIZE = 50;

type List<Item> = (deps: Deps, request: PageRequest) => Promise<Result<Page<Item>>>;

/** A part of the export, read page by page. */
type Part<Item> = AsyncGenerator<Item[]>;

/** The user and the requesting sign-in; once it has ended, nothing more is read. */
interface Whose {
  user: Export['account'];
  caller: Caller;
}

/** Records that a user's data is being exported, and returns the export's first part. */
export const beginExport = (deps: Deps, userId: number, by: Client): Promise<Result<Export['account']>> =>
  transaction(deps, async (deps) => {
    await lockUsers(deps.db, [userId]);
    const [known, twoStep] = [await me(deps, userId), await readTwoStep(deps, userId)];
    if (!known.ok) return known;
    if (!twoStep.ok) return twoStep;
    const calendar = await readCalendar(deps, userId);
    if (!calendar.ok) return calendar;
    await recordSecurityEvent(deps, 'data_exported', { userId, by });
    return ok({ ...known.value, two_step_since: twoStep.value.since, calendar_since: calendar.value.since });
  });

/**
 * Returns each part of a user's export, read from the replica while it is iterated over. The parts contain what the user's own
 * API calls return.
 */
function partsOf(
  appDeps: Deps,
  { user, caller }: Whose,
  inTurn: InTurn,
): { [Name in keyof Export]: () => Part<ItemOf<Name>> } {
  async function* pages<Item>(
    list: List<Item>,
    { limit = LIST_PAGE_SIZE, read = appDeps.read }: { limit?: number; read?: Read } = {},
  ): Part<Item> {
    for (let cursor: string | null | undefined; cursor !== null;) {
      const request = { limit, cursor };
      const page: Result<Page<Item>> = await inTurn(async () =>
        (await isSignedIn(appDeps, caller)) ? read((db) => list({ ...appDeps, db }, request)) : notSignedIn(),
      );
      // The parent was deleted in the meantime.
      if (!page.ok && page.code === 'not_found') return;
      // The sign-in has ended, or the server is too busy.
      if (!page.ok) throw new Error(`an export ended early: ${page.code}`);
      yield page.value.results;
      cursor = page.value.next;
    }
  }
  const userId = user.id;
  const assets = () => pages((deps, page) => listAssets(deps, userId, page));
  /** Also those that were handed over, of whose earlier months the user still sees prices and sessions. */
  async function* allAssets(): Part<{ id: number; name: string }> {
    yield* assets();
    yield* pages((deps, page) => listFormerAssets(deps, userId, page));
  }
  const shares = () => pages((deps, page) => listAllShares(deps, userId, page));
  return {
    async *account() {
      yield [user];
    },
    sign_ins: () => pages((deps, page) => exportSignIns(deps, userId, page)),
    access_tokens: () =>
      pages(async (deps) => {
        const tokens = await listTokens(deps, userId);
        return tokens.ok ? ok({ results: tokens.value.access_tokens, next: null }) : tokens;
      }),
    passkeys: () => pages(async (deps) => ok({ results: await exportPasskeys(deps, userId), next: null })),
    identities: () =>
      pages(async (deps) => {
        const listed = await listIdentities(deps, userId);
        return listed.ok ? ok({ results: listed.value.identities, next: null }) : listed;
      }),
    security_events: () => pages((deps, page) => listSecurityEvents(deps, userId, page)),
    trusted_owners: () => pages((deps, page) => listTrustedOwners(deps, userId, page)),
    assets,
    async *prices() {
      for await (const page of allAssets())
        for (const { id, name } of page)
          for await (const prices of pages((deps, request) => listPrices(deps, userId, id, request)))
            yield prices.map((price) => ({ ...price, asset_id: id, asset_name: name }));
    },
    async *asset_sessions() {
      for await (const page of allAssets())
        for (const { id } of page)
          for await (const sessions of pages((deps, request) => listAssetSessions(deps, userId, id, request), {
            limit: LOGS_PAGE_SIZE_MAX,
          }))
            yield sessions.map((session) => ({ ...session, asset_id: id }));
    },
    shares,
    async *sessions() {
      for await (const page of shares())
        for (const { id, accepted_at: acceptedAt } of page)
          if (acceptedAt !== null)
            for await (const sessions of pages((deps, request) => listSessions(deps, userId, id, request), {
              limit: LOGS_PAGE_SIZE_MAX,
            }))
              yield sessions.map((session) => ({ ...session, share_id: id }));
    },
    async *meters() {
      for await (const page of assets())
        for (const { id } of page)
          for await (const meters of pages((deps) => wholeList(listMeters(deps, { userId, assetId: id }))))
            yield meters.map((meter) => ({ ...meter, asset_id: id }));
    },
    async *own_meters() {
      for await (const page of shares())
        for (const { id } of page)
          for await (const meters of pages((deps) =>
            wholeList(listMemberMeters(deps, { memberId: userId, shareId: id })),
          ))
            yield meters.map((meter) => ({ ...meter, share_id: id }));
    },
    async *costs() {
      for await (const page of allAssets())
        for (const { id } of page)
          for await (const costs of pages((deps, request) => listCosts(deps, userId, { assetId: id }, request)))
            yield costs.map((cost) => ({ ...cost, asset_id: id }));
    },
    async *shared_costs() {
      for await (const page of shares())
        for (const { id, own, accepted_at: acceptedAt } of page)
          if (acceptedAt !== null && !own)
            for await (const costs of pages((deps, request) => listCosts(deps, userId, { shareId: id }, request)))
              yield costs.map((cost) => ({ ...cost, share_id: id }));
    },
    statements: () => pages((deps, page) => listClosedStatements(deps, userId, page), { limit: STATEMENTS_PAGE_SIZE }),
    async *balances() {
      // Closes the months that are due.
      const read: Read = (work) => work(appDeps.db);
      for await (const page of pages((deps, request) => listBalances(deps, userId, request), { read }))
        yield page.map(({ payment_details: _theirs, ...balance }) => balance);
    },
    payments: () => pages((deps, page) => listSettlements(deps, userId, page)),
    deposits: () => pages((deps, page) => listDeposits(deps, userId, page)),
    renewals: () => pages((deps, page) => listRenewals(deps, userId, page)),
    notices: () => pages((deps, page) => listNotices(deps, userId, page), { limit: LOGS_PAGE_SIZE_MAX }),
    notice_choices: () => pages((deps) => listChoices(deps, userId)),
    notice_targets: () => pages((deps) => listTargets(deps, userId)),
  };
}

/** A list that has no pages. */
async function wholeList<Item>(list: Promise<Result<{ results: Item[] }>>): Promise<Result<Page<Item>>> {
  const listed = await list;
  return listed.ok ? ok({ results: listed.value.results, next: null }) : listed;
}

/** Returns everything about a user as JSON. */
export const jsonExport = (deps: Deps, whose: Whose): FileToSend => ({
  name: 'hourshare.json',
  content: (inTurn) => Readable.from(toJson(partsOf(deps, whose, inTurn))),
});

async function* toJson({ account, ...lists }: ReturnType<typeof partsOf>): AsyncGenerator<string> {
  for await (const [user] of account()) yield `{"account":${JSON.stringify(user)}`;
  for (const [name, part] of Object.entries<() => Part<object>>(lists)) {
    yield `,\n${JSON.stringify(name)}:[`;
    let separator = '\n';
    for await (const items of part()) {
      if (items.length === 0) continue;
      yield separator + items.map((item) => JSON.stringify(item)).join(',\n');
      separator = ',\n';
    }
    yield ']';
  }
  yield '}\n';
}

/** Returns everything about a user as CSV files in a ZIP file. */
export const csvExport = (deps: Deps, whose: Whose): FileToSend => ({
  name: 'hourshare.zip',
  content: (inTurn) => {
    const parts = partsOf(deps, whose, inTurn);
    const files = tables.map(({ name, head, rowsOf, part }) => ({
      name: `${name}.csv`,
      content: async function* () {
        yield BYTE_ORDER_MARK + csvRows([head]);
        for await (const items of parts[part]()) yield csvRows(items.flatMap(rowsOf));
      },
    }));
    return zipOf(files, deps.clock());
  },
});
