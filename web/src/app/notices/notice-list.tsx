import { Link } from '@tanstack/react-router';
import { CalendarCheck } from 'lucide-react';
import { useId } from 'react';
import { t } from '../../lib/messages.ts';
import { daysAgo, momentText } from '../../lib/time.ts';
import { Banner } from '../../ui/banner.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { Tile } from '../../ui/tile.tsx';
import type { Notice } from './notices.ts';
import { useNotices } from './use-notices.ts';

/** Open offers and what's new, newest first; each entry leads to what it is about. */
export function NoticeList({ onClose }: { onClose: () => void }) {
  const { notices, isPending, retry } = useNotices();
  const offers = notices.filter(({ isOffer }) => isOffer);
  const news = notices.filter(({ isOffer }) => !isOffer);
  const today = news.filter(({ at }) => daysAgo(at) <= 0);
  const earlier = news.filter((notice) => !today.includes(notice));
  if (isPending) return <Spinner label={t('Loading notifications')} className="py-1.5" />;
  return (
    <>
      {retry && (
        <Banner onRetry={retry} className="mb-2.5">
          {t("Couldn't load all notifications.")}
        </Banner>
      )}
      {notices.length === 0 && !retry && <p className="text-muted">{t("You're all caught up.")}</p>}
      <NoticeGroup title={t('Open offers')} notices={offers} onClose={onClose} />
      <NoticeGroup title={t('Today')} notices={today} onClose={onClose} />
      <NoticeGroup title={t('Earlier')} notices={earlier} onClose={onClose} />
    </>
  );
}

function NoticeGroup({ title, notices, onClose }: { title: string; notices: Notice[]; onClose: () => void }) {
  const id = useId();
  if (notices.length === 0) return null;
  return (
    <section aria-labelledby={id} className="not-last:mb-3">
      <h3 id={id} className="text-[12px] font-semibold tracking-[0.06em] text-muted uppercase">
        {title}
      </h3>
      <ul className="-mx-2 mt-0.5">
        {notices.map((notice) => (
          <li key={notice.key}>
            <NoticeLink notice={notice} onClose={onClose} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const NoticeLink = ({
  notice: { at, text, detail, about, link },
  onClose,
}: {
  notice: Notice;
  onClose: () => void;
}) => (
  <Link
    {...link}
    onClick={onClose}
    className="flex min-h-11 items-start gap-3 rounded-control px-2 py-2 outline-offset-0 hover:bg-sunken"
  >
    {about === null ? (
      <span aria-hidden className="inline-flex size-8 shrink-0 items-center justify-center rounded-control bg-sunken">
        <CalendarCheck size={17} />
      </span>
    ) : 'asset' in about ? (
      <Tile name={about.asset} shape="small-square" />
    ) : (
      <Tile name={about.person} shape="small-disc" />
    )}
    <span className="min-w-0 flex-1">
      <span className="block font-medium [overflow-wrap:anywhere]">{text}</span>
      <span className="block text-[13.5px] text-muted [overflow-wrap:anywhere]">{detail}</span>
      {/* The text names the day on which a month closes; the API doesn't say when an owner closed it early. */}
      {about !== null && (
        <time dateTime={at} className="block text-[13.5px] text-muted first-letter:uppercase">
          {momentText(at)}
        </time>
      )}
    </span>
  </Link>
);
