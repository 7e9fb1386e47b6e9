import type { User } from '@hourshare/contract/users';
import { Link } from '@tanstack/react-router';
import { t } from '../../platform/i18n/messages.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { sidePanelLinks } from './navigation.ts';
import { QuickStats } from './quick-stats.tsx';

/** Below 1024 px a rail of icons: there, the user menu has the name and the stats. */
export function SidePanel({ user }: { user: User }) {
  return (
    <aside
      aria-label={t('Side panel')}
      className="relative hidden w-[84px] shrink-0 border-e border-line bg-surface before:absolute before:inset-y-0 before:end-full before:w-[50vw] before:bg-surface md:block lg:w-[248px]"
    >
      <div className="sticky top-14 flex h-[calc(100dvh-56px)] flex-col overflow-y-auto px-1 py-3 lg:px-3 lg:pt-6 lg:pb-5">
        <div className="mb-5 hidden items-center gap-3 px-2.5 lg:flex">
          <Avatar name={user.username} hue={user.id} />
          <div className="min-w-0">
            <p className="truncate font-semibold">{user.username}</p>
            <p className="text-[13.5px] text-muted">{t('Member')}</p>
          </div>
        </div>
        <nav aria-label={t('Main')}>
          <ul role="list" className="grid gap-0.5">
            {sidePanelLinks.map(({ to, label, short, Icon }) => (
              <li key={to} className="min-w-0">
                <Link
                  to={to}
                  aria-label={label()}
                  className="flex min-h-14 flex-col items-center justify-center gap-1 rounded-control text-[11px] font-medium text-muted transition-colors hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-semibold aria-[current=page]:text-accent-text max-lg:short:min-h-12 lg:min-h-11 lg:flex-row lg:justify-start lg:gap-3 lg:px-2.5 lg:text-[15px]"
                >
                  <Icon aria-hidden size={19} />
                  {/* The longest names, such as “Configurações”, just fit. */}
                  <span className="max-w-full text-center leading-tight hyphens-auto [overflow-wrap:anywhere] lg:hidden">
                    {short()}
                  </span>
                  <span className="hidden lg:inline">{label()}</span>
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <section aria-labelledby="quick-stats" className="mt-auto hidden border-t border-line px-2.5 pt-4 lg:block">
          <h2 id="quick-stats" className="text-[12px] font-semibold tracking-[0.06em] text-muted uppercase">
            {t('Quick Stats')}
          </h2>
          <QuickStats className="mt-1.5" />
        </section>
      </div>
    </aside>
  );
}
