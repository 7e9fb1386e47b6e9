import { Link } from '@tanstack/react-router';
import { RenewalHead } from '../../features/periods/renewal-head.tsx';
import { useRenewals } from '../../features/periods/renewals-api.ts';
import { t } from '../../platform/i18n/messages.ts';
import { paths } from '../../platform/paths.ts';

/** Leads to the renewals whose first reminder has come and that their owner hasn't decided about; nothing without any. */
export function NearRenewals() {
  const { data = [] } = useRenewals();
  const near = data.filter(({ near: isNear, decision }) => isNear && decision === null);
  if (near.length === 0) return null;
  return (
    <section aria-labelledby="near-renewals" className="mt-8">
      <h2 id="near-renewals" className="title-2 mb-3.5">
        {t('Renewals')}
      </h2>
      <ul role="list" className="grid gap-3.5 md:max-w-108">
        {near.map((renewal) => (
          <li key={`${renewal.asset_id} ${renewal.kind} ${renewal.on}`}>
            <Link
              to={paths.renewals}
              className="flex items-center gap-3 rounded-card border border-line bg-surface p-3.5 shadow-lift transition-colors hover:bg-canvas"
            >
              <RenewalHead renewal={renewal} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
