import { Popover } from '@base-ui/react/popover';
import { Link } from '@tanstack/react-router';
import { Settings } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useNotices, useReadNotices } from '../../features/notifications/api.ts';
import { formatNumber } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { paths } from '../../platform/paths.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { textLink } from '../../ui/text-link.ts';
import { NoticeList } from './notice-list.tsx';

interface Trigger {
  label: string;
  face: ReactNode;
  className: string;
}

/** The bell's button and its list: a panel, and a sheet on phones. Loads on the press that opens it, so it starts open. */
export function Notices(trigger: Trigger) {
  // Checked once, because a phone's screen doesn't grow.
  const [isPhone] = useState(() => !window.matchMedia('(width >= 48rem)').matches);
  return isPhone ? <NoticesSheet {...trigger} /> : <NoticesPopover {...trigger} />;
}

function NoticesPopover({ label, face, className }: Trigger) {
  const [isOpen, setOpen] = useState(true);
  const close = () => setOpen(false);
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger aria-label={label} className={className}>
        {face}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner className="z-40" align="end" sideOffset={4} collisionPadding={12}>
          <Popover.Popup className="z-40 flex max-h-[min(80vh,var(--available-height))] w-101 flex-col overflow-hidden rounded-card border border-line bg-raised outline-none">
            <div className="flex min-h-14 shrink-0 items-center gap-2.5 border-b border-line ps-4.5 pe-2">
              <Popover.Title className="font-display text-[18px] font-bold">{t('Notifications')}</Popover.Title>
              <UnreadCount />
              <MarkAllRead />
            </div>
            <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
              <NoticeList onClose={close} />
            </div>
            <SettingsLink onClose={close} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** Fills the screen, as every dialog does on a phone. */
function NoticesSheet({ label, face, className }: Trigger) {
  const [isOpen, setOpen] = useState(true);
  const close = () => setOpen(false);
  return (
    <>
      <button
        type="button"
        aria-label={label}
        aria-haspopup="dialog"
        className={className}
        onClick={() => setOpen(true)}
      >
        {face}
      </button>
      {isOpen && (
        <Dialog
          title={t('Notifications')}
          actions={
            <>
              <UnreadCount />
              <MarkAllRead />
            </>
          }
          onClose={close}
        >
          <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain border-t border-line">
            <NoticeList onClose={close} />
          </div>
          <SettingsLink onClose={close} />
        </Dialog>
      )}
    </>
  );
}

/** Only visual: the button's label says it to screen readers, and so does each unread entry. */
function UnreadCount() {
  const unread = useNotices().data?.unread ?? 0;
  if (unread === 0) return null;
  return (
    <span
      aria-hidden
      className="inline-flex h-6 min-w-6 items-center justify-center rounded-full bg-accent px-1.5 text-[13.5px] font-semibold text-accent-ink"
    >
      {formatNumber(unread)}
    </span>
  );
}

function MarkAllRead() {
  const unread = useNotices().data?.unread ?? 0;
  const { mutate } = useReadNotices();
  // Stays once it was pressed, because it has the focus.
  const [wasPressed, setPressed] = useState(false);
  if (unread === 0 && !wasPressed) return null;
  const press = () => {
    setPressed(true);
    if (unread > 0) mutate(undefined);
  };
  return (
    <button
      type="button"
      aria-disabled={unread === 0}
      onClick={press}
      className={`${textLink} ms-auto min-h-11 min-w-0 rounded-control px-2.5 text-end text-[14.5px] leading-tight aria-disabled:text-muted aria-disabled:no-underline`}
    >
      {t('Mark all as read')}
    </button>
  );
}

const SettingsLink = ({ onClose }: { onClose: () => void }) => (
  <Link
    to={paths.settings}
    hash="notifications"
    onClick={onClose}
    className="flex min-h-12 shrink-0 items-center justify-center gap-2 border-t border-line font-semibold text-accent-text outline-offset-[-2px] hover:bg-sunken"
  >
    <Settings aria-hidden size={17} />
    {t('Notification settings')}
  </Link>
);
