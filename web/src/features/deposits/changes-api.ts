import type { Deposit } from '@hourshare/contract/deposits';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../platform/http/call.ts';
import { announceChange } from '../../platform/live/changes.ts';

function useDepositMutation<Input, Answer>(change: (input: Input) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    // Also after an error: it may mean that the deposit has changed.
    onSettled: () => announceChange(client, 'deposits'),
  });
}

/** Where a deposit is recorded: at an asset of the user's own, or at their share of one. */
export type DepositPlace = { assetId: number } | { shareId: number };

export const useRecordDeposit = (place: DepositPlace) =>
  useDepositMutation(({ username, amount }: { username: string; amount: number }) =>
    'assetId' in place
      ? call('POST /api/assets/{id}/deposits/', { params: { id: place.assetId }, body: { username, amount } })
      : call('POST /api/shared-assets/{id}/deposits/', { params: { id: place.shareId }, body: { amount } }),
  );

/** Confirms the step that waits, takes it back or refuses it, or says that the deposit was given back. */
export const useDepositAction = ({ id, status }: Deposit) =>
  useDepositMutation(async (action: 'confirm' | 'withdraw' | 'return'): Promise<void> => {
    const params = { id };
    if (action === 'withdraw') await call('DELETE /api/deposits/{id}/', { params });
    else if (action === 'return') await call('POST /api/deposits/{id}/return/', { params });
    else
      await call('POST /api/deposits/{id}/confirm/', {
        params,
        // What the user saw: the other may have done something else since.
        body: status === 'recorded' || status === 'returning' ? { status } : {},
      });
  });
