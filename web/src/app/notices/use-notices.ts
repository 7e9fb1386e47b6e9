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
  const balances = useBalances({ staleTime: 60_000 });
  const settlements = useSettlements();
  const lastMonth = useMonthStatements(monthAfter(thisMonth(), -1));
  const monthBefore = useMonthStatements(monthAfter(thisMonth(), -2));
  const missing = [shares, balances, settlements, lastMonth, monthBefore].filter(({ data }) => data === undefined);
  // A failed list counts as failed while it reloads, so that the retry button and the other notices stay.
  const failed = missing.filter(({ errorUpdateCount }) => errorUpdateCount > 0);
  return {
    notices: findNotices({
      username,
      shares: shares.data ?? [],
      balances: balances.data ?? [],
      settlements: settlements.data ?? [],
      statements: [...(lastMonth.data ?? []), ...(monthBefore.data ?? [])],
    }),
    isPending: missing.length > failed.length,
    retry: failed.length === 0 ? null : () => failed.forEach(({ refetch }) => void refetch()),
  };
}
