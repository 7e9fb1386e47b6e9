import { Link } from '@tanstack/react-router';
import { t } from '../../lib/messages.ts';
import { bottomBarLinks } from './navigation.ts';

export function BottomBar() {
  return (
    <nav
      aria-label={t('Main')}
      className="fixed inset-x-0 bottom-0 z-30 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
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
  );
}
