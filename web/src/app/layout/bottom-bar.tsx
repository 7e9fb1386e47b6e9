import { Link } from '@tanstack/react-router';
import { t } from '../../platform/i18n/messages.ts';
import { bottomBarLinks } from './navigation.ts';
import { RunningSessionBar } from './running-session-bar.tsx';

/** What phones have at the bottom of the screen. */
export const BottomBar = () => (
  <div className="fixed inset-x-0 bottom-0 z-30 md:hidden print:hidden">
    <RunningSessionBar />
    <nav aria-label={t('Main')} className="relative border-t border-line bg-surface pb-[env(safe-area-inset-bottom)]">
      <ul role="list" className="grid grid-cols-5">
        {bottomBarLinks.map(({ to, label, short, Icon }) => (
          <li key={to} className="min-w-0">
            <Link
              to={to}
              aria-label={label()}
              className="flex min-h-14 flex-col items-center justify-center gap-1 text-[11px] font-medium text-muted -outline-offset-2 aria-[current=page]:font-semibold aria-[current=page]:text-accent-text"
            >
              <Icon aria-hidden size={20} />
              {short()}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  </div>
);
