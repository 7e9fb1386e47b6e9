import type { User } from '@hourshare/contract/accounts';
import { Link } from '@tanstack/react-router';
import { useAssets } from '../../features/assets/api.ts';
import { activeAssets } from '../../features/assets/rules.ts';
import { useSharedAssets } from '../../features/shares/api.ts';
import { formatNumber } from '../../lib/formatting.ts';
import { t } from '../../lib/messages.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { Tile } from '../../ui/tile.tsx';
import { sidePanelLinks } from './navigation.ts';

export function SidePanel({ user }: { user: User }) {
  const assets = useAssets();
  const shares = useSharedAssets();
  return (
    <aside
      aria-label={t('Side panel')}
      className="relative hidden w-[248px] shrink-0 border-e border-line bg-surface before:absolute before:inset-y-0 before:end-full before:w-[50vw] before:bg-surface md:block"
    >
      <div className="sticky top-14 flex h-[calc(100dvh-56px)] flex-col overflow-y-auto px-3 pt-6 pb-5">
        <div className="mb-5 flex items-center gap-3 px-2.5">
          <Tile name={user.username} shape="disc" />
          <div className="min-w-0">
            <p className="truncate font-semibold">{user.username}</p>
            <p className="text-[13.5px] text-muted">{t('Member')}</p>
          </div>
        </div>
        <nav aria-label={t('Main')}>
          <ul role="list" className="grid gap-0.5">
            {sidePanelLinks.map(({ to, label, Icon }) => (
              <li key={to}>
                <Link
                  to={to}
                  className="flex min-h-11 items-center gap-3 rounded-control px-2.5 font-medium text-muted transition-colors hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-semibold aria-[current=page]:text-accent-text"
                >
                  <Icon aria-hidden size={19} />
                  {label()}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <section aria-labelledby="quick-stats" className="mt-auto border-t border-line px-2.5 pt-4">
          <h2 id="quick-stats" className="text-[12px] font-semibold tracking-[0.06em] text-muted uppercase">
            {t('Quick Stats')}
          </h2>
          <dl className="mt-1.5">
            <Stat
              name={t('Active Assets')}
              count={assets.data && activeAssets(assets.data).length}
              loading={assets.isPending}
            />
            <Stat name={t('Shared Assets')} count={shares.data?.length} loading={shares.isPending} />
          </dl>
        </section>
      </div>
    </aside>
  );
}

function Stat({ name, count, loading }: { name: string; count: number | undefined; loading: boolean }) {
  return (
    <div className="flex min-h-7 items-center justify-between gap-3 text-[14px]">
      <dt className="text-muted">{name}</dt>
      <dd className="figures font-semibold">
        {loading ? (
          <Spinner label={t('Loading {name}', { name })} size={14} />
        ) : count === undefined ? (
          '–'
        ) : (
          formatNumber(count)
        )}
      </dd>
    </div>
  );
}
