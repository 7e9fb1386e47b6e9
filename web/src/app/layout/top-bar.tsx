import type { User } from '@hourshare/contract/accounts';
import { Bell } from 'lucide-react';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { t } from '../../lib/messages.ts';
import { Tile } from '../../ui/tile.tsx';
import { paths } from '../../lib/paths.ts';
import { Brand } from '../../ui/brand.tsx';
import { Runner } from './runner.tsx';

const loadMenus = () => import('./top-menus.tsx');
const Notices = lazy(async () => ({ default: (await loadMenus()).Notices }));
const UserMenu = lazy(async () => ({ default: (await loadMenus()).UserMenu }));

const roundButton =
  'inline-flex size-11 items-center justify-center rounded-full text-ink transition-colors hover:bg-sunken';

export function TopBar({ user }: { user: User }) {
  return (
    <header className="print:hidden sticky top-0 z-30 h-14 border-b border-line bg-surface">
      <div className="mx-auto flex h-full max-w-(--shell) items-center gap-2 px-3 md:px-5">
        <div className="me-auto">
          <Brand to={paths.dashboard} />
        </div>
        <Runner />
        <LazyMenu
          label={t('Notifications')}
          face={<Bell aria-hidden size={19} />}
          render={(trigger) => <Notices {...trigger} />}
        />
        <LazyMenu
          label={t('User menu')}
          face={<Tile name={user.username} shape="small-disc" />}
          render={(trigger) => <UserMenu {...trigger} user={user} />}
        />
      </div>
    </header>
  );
}

interface LazyMenuProps {
  label: string;
  face: ReactNode;
  render: (trigger: { label: string; face: ReactNode; className: string }) => ReactNode;
}

/** A plain button that loads its menu on first use. Looks the same before and after. */
function LazyMenu({ label, face, render }: LazyMenuProps) {
  const [isRequested, setRequested] = useState(false);
  const button = (
    <button
      type="button"
      aria-label={label}
      aria-haspopup="true"
      className={roundButton}
      onPointerEnter={() => void loadMenus()}
      onFocus={() => void loadMenus()}
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
