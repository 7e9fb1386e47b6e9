import type { SharedAsset } from '@hourshare/contract/shares';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { AnalyticsView } from '../../../features/analytics/analytics-view.tsx';
import { ShareSelect } from '../../../features/analytics/share-select.tsx';
import { compareUse, usedHours, usedPart } from '../../../features/shares/rules.ts';
import { ShareStrip } from '../../../features/shares/share-strip.tsx';
import { formatHours, formatNumber, percentText } from '../../../platform/format/numbers.ts';
import { t } from '../../../platform/i18n/messages.ts';
import { paths } from '../../../platform/paths.ts';
import { SectionHeading } from '../../../ui/page-header.tsx';
import { Tile } from '../../../ui/tile.tsx';

/** The figures of one share, and all shares beside one another. */
export function SharedAnalytics({ shares }: { shares: SharedAsset[] }) {
  const { share: requestedId } = useSearch({ strict: false });
  const navigate = useNavigate();
  const selected = shares.find(({ id }) => id === requestedId) ?? shares[0];
  if (!selected) return null;
  return (
    <>
      <ShareSelect
        shares={shares}
        selected={selected.id}
        onSelect={(share) =>
          void navigate({ to: paths.analytics, search: { share }, replace: true, resetScroll: false })
        }
      />
      <AnalyticsView key={selected.id} share={selected} />
      {shares.length > 1 && (
        <section aria-labelledby="all-shared">
          <SectionHeading id="all-shared">{t('All assets shared with you')}</SectionHeading>
          <ul role="list" className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface">
            {shares.toSorted(compareUse).map((share) => (
              <ShareRow key={share.id} share={share} selected={share === selected} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function ShareRow({ share, selected }: { share: SharedAsset; selected: boolean }) {
  const { asset_name: name, owner, monthly_hours_allocated: allowance } = share;
  const used = usedHours(share);
  const look = used > allowance ? 'text-over-text' : '';
  return (
    <li>
      <Link
        to={paths.analytics}
        search={{ share: share.id }}
        aria-current={selected || undefined}
        className="grid min-h-[62px] grid-cols-[40px_minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1.5 px-4.5 py-2.5 -outline-offset-2 transition-colors hover:bg-canvas aria-current:bg-canvas md:grid-cols-[40px_180px_minmax(0,1fr)_8.5rem_4rem]"
      >
        <Tile name={name} />
        <span className="min-w-0">
          <span className="block truncate font-medium" dir="auto">
            {name}
          </span>
          <span className="block truncate text-[13.5px] text-muted">{t('by {owner}', { owner })}</span>
        </span>
        {/* The figures beside it say the same. */}
        <span aria-hidden className="max-md:order-last max-md:col-span-3">
          <ShareStrip share={share} />
        </span>
        <span className={`figures text-end text-[14px] max-md:hidden ${look}`}>
          {used > allowance
            ? t('+{hours} over {allowance}', {
                hours: formatHours(used - allowance),
                allowance: formatHours(allowance),
              })
            : t('{used} of {allowance}', { used: formatNumber(used), allowance: formatHours(allowance) })}
        </span>
        <span className={`figures text-end font-semibold ${look}`}>{percentText(usedPart(share) * 100)}</span>
      </Link>
    </li>
  );
}
