import type { Terms } from '@hourshare/contract/fields';
import type { Session } from '@hourshare/contract/sessions';
import type { SharedAsset } from '@hourshare/contract/shares';
import { useIsMutating, useMutation, useMutationState, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { announce, showDetail } from '../../ui/toasts.ts';
import { announceChange } from '../../platform/live/changes.ts';
import { formatMoney } from '../../platform/format/numbers.ts';
import { enqueue, queue, type Press } from '../../platform/offline/queue.ts';
import { call } from '../../platform/http/call.ts';
import { NoConnection } from '../../platform/http/errors.ts';
import { readResults } from '../../platform/http/lists.ts';
import { t } from '../../platform/i18n/messages.ts';
import { thisMonth } from '../../platform/format/months.ts';
import { sessionDialog } from '../../platform/paths.ts';
import { serverNow } from '../../platform/http/server-clock.ts';
import { durationText } from '../../platform/format/time.ts';
import { useSettled } from '../../platform/use-settled.ts';
import { startableQueries } from '../shares/api.ts';
import { endFailureText, InvalidAssetId, isShareId, sessionCost, startFailureText } from './rules.ts';

declare module '../../platform/live/changes.ts' {
  interface Changes {
    sessions: true;
  }
}

type Running = Pick<SharedAsset, 'active_session' | 'active_since'> & Partial<Pick<SharedAsset, 'status' | 'offer'>>;

/** Updates a share's session state in the lists that have it. Returns the previous state for a rollback. */
export function setRunning(client: QueryClient, id: number, next: Running): Running | undefined {
  let before: Running | undefined;
  const change = (list: { results: SharedAsset[]; next: null | string } | undefined) => {
    if (!list) return list;
    const results = readResults(list).map((share) => {
      if (share.id !== id) return share;
      before = { active_session: share.active_session, active_since: share.active_since };
      return { ...share, ...next };
    });
    return { ...list, results };
  };
  // Keeps the age of each list.
  for (const { queryKey } of startableQueries)
    client.setQueryData(queryKey, change, { updatedAt: client.getQueryState(queryKey)?.dataUpdatedAt ?? 0 });
  return before;
}

type Verb = Press['verb'];

interface Pressed {
  verb: Verb;
  /** The terms that were shown, if starting agrees to them. */
  agrees?: Terms | undefined;
}

const failureText = (verb: Verb, error: unknown) =>
  verb === 'start' ? startFailureText(error) : endFailureText(error);

/** After that, the toast is about to disappear. */
const COST_WITHIN_MS = 3_000;

/** Returns about what a session costs the member, or null if use doesn't decide it or the statement doesn't come soon. */
const readCost = (assetId: number, session: Session): Promise<string | null> =>
  call('GET /api/assets/{id}/statements/{month}/', {
    params: { id: assetId, month: thisMonth() },
    signal: AbortSignal.timeout(COST_WITHIN_MS),
  })
    .then((statement) => {
      const cost = sessionCost(statement, session);
      return cost === null ? null : formatMoney(cost, statement.currency);
    })
    .catch(() => null);

/** Says how long an ended session was, offers to edit it, and adds about what it cost. */
async function announceEnd(share: SharedAsset, session: Session): Promise<void> {
  const duration = durationText(session.duration ?? 0);
  const message = announce(t('Session ended: {asset}', { asset: session.asset_name }), {
    detail: duration,
    edit: sessionDialog(share.id, session.id),
  });
  const amount = await readCost(share.asset.id, session);
  if (amount !== null) showDetail(message, t('{duration} · about {amount}', { duration, amount }));
}

/** The start of the key of every start and end. */
const SESSION = 'session';

/** How long a failure is shown after the list has come to show what was wanted: the session runs, or has ended. */
const FAILURE_MS = 6_000;

/**
 * Starts and ends the sessions of a share, optimistically and rolled back when the server refuses. All controls of a
 * share are busy while one of them works, so a second press sends nothing.
 */
export function useSessionControl(share: SharedAsset, { announceFailure = false } = {}) {
  const { id } = share;
  const client = useQueryClient();
  const mutationKey = [SESSION, id];
  const change = useMutation({
    mutationKey,
    mutationFn: async ({ verb, agrees }: Pressed) => {
      if (!isShareId(id)) throw new InvalidAssetId();
      const at = Date.now();
      try {
        // It is sent after those that wait already.
        if (queue.get().some(({ shareId }) => shareId === id)) throw new NoConnection();
        const seen = agrees ? { body: { agrees } } : {};
        if (verb === 'end') return await call('POST /api/shared-assets/{id}/end/', { params: { id } });
        const session = await call('POST /api/shared-assets/{id}/start/', { params: { id }, ...seen });
        // Such as JSON from a proxy or captive portal.
        if (!session || !('id' in session)) throw new NoConnection();
        return session;
      } catch (error) {
        const canWait = error instanceof NoConnection && share.status !== 'offered' && !agrees;
        if (canWait && (await enqueue({ shareId: id, asset: share.asset_name, verb, at }))) return null;
        throw error;
      }
    },
    onMutate: async ({ verb }) => {
      // A read in flight would overwrite the optimistic state.
      await Promise.all(startableQueries.map(({ queryKey }) => client.cancelQueries({ queryKey })));
      const started = { active_session: true, active_since: new Date(serverNow()).toISOString() };
      const before = setRunning(client, id, verb === 'start' ? started : { active_session: false, active_since: null });
      return { before };
    },
    onSuccess: (session, { verb, agrees }) => {
      // It waits for a connection, so what is shown stays.
      if (!session) return;
      if (verb === 'start') {
        announce(t('Session started: {asset}', { asset: session.asset_name }), {
          detail:
            share.status === 'offered'
              ? t('You accepted the offer.')
              : agrees && t('You agreed to the new terms of {asset}.', { asset: session.asset_name }),
        });
        setRunning(client, id, {
          active_session: true,
          active_since: session.start_time,
          status: 'accepted',
          offer: null,
        });
      } else {
        setRunning(client, id, { active_session: false, active_since: null });
        void announceEnd(share, session);
      }
    },
    onError: (error, { verb }, context) => {
      if (context?.before) setRunning(client, id, context.before);
      if (announceFailure) announce(failureText(verb, error), { failed: true });
    },
    onSettled: () => {
      // A list read now would not know yet of what another press has started or ended.
      if (client.isMutating({ mutationKey: [SESSION] }) === 1) void announceChange(client, 'sessions');
    },
  });
  // A failure is out of date after a later press, also of another control, and once the state has changed for a while.
  const latest = useMutationState({ filters: { mutationKey }, select: ({ state }) => state.submittedAt }).at(-1);
  const settled = useSettled(share.active_session, FAILURE_MS);
  const { isError, reset } = change;
  useEffect(() => {
    if (isError) reset();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only when the state has changed
  }, [settled]);
  // The count of the cache is up to date at once, unlike the rendered one.
  const run = (pressed: Pressed) => {
    if (client.isMutating({ mutationKey }) === 0) change.mutate(pressed);
  };
  return {
    failure: change.error && change.submittedAt === latest ? failureText(change.variables.verb, change.error) : null,
    busy: useIsMutating({ mutationKey }) > 0,
    // An offer is accepted as it was seen, or cheaper. A plain start agrees to nothing new.
    start: () => run({ verb: 'start', agrees: (share.status === 'offered' && share.terms) || undefined }),
    agreeAndStart: (agrees: Terms) => run({ verb: 'start', agrees }),
    end: () => run({ verb: 'end' }),
  };
}
