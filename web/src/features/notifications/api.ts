import type { Notice, NoticeChoice, NoticeList } from '@hourshare/contract/notifications';
import {
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type InfiniteData,
  type QueryClient,
} from '@tanstack/react-query';
import { announce } from '../../ui/toasts.ts';
import { announceChange } from '../../platform/live/changes.ts';
import { endpointQuery } from '../../platform/http/endpoint-query.ts';
import { call } from '../../platform/http/call.ts';
import { currentLanguage } from '../../platform/i18n/language.ts';
import { readResults } from '../../platform/http/lists.ts';
import { t } from '../../platform/i18n/messages.ts';
import { useReloadInterval } from '../../platform/live/stream-state.ts';

declare module '../../platform/live/changes.ts' {
  interface Changes {
    notices: true;
    noticeChoices: true;
  }
}

const NOTICES = 'GET /api/notifications/';
const noticesKey = [NOTICES] as const;

/** The user's notices, newest first, page by page. */
export const useNotices = () =>
  useInfiniteQuery({
    queryKey: noticesKey,
    meta: { staleAfter: ['notices'] },
    queryFn: ({ pageParam, signal }): Promise<NoticeList> =>
      call(NOTICES, {
        query: { language: currentLanguage(), ...(pageParam !== null && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page?.next ?? null,
    select: ({ pages }) => ({
      notices: pages.flatMap((page) => readResults<Notice>(page)),
      unread: pages[0]?.unread ?? 0,
    }),
    refetchInterval: useReloadInterval(),
  });

type Pages = InfiniteData<NoticeList, string | null>;

/** Shows notices as read before the server has answered. Returns what was shown before. */
async function showRead(client: QueryClient, ids: number[] | undefined): Promise<Pages | undefined> {
  await client.cancelQueries({ queryKey: noticesKey });
  const before = client.getQueryData<Pages>(noticesKey);
  const isRead = ({ id }: Notice) => ids === undefined || ids.includes(id);
  const known = before?.pages.flatMap((page) => readResults<Notice>(page)) ?? [];
  const newlyRead = known.filter((notice) => isRead(notice) && !notice.read).length;
  client.setQueryData<Pages>(
    noticesKey,
    before && {
      ...before,
      pages: before.pages.map((page) => ({
        ...page,
        unread: ids === undefined ? 0 : Math.max(0, page.unread - newlyRead),
        results: readResults<Notice>(page).map((notice) => (isRead(notice) ? { ...notice, read: true } : notice)),
      })),
    },
  );
  return before;
}

/** Marks notices as read; all of them without ids. */
export function useReadNotices() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (ids: number[] | undefined) =>
      call('POST /api/notifications/read/', { body: ids === undefined ? {} : { ids } }),
    onMutate: (ids) => showRead(client, ids),
    onError: (_, ids, before) => {
      client.setQueryData(noticesKey, before);
      if (ids === undefined)
        announce(t("Couldn't mark the notifications as read. Please try again."), { failed: true });
    },
    onSettled: () => void announceChange(client, 'notices'),
  });
}

const choicesQuery = endpointQuery('GET /api/notifications/choices/', {}, ['noticeChoices']);

/** How the user is notified of each kind. */
export const useNoticeChoices = () => useQuery({ ...choicesQuery, select: readResults });

export type ChoiceChange = Pick<NoticeChoice, 'kind'> & Partial<Pick<NoticeChoice, 'bell' | 'mail' | 'push'>>;

/** Saves a choice at once and rolls it back if the server refuses it. */
export function useChooseNotices() {
  const client = useQueryClient();
  const key = ['PATCH /api/notifications/choices/'];
  const show = (change: ChoiceChange) =>
    client.setQueryData(
      choicesQuery.queryKey,
      (list) =>
        list && {
          ...list,
          results: readResults(list).map((known) => (known.kind === change.kind ? { ...known, ...change } : known)),
        },
    );
  return useMutation({
    mutationKey: key,
    mutationFn: (change: ChoiceChange) => call('PATCH /api/notifications/choices/', { body: { choices: [change] } }),
    // Runs saves in order, so that the last click wins.
    scope: { id: 'noticeChoices' },
    onMutate: async (change) => {
      await client.cancelQueries({ queryKey: choicesQuery.queryKey });
      show(change);
    },
    onSuccess: () => announce(t('Saved.')),
    onError: (_, { kind, ...change }) => {
      const before = Object.fromEntries(Object.entries(change).map(([name, value]) => [name, !value]));
      show({ kind, ...before });
    },
    onSettled: () => {
      // Not before the last one: an answer in between would show a choice as it was.
      if (client.isMutating({ mutationKey: key }) === 1) void announceChange(client, 'noticeChoices');
    },
  });
}
