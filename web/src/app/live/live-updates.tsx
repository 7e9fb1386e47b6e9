import type { User } from '@hourshare/contract/users';
import { useSelector } from '@tanstack/react-store';
import { useEffect } from 'react';
import { useNotices } from '../../features/notifications/api.ts';
import { formatNumber } from '../../platform/format/numbers.ts';
import { useConnection } from '../../platform/http/connection.ts';
import { t } from '../../platform/i18n/messages.ts';
import { isStreamLive } from '../../platform/live/stream-state.ts';
import { useLiveUpdates } from './live.ts';
import { bell } from '../notices/bell.ts';
import { hasUnseen } from '../notices/seen.ts';

/** What keeps every page current once it is usable: live updates, with a note while they are paused, and the bell's dot. */
export function LiveUpdates({ user }: { user: User }) {
  useLiveUpdates(user.id);
  useBell();
  return <LiveNote />;
}

function useBell(): void {
  const { data } = useNotices();
  useEffect(() => {
    const unread = data?.unread ?? 0;
    bell.set({
      label: unread === 0 ? null : t('Notifications, {count} unread', { count: formatNumber(unread) }),
      isNew: hasUnseen(data?.notices ?? []),
    });
  }, [data]);
  useEffect(() => () => bell.set({ label: null, isNew: false }), []);
}

/** Says that other people's changes take a while, unless the connection's own note is there. */
function LiveNote() {
  const isLive = useSelector(isStreamLive);
  const isOnline = useConnection() === 'online';
  return (
    <div role="status" className="bg-sunken text-[13.5px] text-muted empty:hidden print:hidden">
      {!isLive && isOnline && (
        <p className="px-3.5 py-1 md:px-6 lg:px-8">
          {t('Live updates are paused. What others do shows within a minute.')}
        </p>
      )}
    </div>
  );
}
