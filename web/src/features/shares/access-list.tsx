import type { SharedWithEntry } from '@hourshare/contract/assets';
import { LiveDot } from '../../ui/badge.tsx';
import { formatHours, formatNumber } from '../../lib/formatting.ts';
import { Tile } from '../../ui/tile.tsx';

/** Who may use an asset. An entry without a name or hours is one that nobody has accepted yet. */
export function AccessList({ entries }: { entries: SharedWithEntry[] }) {
  return (
    <section aria-labelledby="access-heading" className="mt-7">
      <h3 id="access-heading" className="font-semibold">
        Users With Access
      </h3>
      {entries.length === 0 ? (
        <p className="mt-2 text-muted">No users have access to this asset yet.</p>
      ) : (
        <ul role="list" className="mt-2 divide-y divide-line border-y border-line">
          {entries.map((entry) => {
            const name = entry.shared_with_username ?? 'User';
            const hours = entry.monthly_hours_allocated;
            return (
              <li key={entry.id} className="flex min-h-13 items-center gap-3 py-2">
                <Tile name={name} shape="small-disc" />
                <span className="min-w-0 flex-1">
                  <span className="block truncate font-medium">{name}</span>
                  {entry.usage_this_month !== null && (
                    <span className="figures flex items-center gap-1.5 text-[13px] text-muted">
                      {formatHours(entry.usage_this_month)} used this month
                      {entry.active_session && (
                        <>
                          <LiveDot />
                          <span className="text-live-text">in use now</span>
                        </>
                      )}
                    </span>
                  )}
                </span>
                <span className="figures shrink-0 text-[14px] text-muted">
                  {hours === null ? 'Hours pending' : `${formatNumber(hours)} hours/month`}
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
