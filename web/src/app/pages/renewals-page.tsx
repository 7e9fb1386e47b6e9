import type { Renewal } from '@hourshare/contract/periods';
import { Link } from '@tanstack/react-router';
import { CalendarDays } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useAssets } from '../../features/assets/api.ts';
import { RenewalList } from '../../features/periods/renewal-list.tsx';
import { useRenewals } from '../../features/periods/renewals-api.ts';
import { useAssetStatements } from '../../features/statements/api.ts';
import { LastYear } from '../../features/statements/last-year.tsx';
import { t } from '../../platform/i18n/messages.ts';
import { paths } from '../../platform/paths.ts';
import { Banner } from '../../ui/banner.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import { textLink } from '../../ui/text-link.ts';

const ReplayYear = lazy(async () => ({
  default: (await import('../../features/statements/replay-year.tsx')).ReplayYear,
}));

/** What a vote can be based on: the last year, and what another plan would have cost. */
function Evidence({ renewal: { asset_id: assetId, share_id: shareId, currency } }: { renewal: Renewal }) {
  const asset = useAssets().data?.find((owned) => owned.id === assetId);
  const closed = useAssetStatements(assetId).data?.find((statement) => statement.closed);
  const share = closed && shareId !== null ? { shareId, currency, measured: closed.measured } : undefined;
  const of = asset ?? share;
  return (
    <>
      <LastYear assetId={assetId} />
      {of && (
        <Disclosure className="mt-3" heading="h3" summary={t('What if, last year?')}>
          <Suspense>
            <ReplayYear of={of} />
          </Suspense>
        </Disclosure>
      )}
    </>
  );
}

const evidence = (renewal: Renewal) => <Evidence renewal={renewal} />;

/** What renews, starts to cost something, or ends in the next twelve months. */
export function RenewalsPage() {
  usePageTitle(t('Renewals'));
  const renewals = useRenewals();
  return (
    <>
      <PageHeader
        title={t('Renewals')}
        loading={renewals.isPending ? t('Loading renewals') : undefined}
        action={
          <Link to={paths.settings} hash="calendar" className={`inline-flex min-h-11 items-center gap-1.5 ${textLink}`}>
            <CalendarDays aria-hidden size={17} />
            {t('Calendar link')}
          </Link>
        }
      >
        {t('The next twelve months')}
      </PageHeader>
      {renewals.isError && (
        <Banner className="mb-4" onRetry={() => void renewals.refetch()}>
          {t("Couldn't load renewals")}
        </Banner>
      )}
      {renewals.data?.length === 0 && <p className="text-muted">{t('No renewals in the next twelve months.')}</p>}
      {renewals.data && <RenewalList renewals={renewals.data} evidence={evidence} />}
    </>
  );
}
