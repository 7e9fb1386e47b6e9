import type { User } from '@hourshare/contract/users';
import { useSelector } from '@tanstack/react-store';
import { Bell, Search, SunMoon } from 'lucide-react';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { t } from '../../platform/i18n/messages.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { CommandKey } from '../../ui/key.tsx';
import { paths } from '../../platform/paths.ts';
import { Brand } from '../../ui/brand.tsx';
import { bell } from '../notices/bell.ts';
import { openView } from '../palette/open-view.ts';
import { RunningSessionPill } from './running-session-bar.tsx';

const loadMenus = () => import('./top-menus.tsx');
const loadNotices = () => import('../notices/notices-panel.tsx');
const Notices = lazy(async () => ({ default: (await loadNotices()).Notices }));
const ThemeMenu = lazy(async () => ({ default: (await loadMenus()).ThemeMenu }));
const UserMenu = lazy(async () => ({ default: (await loadMenus()).UserMenu }));

const roundButton =
  'inline-flex size-11 items-center justify-center rounded-full text-ink transition-colors hover:bg-sunken';

export function TopBar({ user }: { user: User }) {
  return (
    <header className="print:hidden sticky top-0 z-30 h-14 border-b border-line bg-surface">
      <div className="mx-auto flex h-full max-w-(--shell) items-center gap-1 px-3 md:gap-2 md:px-5">
        <div className="me-auto">
          <Brand to={paths.dashboard} />
        </div>
        <SearchButton />
        <RunningSessionPill />
        {/* On wider screens, one press opens the settings. */}
        <div className="md:hidden">
          <LazyMenu
            label={t('Theme')}
            opens="menu"
            face={<SunMoon aria-hidden size={19} />}
            render={(trigger) => <ThemeMenu {...trigger} />}
          />
        </div>
        <BellButton />
        <LazyMenu
          label={t('User menu')}
          opens="menu"
          face={<Avatar name={user.username} hue={user.id} />}
          render={(trigger) => <UserMenu {...trigger} user={user} />}
        />
      </div>
    </header>
  );
}

function BellButton() {
  const { label, isNew } = useSelector(bell);
  return (
    <LazyMenu
      label={label ?? t('Notifications')}
      opens="dialog"
      load={loadNotices}
      face={
        <span className="relative">
          <Bell aria-hidden size={19} />
          {isNew && <span className="absolute -end-1 -top-1 size-2.5 rounded-full border-2 border-surface bg-accent" />}
        </span>
      }
      render={(trigger) => <Notices {...trigger} />}
    />
  );
}

/** Opens the palette. Looks like a field where there is room for one. */
const SearchButton = () => (
  <button
    type="button"
    aria-label={t('Search or jump to')}
    aria-haspopup="dialog"
    // oxlint-disable-next-line hourshare/text-in-catalog -- names of keys, for assistive technology
    aria-keyshortcuts="Control+K Meta+K"
    onClick={() => openView('palette')}
    className="hidden size-11 items-center justify-center gap-2 rounded-full text-ink transition-colors hover:bg-sunken md:inline-flex lg:h-10 lg:w-62 lg:rounded-control lg:bg-sunken lg:ps-3 lg:pe-1.5 lg:text-[14px] lg:text-muted"
  >
    <Search aria-hidden size={18} className="shrink-0" />
    <span aria-hidden className="hidden flex-1 truncate text-start lg:block">
      {t('Search or jump to')}
    </span>
    <span aria-hidden className="hidden lg:inline-flex">
      <CommandKey letter="K" />
    </span>
  </button>
);

interface LazyMenuProps {
  label: string;
  opens: 'menu' | 'dialog';
  face: ReactNode;
  load?: () => Promise<unknown>;
  render: (trigger: { label: string; face: ReactNode; className: string }) => ReactNode;
}

/** A plain button that loads its menu on first use. Looks the same before and after. */
function LazyMenu({ label, opens, face, load = loadMenus, render }: LazyMenuProps) {
  const [isRequested, setRequested] = useState(false);
  const button = (
    <button
      type="button"
      aria-label={label}
      aria-haspopup={opens}
      className={roundButton}
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={() => setRequested(true)}
    >
      {face}
    </button>
  );
  return isRequested ? (
    <Suspense fallback={button}>{render({ label, face, className: roundButton })}</Suspense>
  ) : (
    button
  );
}
