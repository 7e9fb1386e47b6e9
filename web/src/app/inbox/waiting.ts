import type { OwnedAsset, SharedWithEntry } from '@hourshare/contract/assets';
import type { Deposit } from '@hourshare/contract/deposits';
import type { Balance, Settlement } from '@hourshare/contract/settlements';
import type { SharedAsset } from '@hourshare/contract/shares';
import type { CostOnLine, EditedSession, Statement, StatementCost } from '@hourshare/contract/statements';
import { useDeposits } from '../../features/deposits/api.ts';
import { useSettlements } from '../../features/settlements/api.ts';
import { useMonthStatements } from '../../features/statements/api.ts';
import { findOwnLine, isOwner } from '../../features/statements/rules.ts';
import { useUser } from '../../platform/auth/use-user.ts';
import { serverNow } from '../../platform/http/server-clock.ts';

/** What waits for an answer of the user, with whom it is about. */
export type Waiting = { key: string; person: string; hue: number | null; asset: string | null } & (
  | { kind: 'offer'; share: SharedAsset; offer: NonNullable<SharedAsset['offer']> }
  | { kind: 'terms' | 'handover'; share: SharedAsset }
  | { kind: 'payment'; settlement: Settlement }
  | { kind: 'deposit'; deposit: Deposit }
  | { kind: 'proposal'; statement: Statement; assetId: number; cost: StatementCost }
  | { kind: 'part'; statement: Statement; share: SharedAsset; cost: StatementCost; part: CostOnLine }
  | { kind: 'request'; statement: Statement; session: EditedSession }
  | { kind: 'objection'; share: SharedAsset; session: EditedSession }
  | { kind: 'added'; asset: string; assetId: number; entry: SharedWithEntry }
);

const DAY_MS = 86_400_000;

/** Returns the month that has ended somewhere and closes in these days; undefined if there is none. */
export function closingMonth(now: number): string | undefined {
  // A month ends up to 14 hours earlier and 12 hours later than in UTC, and closes three days after that.
  const tomorrow = new Date(now + DAY_MS);
  return tomorrow.getUTCDate() <= 5 ? new Date(now - 5 * DAY_MS).toISOString().slice(0, 7) : undefined;
}

export interface Lists {
  username: string | undefined;
  assets?: OwnedAsset[] | undefined;
  shares?: SharedAsset[] | undefined;
  balances?: Balance[] | undefined;
  settlements?: Settlement[] | undefined;
  deposits?: Deposit[] | undefined;
  /** The current month's, and those of an ended one that is open. */
  statements?: Statement[] | undefined;
}

