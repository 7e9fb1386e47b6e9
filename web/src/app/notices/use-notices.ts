import { useBalances, useSettlements } from '../../features/settlements/api.ts';
import { useSharedAssets } from '../../features/shares/api.ts';
import { useMonthStatements } from '../../features/statements/api.ts';
import { monthAfter, thisMonth } from '../../lib/months.ts';
import { useUser } from '../../lib/use-sign-in.ts';
import { findNotices, type Notice } from './notices.ts';

interface Notices {
  notices: Notice[];
  isPending: boolean;
  /** Set when a list didn't load: loads what is missing. */
  retry: (() => void) | null;
}

export function useNotices(): Notices {
  const username = useUser()?.username ?? '';
  const shares = useSharedAssets();
  const balances = useBalances();
  const settlements = useSettlements();
  const statements = useMonthStatements(monthAfter(thisMonth(), -1));
  const lists = [shares, balances, settlements, statements];
  const failed = lists.filter(({ isError, data }) => isError && data === undefined);
  return {
    notices: findNotices({
      username,
      shares: shares.data ?? [],
      balances: balances.data ?? [],
      settlements: settlements.data ?? [],
      statements: statements.data ?? [],
    }),
    isPending: lists.some(({ isPending }) => isPending),
    retry: failed.length === 0 ? null : () => failed.forEach(({ refetch }) => void refetch()),
  };
}
