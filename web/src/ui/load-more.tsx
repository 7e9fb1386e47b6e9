import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { t } from '../platform/i18n/messages.ts';
import { Banner } from './banner.tsx';
import { Button } from './button.tsx';

interface LoadMoreProps {
  query: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'>;
  /** What to say if the next page couldn't be loaded. */
  failure: string;
}

/** The button below a list that loads its next page. */
export function LoadMore({ query, failure }: LoadMoreProps) {
  return (
    <>
      {query.isFetchNextPageError && <Banner className="mt-3">{failure}</Banner>}
      {query.hasNextPage && (
        <Button
          look="outline"
          className="mt-4 w-full"
          // Not disabled: it keeps the focus.
          busy={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {query.isFetchingNextPage ? t('Loading...') : t('Load more')}
        </Button>
      )}
    </>
  );
}
