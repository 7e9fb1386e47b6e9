import type { LineStatus } from '@hourshare/contract/statements';
import type { SettleRequest } from '@hourshare/contract/settlements';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { announce } from '../../lib/announcements.ts';
import { announceChange } from '../../lib/changes.ts';
import { listQuery } from '../../lib/endpoint-query.ts';
import { call, callForFile } from '../../lib/http.ts';
import { readResults } from '../../lib/lists.ts';
import { t } from '../../lib/messages.ts';
import { dayText } from '../../lib/time.ts';
import type { LedgerMark, LedgerStatus } from '../../ui/ledger.tsx';
import { markText, type LineName } from './mark-text.tsx';
import { findNextMark, markedStatus, markFailureText, statusNames, type Reader } from './rules.ts';

declare module '../../lib/changes.ts' {
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

export const useBalances = () => useQuery({ ...balancesQuery, select: readResults, ...fresh });
export const useSettlements = () => useQuery({ ...settlementsQuery, select: readResults, ...fresh });

export const balancesFile = () => callForFile('GET /api/balances/', {});
export const settlementsFile = () => callForFile('GET /api/settlements/', {});

const announcements: Record<LineStatus, () => string> = {
  due: () => t('Marked as due.'),
  sent: () => t('Marked as sent.'),
  paid: () => t('Marked as paid.'),
};

function useMarkLine() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, to }: { id: number; to: LineStatus }) =>
      call('POST /api/statement-lines/{id}/mark/', { params: { id }, body: { status: to } }),
    onSuccess: (line) => {
      const { id, status, status_since } = line;
      if (id === null || status === null) return;
      announce(announcements[status]());
      client.setQueryData(
        balancesQuery.queryKey,
        (list) =>
          list && {
            ...list,
            results: readResults(list).map((balance) => ({
              ...balance,
              lines: balance.lines.map((known) => (known.id === id ? { ...known, status, status_since } : known)),
            })),
          },
      );
    },
    onError: () => void client.invalidateQueries({ queryKey: balancesQuery.queryKey }),
    onSettled: () => void announceChange(client, 'marks'),
  });
}

interface Line {
  id: number | null;
  status: LineStatus | null;
  status_since: string | null;
  settled: boolean;
}

/** Returns a line's payment status; null on an estimate and for the owner. */
export function lineStatus({ status, settled }: Pick<Line, 'status' | 'settled'>): LedgerStatus | null {
  if (status === null) return null;
  if (status !== 'paid')
    return { text: statusNames[status](), tone: status === 'sent' ? 'accent' : 'plain', done: false };
  return { text: settled ? t('Settled [[charge]]') : statusNames.paid(), tone: 'plain', done: true };
}

/** Returns a line's status and the action that changes it; `name` is what screen readers call the line. */
export function useLineMark(line: Line, reader: Reader, name: LineName): LedgerMark {
  const mark = useMarkLine();
  const { id, status_since: since } = line;
  const next = findNextMark(line, reader);
  return {
    status: lineStatus(line),
    since: since === null ? null : dayText(since),
    action:
      id === null || !next
        ? null
        : {
            text: markText(next, name),
            busy: mark.isPending,
            failure: mark.isError ? markFailureText(mark.error) : null,
            onPress: () => mark.mutate({ id, to: markedStatus(next) }),
          },
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
