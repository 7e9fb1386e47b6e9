import { Link, useParams } from '@tanstack/react-router';
import { ReceiptText } from 'lucide-react';
import { useStatement } from '../../features/statements/api.ts';
import { StatementSheet } from '../../features/statements/statement-sheet.tsx';
import { ApiError } from '../../lib/http-errors.ts';
import { monthText } from '../../lib/months.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { useUser } from '../../lib/use-sign-in.ts';
import { Banner } from '../../ui/banner.tsx';
import { buttonClasses } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { paths } from '../../lib/paths.ts';

/** One asset's month on its own page, to save or print. */
export function StatementPage() {
  const { assetId = '', month = '' } = useParams({ strict: false });
  const username = useUser()?.username ?? '';
  const { data: statement, error, isError, refetch } = useStatement(assetId, month);
  const isGone = error instanceof ApiError && error.status === 404;
  // Browsers use the title for the printed page and the saved PDF.
  usePageTitle(statement ? `Statement of ${monthText(statement.month)}, ${statement.asset_name}` : 'Statement');

  if (isGone)
    return (
      <>
        <PageHeader title="Statement" />
        <EmptyState
          title="There is no such statement"
          icon={<ReceiptText aria-hidden size={28} />}
          action={
            <Link to={paths.costs} className={buttonClasses()}>
              Go to Costs
            </Link>
          }
        >
          You had no part in this asset that month, or it is not there any more.
        </EmptyState>
      </>
    );
  return (
    <>
      {!statement && <PageHeader title="Statement" />}
      {isError && (
        <Banner className="mb-4 print:hidden" onRetry={() => void refetch()}>
          Failed to load the statement. Please try again later.
        </Banner>
      )}
      {statement ? (
        <StatementSheet assetId={Number(assetId)} statement={statement} username={username} />
      ) : (
        !isError && <Spinner label="Loading the statement" size={28} className="w-full justify-center py-24" />
      )}
    </>
  );
}
