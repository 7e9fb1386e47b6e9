import type { Notice, NoticeKind } from '@hourshare/contract/notifications';
import { useRouter } from '@tanstack/react-router';
import { CalendarCheck, ShieldAlert, Timer, TriangleAlert, type LucideIcon } from 'lucide-react';
import type { MouseEvent } from 'react';
import { t } from '../../platform/i18n/messages.ts';
import { useNow } from '../../platform/use-now.ts';
import { agoText } from './ago-text.ts';
import { classes } from '../../ui/class-names.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Tile } from '../../ui/tile.tsx';

interface Emblem {
  icon: LucideIcon;
  look: string;
}

const warning: Emblem = { icon: TriangleAlert, look: 'bg-over-soft text-over-text' };
const month: Emblem = { icon: CalendarCheck, look: 'bg-sunken' };
const security: Emblem = { icon: ShieldAlert, look: 'bg-sunken' };

/** The icon of notices that no person caused, or that are about more than the person. */
const emblems: Partial<Record<NoticeKind, Emblem>> = {
  allowance_nearly_used: warning,
  allowance_used: warning,
  balance_old: warning,
  session_long: { icon: Timer, look: 'bg-live-soft text-live-text' },
  session_limit: { icon: Timer, look: 'bg-live-soft text-live-text' },
  renewal: month,
  month_closing: month,
  statement_ready: month,
  sign_in: security,
  password_changed: security,
  email_changed: security,
};

/** One notice, which leads to its place in the app and is read once it has been opened. */
export function NoticeRow({ notice, onOpen }: { notice: Notice; onOpen: () => void }) {
  const router = useRouter();
  const { text, detail, path, created_at: at, read } = notice;
  const open = (event: MouseEvent) => {
    onOpen();
    // The browser opens another tab or window.
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    void router.navigate({ href: path });
  };
  return (
    <a
      href={path}
      onClick={open}
      className="flex min-h-11 items-start gap-3 px-4 py-3 outline-offset-[-2px] hover:bg-sunken md:px-4.5"
    >
      <NoticeEmblem notice={notice} />
      <span className="min-w-0 flex-1">
        <span className={classes('block [overflow-wrap:anywhere]', read ? '' : 'font-semibold')}>
          {!read && <span className="sr-only">{`${t('Unread')}: `}</span>}
          {text}
        </span>
        <span className="block text-[13.5px] text-muted [overflow-wrap:anywhere]">
          {detail !== '' && (
            <>
              {detail} <span aria-hidden>·</span>{' '}
            </>
          )}
          <Ago at={at} />
        </span>
      </span>
      {!read && <span aria-hidden className="mt-1.5 size-2.5 shrink-0 rounded-full bg-accent" />}
    </a>
  );
}

const Ago = ({ at }: { at: string }) => <time dateTime={at}>{agoText(at, useNow())}</time>;

function NoticeEmblem({ notice: { kind, actor, actor_hue: hue, asset_name: asset } }: { notice: Notice }) {
  const emblem = emblems[kind];
  if (emblem || (actor === null && asset === null)) {
    const { icon: Icon, look } = emblem ?? month;
    return (
      <span
        aria-hidden
        className={classes('inline-flex size-9 shrink-0 items-center justify-center rounded-full', look)}
      >
        <Icon size={17} />
      </span>
    );
  }
  if (actor !== null) return <Avatar name={actor} hue={hue} />;
  return (
    <span className="flex w-9 shrink-0 justify-center">
      <Tile name={asset ?? ''} size="small" />
    </span>
  );
}
