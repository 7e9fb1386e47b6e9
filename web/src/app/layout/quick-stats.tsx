import { useAssets } from '../../features/assets/api.ts';
import { activeAssets } from '../../features/assets/rules.ts';
import { useSharedAssets } from '../../features/shares/api.ts';
import { formatNumber } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Spinner } from '../../ui/spinner.tsx';

/** How many assets the user owns and shares. */
export function QuickStats({ className }: { className: string }) {
  const assets = useAssets();
  const shares = useSharedAssets();
  return (
    <dl className={className}>
      <Stat
        name={t('Active Assets')}
        count={assets.data && activeAssets(assets.data).length}
        loading={assets.isPending}
      />
      <Stat name={t('Shared Assets')} count={shares.data?.length} loading={shares.isPending} />
    </dl>
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
