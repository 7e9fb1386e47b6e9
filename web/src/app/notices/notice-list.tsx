import type { Notice } from '@hourshare/contract/notifications';
import { useEffect, useId } from 'react';
import { useNotices, useReadNotices } from '../../features/notifications/api.ts';
import { t } from '../../platform/i18n/messages.ts';
import { daysAgo } from '../../platform/format/time.ts';
import { Banner } from '../../ui/banner.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { BellInbox, useBellWaiting } from '../inbox/inbox.tsx';
import { bell } from './bell.ts';
import { NoticeRow } from './notice-row.tsx';
import { rememberSeen } from './seen.ts';

const onDay = (notices: readonly Notice[], isDay: (days: number) => boolean) =>
  notices.filter(({ created_at: at }) => isDay(daysAgo(at)));

/** The user's notices, newest first, by day; each entry leads to what it is about. */
export function NoticeList({ onClose }: { onClose: () => void }) {
  const query = useNotices();
  const { mutate: markRead } = useReadNotices();
  const notices = query.data?.notices;
  const { items: waiting, isLoading } = useBellWaiting();
  useEffect(() => {
    if (notices === undefined) return;
    rememberSeen(notices);
    bell.set((before) => ({ ...before, isNew: false }));
  }, [notices]);

  const open = ({ id, read }: Notice) => {
    if (!read) markRead([id]);
    onClose();
  };
  return (
    <>
      <BellInbox items={waiting} onClose={onClose} />
      {(query.isPending || (notices?.length === 0 && isLoading)) && (
        <Spinner label={t('Loading notifications')} className="px-4 py-4 md:px-4.5" />
      )}
      {query.isError && !query.isFetchNextPageError && (
        <Banner onRetry={() => void query.refetch()} className="mx-4 my-3 md:mx-4.5">
          {t("Couldn't load notifications.")}
        </Banner>
      )}
      {notices?.length === 0 && waiting.length === 0 && !isLoading && (
        <p className="px-4 py-6 text-muted md:px-4.5">{t("You're all caught up.")}</p>
      )}
      {notices && (
        <>
          <NoticeGroup title={t('Today')} notices={onDay(notices, (days) => days <= 0)} onOpen={open} />
          <NoticeGroup title={t('Yesterday')} notices={onDay(notices, (days) => days === 1)} onOpen={open} />
          <NoticeGroup title={t('Earlier')} notices={onDay(notices, (days) => days > 1)} onOpen={open} />
        </>
      )}
      <div className="px-4 pb-3 empty:hidden md:px-4.5">
        <LoadMore query={query} failure={t("Couldn't load earlier notifications. Please try again.")} />
      </div>
    </>
  );
}

interface NoticeGroupProps {
  title: string;
  notices: readonly Notice[];
  onOpen: (notice: Notice) => void;
}

function NoticeGroup({ title, notices, onOpen }: NoticeGroupProps) {
  const id = useId();
  if (notices.length === 0) return null;
  return (
    <section aria-labelledby={id} className="pt-3">
      <h3 id={id} className="px-4 pb-0.5 text-[13.5px] font-semibold text-muted md:px-4.5">
        {title}
      </h3>
      <ul role="list" className="divide-y divide-line">
        {notices.map((notice) => (
          <li key={notice.id}>
            <NoticeRow notice={notice} onOpen={() => onOpen(notice)} />
          </li>
        ))}
      </ul>
    </section>
  );
}
