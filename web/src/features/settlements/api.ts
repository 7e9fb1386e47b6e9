import type { LineStatus, MarkedLine } from '@hourshare/contract/statements';
import type { BalanceLine, Settlement, SettleRequest } from '@hourshare/contract/settlements';
import { useMutation, useQuery, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { announce } from '../../ui/toasts.ts';
import { announceChange } from '../../platform/live/changes.ts';
import { listQuery } from '../../platform/http/endpoint-query.ts';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { formatMoney } from '../../platform/format/numbers.ts';
import { call, callForFile } from '../../platform/http/call.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { readResults } from '../../platform/http/lists.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { sumAmounts } from '../../platform/format/money.ts';
import { dayText } from '../../platform/format/time.ts';
import { hidden } from '../../ui/hidden-text.tsx';
import type { LedgerAction, LedgerMark, LedgerStatus } from '../../ui/ledger.tsx';
import { markText, type LineName } from './mark-text.tsx';
import { findNextMark, markedStatus, markFailureText, markReader, statusNames, type Reader } from './rules.ts';

declare module '../../platform/live/changes.ts' {
  interface Changes {
    marks: true;
    settlements: true;
  }
}

// Not stale after a mark: a line marked as paid stays until the next read, so that a mistake can be undone.
const balancesQuery = listQuery('GET /api/balances/', {}, ['periods', 'settlements']);
const settlementsQuery = listQuery('GET /api/settlements/', {}, ['settlements']);

// Months close and other people settle elsewhere, so each visit refetches.
const fresh = { staleTime: 0 } as const;

/** Unlike a refetch, balances read within `staleTime` still have a charge marked as paid, so that it can be undone. */
export const useBalances = ({ staleTime = 0 } = {}) => useQuery({ ...balancesQuery, select: readResults, staleTime });

/** Whether balances weren't read since the page was opened: that there were none earlier doesn't say that nothing is owed now. */
export function useUnknownBalances(): boolean {
  const client = useQueryClient();
  // The list doesn't change when it is read again and still empty, but its time does.
  const { data, dataUpdatedAt } = useBalances();
  const reads = client.getQueryState(balancesQuery.queryKey)?.dataUpdateCount;
  return data?.length === 0 && dataUpdatedAt > 0 && reads === 0;
}

export const useSettlements = ({ enabled = true } = {}) =>
  useQuery({ ...settlementsQuery, select: readResults, ...fresh, enabled });

export const balancesFile = () => callForFile('GET /api/balances/', {});
export const settlementsFile = () => callForFile('GET /api/settlements/', {});

const announcements: Record<LineStatus, (count: number) => string> = {
  due: (count) => t('{count, plural, one {Marked as due.} other {Marked # charges as due.}}', { count }),
  sent: (count) => t('{count, plural, one {Marked as sent.} other {Marked # charges as sent.}}', { count }),
  paid: (count) => t('{count, plural, one {Marked as paid.} other {Marked # charges as paid.}}', { count }),
};

interface Marking {
  ids: number[];
  to: LineStatus;
}

function useMarkLines() {
  const client = useQueryClient();
  const show = ({ id, status, status_since }: MarkedLine) =>
    client.setQueryData(
      balancesQuery.queryKey,
      (list) =>
        list && {
          ...list,
          results: readResults(list).map((balance) => ({
            ...balance,
            lines: balance.lines.map((known) =>
              known.id === id && status !== null ? { ...known, status, status_since } : known,
            ),
          })),
        },
    );
  const mark: UseMutationResult<void, Error, Marking> = useMutation({
    mutationFn: async ({ ids, to }: Marking) => {
      // One after the other: the first failure ends it, and what is done is shown.
      for (const id of ids)
        show(await call('POST /api/statement-lines/{id}/mark/', { params: { id }, body: { status: to } }));
    },
    onSuccess: (_, { ids, to }) => {
      // A single charge has its own button for that.
      const isUndoable = ids.length > 1 && to !== 'due';
      // Charges that were marked as sent before are so again.
      const isUndone = ids.length > 1 && to === 'due';
      announce(isUndone ? t('Undone.') : announcements[to](ids.length), {
        ...(isUndoable && { undo: () => void undo(ids) }),
      });
    },
    onError: () => void client.invalidateQueries({ queryKey: balancesQuery.queryKey }),
    onSettled: () => void announceChange(client, 'marks'),
  });
  const undo = async (ids: number[]) => {
    try {
      await mark.mutateAsync({ ids, to: 'due' });
    } catch (error) {
      announce(markFailureText(error), { failed: true });
    }
  };
  return mark;
}

interface Line {
  id: number | null;
  status: LineStatus | null;
  status_since: string | null;
  settled: boolean;
  amount: number;
  open_amount: number | null;
  sent_amount: number | null;
  /** Whose line of a statement it is. */
  username?: string;
  hue?: number | null;
}

/** Returns a line's payment status; null on an estimate and for the owner. Only what the reader owes looks due. */
export function lineStatus(
  { status, settled }: Pick<Line, 'status' | 'settled'>,
  reader?: Reader,
): LedgerStatus | null {
  if (status === null) return null;
  if (status === 'sent') return { text: statusNames.sent(), tone: 'accent', done: false };
  if (status === 'due') return { text: statusNames.due(), tone: reader === 'self' ? 'over' : 'plain', done: false };
  return { text: settled ? t('Settled [[charge]]') : statusNames.paid(), tone: 'plain', done: true };
}

/** Returns what is paid or sent of a line that isn't paid as a whole; null if nothing is. */
function progressText(
  { status, amount: whole, open_amount: open, sent_amount: sent }: Line,
  currency: string,
): string | null {
  if (status === null || status === 'paid' || open === null || sent === null) return null;
  // A negative one is owed the other way around.
  const amount = Math.abs(whole);
  const money = (value: number) => formatMoney(value, currency);
  const values = { paid: money(sumAmounts([amount, -open], currency)), amount: money(amount), sent: money(sent) };
  if (open < amount)
    return sent > 0 ? t('{paid} of {amount} paid, {sent} sent', values) : t('{paid} of {amount} paid', values);
  return sent > 0 && sent < amount ? t('{sent} of {amount} sent', values) : null;
}

/** Returns a line's status and the action that changes it; `name` is what screen readers call the line. */
export function useLineMark(line: Line, asked: Reader, name: LineName, currency: string): LedgerMark {
  const reader = markReader(line, asked);
  const mark = useMarkLines();
  const { id, status_since: since } = line;
  const next = findNextMark(line, reader);
  return {
    status: lineStatus(line, reader),
    since: since === null ? null : dayText(since),
    progress: progressText(line, currency),
    action:
      id === null || !next
        ? null
        : {
            text: markText(next, name),
            busy: mark.isPending,
            failure: mark.isError ? markFailureText(mark.error) : null,
            onPress: () => mark.mutate({ ids: [id], to: markedStatus(next) }),
          },
  };
}

/** Returns the action that marks several lines at once, or null with fewer than two left to mark. */
export function useMarkAll(
  lines: BalanceLine[],
  next: 'sent' | 'paid',
  username: string,
  onMarked: () => void,
): LedgerAction | null {
  const mark = useMarkLines();
  const reader = next === 'paid' ? 'owner' : 'self';
  const ids = lines.filter((line) => findNextMark({ ...line, settled: false }, reader) === next).map(({ id }) => id);
  // Stays while it works through the last of them, and after a failure for the ones that are left.
  if (!mark.isPending && ids.length < (mark.isError ? 1 : 2)) return null;
  return {
    text:
      next === 'paid'
        ? rich('Mark all paid<hidden> by {name}</hidden>', { name: username, hidden })
        : rich('Mark all as sent<hidden> to {name}</hidden>', { name: username, hidden }),
    busy: mark.isPending,
    failure: mark.isError ? markFailureText(mark.error) : null,
    onPress: () => mark.mutate({ ids, to: next }, { onSuccess: onMarked }),
  };
}

export function useSettle() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (settlement: SettleRequest) => call('POST /api/settlements/', { body: settlement }),
    // Also after an error: it means that the balance has changed.
    onSettled: () => announceChange(client, 'settlements'),
  });
}

