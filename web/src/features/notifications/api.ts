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

/** Saves choices at once and rolls them back if the server refuses them. */
export function useChooseNotices() {
  const client = useQueryClient();
  const key = ['PATCH /api/notifications/choices/'];
  /** Returns what was shown before. */
  const show = (changes: ChoiceChange[]): ChoiceChange[] => {
    const known = readResults(client.getQueryData(choicesQuery.queryKey));
    client.setQueryData(
      choicesQuery.queryKey,
      (list) =>
        list && {
          ...list,
          results: readResults(list).map((choice) => ({
            ...choice,
            ...changes.find(({ kind }) => kind === choice.kind),
          })),
        },
    );
    return changes.flatMap(({ kind, ...change }) => {
      const before = known.find((choice) => choice.kind === kind);
      if (!before) return [];
      const names = (['bell', 'mail', 'push'] as const).filter((name) => name in change);
      return { kind, ...Object.fromEntries(names.map((name) => [name, before[name]])) };
    });
  };
  return useMutation({
    mutationKey: key,
    mutationFn: (choices: ChoiceChange[]) => call('PATCH /api/notifications/choices/', { body: { choices } }),
    // Runs saves in order, so that the last click wins.
    scope: { id: 'noticeChoices' },
    onMutate: async (changes) => {
      await client.cancelQueries({ queryKey: choicesQuery.queryKey });
      return show(changes);
    },
    onSuccess: () => announce(t('Saved.')),
    onError: (_, __, before) => {
      if (before) show(before);
    },
    onSettled: () => {
      // Not before the last one: an answer in between would show a choice as it was.
      if (client.isMutating({ mutationKey: key }) === 1) void announceChange(client, 'noticeChoices');
    },
  });
}
