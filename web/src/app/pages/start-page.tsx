import { Link, useParams } from '@tanstack/react-router';
import { useSharedAssets } from '../../features/shares/api.ts';
import { StartPanel } from '../../features/shares/start-panel.tsx';
import { t } from '../../platform/i18n/messages.ts';
import { usePageTitle } from '../../ui/page-title.ts';
import { paths } from '../../platform/paths.ts';
import { Banner } from '../../ui/banner.tsx';
import { buttonClasses } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { BrokenRing } from '../../ui/ring.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Spinner } from '../../ui/spinner.tsx';

/** Shows one asset with one button; links and QR codes lead here. Opening it doesn't start a session. */
export function StartPage() {
  const { assetId = '' } = useParams({ strict: false });
  const shares = useSharedAssets();
  const share = shares.data?.find(({ asset }) => String(asset.id) === assetId);
  const title = share?.asset_name ?? t('Start a session');
  usePageTitle(title);
  return (
    <>
      <PageHeader title={title} />
      {shares.isError && (
        <Banner className="mb-4" onRetry={() => void shares.refetch()}>
          {t('Failed to load shared assets data')}
        </Banner>
      )}
      {shares.isPending && <Spinner label={t('Loading asset')} size={28} className="w-full justify-center py-12" />}
      {share?.measured && <StartPanel share={share} />}
      {shares.data && !share?.measured && (
        <EmptyState
          title={share ? t('Nothing to start') : t('Asset not available')}
          art={<BrokenRing />}
          action={
            <Link to={paths.shared} className={buttonClasses()}>
              {t('Shared With Me')}
            </Link>
          }
        >
          {share
            ? t("Sessions of this asset aren't measured.")
            : t("This asset isn't available, or you no longer have access.")}
        </EmptyState>
      )}
    </>
  );
}