/** Returns what waits for an answer of the user: first what they wait for themselves, then what others wait for. */
export function findWaiting(lists: Lists): Waiting[] {
  const { username, assets = [], shares = [], balances = [], settlements = [], deposits = [], statements = [] } = lists;
  const of = (share: SharedAsset) => ({ person: share.owner, hue: share.owner_hue, asset: share.asset_name, share });
  const entries = assets.flatMap((asset) => asset.shared_with.map((entry) => ({ asset, entry })));
  const hueOf = (name: string) =>
    entries.find(({ entry }) => entry.shared_with_username === name)?.entry.hue ??
    balances.find((balance) => balance.username === name)?.hue ??
    shares.find(({ owner }) => owner === name)?.owner_hue ??
    null;
  const open = statements.filter(({ closed }) => !closed);
  // At a month's end, both lists have its statements.
  const costs = new Map(
    open.flatMap((statement) => statement.costs.map((cost) => [cost.id, { statement, cost }] as const)),
  );
  // A session over midnight is on the statements of two months.
  const edits = new Map<string, { statement: Statement; session: EditedSession }>();
  for (const statement of open)
    if (statement.asset_id !== null)
      for (const session of statement.edited_sessions) {
        const { session_id: id, objection, request } = session;
        if (request?.waits_for_you) edits.set(`request-${id}`, { statement, session });
        else if (objection === 'open' && session.username === username)
          edits.set(`objection-${id}`, { statement, session });
      }
  const waitingCost = (statement: Statement, cost: StatementCost): Waiting[] => {
    const { asset_id: assetId, owner, lines } = statement;
    const common = { key: `cost-${cost.id}`, asset: statement.asset_name, statement, cost };
    if (username === undefined || assetId === null) return [];
    if (isOwner(statement, username)) {
      // What an owner entered as a member waits on the Costs tab, and no one decides about deleted assets.
      if (cost.status !== 'proposed' || cost.author === username || statement.deleted_at !== null) return [];
      const person = cost.author ?? cost.paid_by ?? owner;
      const hue = lines.find(({ username: name }) => name === person)?.hue ?? null;
      return [{ kind: 'proposal', ...common, person, hue, assetId }];
    }
    const share = shares.find(({ asset }) => asset.id === assetId);
    const part = findOwnLine(statement, username)?.costs.find(({ id }) => id === cost.id);
    // Of a part that has grown since a yes, that yes still holds.
    if (!share || part?.standing !== 'asked' || part.amount > 0) return [];
    return [{ kind: 'part', ...common, person: owner, hue: share.owner_hue, share, part }];
  };
  return [
    ...shares.flatMap((share): Waiting[] =>
      share.offer && !share.accepted
        ? [{ kind: 'offer', key: `offer-${share.id}`, ...of(share), offer: share.offer }]
        : [],
    ),
    ...shares
      .filter(({ asked }) => asked)
      .map((share): Waiting => ({ kind: 'terms', key: `terms-${share.id}`, ...of(share) })),
    ...settlements
      .filter(({ can }) => can.confirm)
      .map((settlement): Waiting => ({
        kind: 'payment',
        key: `payment-${settlement.id}`,
        person: settlement.username,
        hue: hueOf(settlement.username),
        asset: settlement.lines[0]?.asset_name ?? null,
        settlement,
      })),
    ...deposits
      .filter(({ can }) => can.confirm)
      .map((deposit): Waiting => ({
        kind: 'deposit',
        key: `deposit-${deposit.id}`,
        person: deposit.username,
        hue: deposit.hue,
        asset: deposit.asset_name,
        deposit,
      })),
    ...[...costs.values()].flatMap(({ statement, cost }) => waitingCost(statement, cost)),
    ...[...edits].flatMap(([key, { statement, session }]): Waiting[] => {
      const from = (person: string) => ({ key, person, hue: hueOf(person), asset: statement.asset_name, session });
      if (session.request?.waits_for_you) return [{ kind: 'request', ...from(session.username), statement }];
      const share = shares.find(({ asset }) => asset.id === statement.asset_id);
      return share ? [{ kind: 'objection', ...from(session.objected_by ?? share.owner), share }] : [];
    }),
    ...shares
      .filter(({ handover }) => handover !== null && !handover.accepted)
      .map((share): Waiting => ({ kind: 'handover', key: `handover-${share.id}`, ...of(share) })),
    ...entries
      .filter(({ asset, entry }) => entry.unconfirmed && asset.your_role === 'owner')
      .map(({ asset, entry }): Waiting => ({
        kind: 'added',
        key: `added-${entry.id}`,
        person: entry.shared_with_username ?? '',
        hue: entry.hue,
        asset: asset.name,
        assetId: asset.id,
        entry,
      })),
  ];
}

/** Reads the ended month with its edits, until it closes. */
export function useEndedMonth() {
  const month = closingMonth(serverNow());
  return useMonthStatements(month, { enabled: month !== undefined });
}

/**
 * As `findWaiting`. Payments are read only if one is to be confirmed. Deposits, which few have, are read if asked for; otherwise, those
 * that are known are there.
 */
export function useWaiting(
  lists: Omit<Lists, 'username' | 'settlements' | 'deposits'> & { ended: ReturnType<typeof useEndedMonth> },
  { readsDeposits }: { readsDeposits: boolean },
): {
  items: Waiting[];
  /** How many payments are known to follow. */
  expected: number;
  isLoading: boolean;
} {
  const payers = lists.balances?.filter(({ they_sent: sent }) => sent > 0) ?? [];
  const settlements = useSettlements({ enabled: payers.length > 0 });
  const deposits = useDeposits({ enabled: readsDeposits });
  const username = useUser()?.username;
  const statements = [...(lists.ended.data ?? []), ...(lists.statements ?? [])];
  return {
    items: findWaiting({ ...lists, username, settlements: settlements.data, deposits: deposits.data, statements }),
    expected: settlements.isLoading ? payers.length : 0,
    isLoading: settlements.isLoading || deposits.isLoading || lists.ended.isLoading,
  };
}