export type PaymentAction = 'confirm' | 'reject' | 'undo' | 'withdraw';

/** Confirms a payment, marks it as not received, undoes it, or withdraws the request to undo it. */
export function usePaymentAction({ id, username: name, can }: Settlement) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (action: PaymentAction): Promise<Settlement> => {
      const params = { id };
      if (action === 'withdraw') return call('DELETE /api/settlements/{id}/undo/', { params });
      if (action === 'undo')
        return call('POST /api/settlements/{id}/undo/', { params, body: can.undo === null ? {} : { step: can.undo } });
      return call(`POST /api/settlements/{id}/${action}/`, { params });
    },
    onSuccess: (settlement) => announce(changeText(settlement, name)),
    // Also after an error: it means that the payment has changed.
    onSettled: () => announceChange(client, 'settlements'),
  });
}

function changeText({ status, undo_asked_by: asked, events }: Settlement, name: string): string {
  const last = events.at(-1)?.kind;
  if (asked !== null) return t('{name} was asked to agree.', { name });
  if (last === 'undo_withdrawn') return t('Request withdrawn.');
  if (status === 'paid') return t('Payment confirmed.');
  return status === 'not_received' ? t('Marked as not received.') : t('Undone.');
}

export const actionFailureText = (error: unknown): string =>
  error instanceof ApiError && error.status === 400 ? errorText(error) : t("Couldn't save this. Please try again.");
