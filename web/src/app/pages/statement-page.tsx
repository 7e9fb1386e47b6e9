import { Link, useLocation, useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useId } from 'react';
import { useAssets } from '../../features/assets/api.ts';
import { AssetSessionLog } from '../../features/sessions/session-log.tsx';
import { useStatement } from '../../features/statements/api.ts';
import { isOwner } from '../../features/statements/rules.ts';
import { StatementSheet } from '../../features/statements/statement-sheet.tsx';
import { ApiError } from '../../platform/http/errors.ts';
import { t } from '../../platform/i18n/messages.ts';
import { monthText } from '../../platform/format/months.ts';
import { usePageTitle } from '../../ui/page-title.ts';
import { useUser } from '../../platform/auth/use-user.ts';
import { Banner } from '../../ui/banner.tsx';
import { buttonClasses } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { BrokenRing } from '../../ui/ring.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { paths } from '../../platform/paths.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Whether the statement is printed once it is shown. */
    print?: boolean;
  }
}

/** One asset's month on its own page, to save or print. */
export function StatementPage() {
  const { assetId = '', month = '' } = useParams({ strict: false });
  const username = useUser()?.username ?? '';
  const { data: statement, error, isError, isFetching, refetch } = useStatement(assetId, month);
  const isGone = error instanceof ApiError && error.status === 404;
  // Browsers use the title for the printed page and the saved PDF.
  usePageTitle(
    statement
      ? t('Statement for {month}, {asset}', { month: monthText(statement.month), asset: statement.asset_name })
      : t('Statement'),
  );
  usePrintOnce(statement !== undefined && !isFetching);

  if (isGone)
    return (
      <>
        <PageHeader title={t('Statement')} />
        <EmptyState
          title={t('Statement not found')}
          art={<BrokenRing />}
          action={
            <Link to={paths.costs} className={buttonClasses()}>
              {t('Go to Costs')}
            </Link>
          }
        >
          {t("You weren't part of this asset that month, or it was deleted.")}
        </EmptyState>
      </>
    );
  return (
    <>
      {!statement && <PageHeader title={t('Statement')} />}
      {isError && (
        <Banner className="mb-4 print:hidden" onRetry={() => void refetch()}>
          {t("Couldn't load the statement. Please try again later.")}
        </Banner>
      )}
      {statement ? (
        <>
          <StatementSheet assetId={Number(assetId)} statement={statement} username={username} />
          {isOwner(statement, username) && statement.ended && !statement.closed && (
            <SessionsOfDeleted assetId={Number(assetId)} />
          )}
        </>
      ) : (
        !isError && <Spinner label={t('Loading statement')} size={28} className="w-full justify-center py-24" />
      )}
    </>
  );
}

/** Where an owner sees the sessions of a deleted asset, and objects to edits; other assets have a page for it. */
function SessionsOfDeleted({ assetId }: { assetId: number }) {
  const id = useId();
  const { data: assets } = useAssets();
  if (!assets || assets.some((asset) => asset.id === assetId)) return null;
  return (
    <Card as="section" labelledBy={id} className="mt-5 print:hidden">
      <h2 id={id} className="mb-2.5 font-display text-[17px] font-bold">
        {t('Sessions')}
      </h2>
      <AssetSessionLog assetId={assetId} />
    </Card>
  );
}

/** Prints the page once it is ready, if its history entry says so; neither a reload nor a return prints it again. */
function usePrintOnce(isReady: boolean): void {
  const navigate = useNavigate();
  const isAsked = useLocation({ select: ({ state }) => state.print ?? false });
  useEffect(() => {
    if (!isAsked || !isReady) return undefined;
    let isLeft = false;
    const print = async () => {
      await document.fonts.ready;
      if (isLeft) return;
      // The same entry without the request.
      await navigate({ to: '.', replace: true, resetScroll: false });
      window.print();
    };
    void print();
    return () => {
      isLeft = true;
    };
  }, [isAsked, isReady, navigate]);
}
