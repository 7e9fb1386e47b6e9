import type { Settlement } from '@hourshare/contract/settlements';
import { formatMoney } from '../../lib/formatting.ts';
import { monthText } from '../../lib/months.ts';
import { momentText } from '../../lib/time.ts';
import { Banner } from '../../ui/banner.tsx';
import { Card } from '../../ui/card.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { DownloadCsv } from '../../ui/download-csv.tsx';
import { SectionHeading } from '../../ui/page-header.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { settlementsFile, useSettlements } from './api.ts';

/** Payments, newest first, each with the lines it settled. */
export function Settlements() {
  const settlements = useSettlements();
  return (
    <section aria-labelledby="settlements">
      <SectionHeading id="settlements">Settled</SectionHeading>
      {settlements.isError && (
        <Banner className="mb-4" onRetry={() => void settlements.refetch()}>
          Failed to load what has been settled
        </Banner>
      )}
      {settlements.isPending && (
        <Spinner label="Loading what has been settled" size={28} className="w-full justify-center py-8" />
      )}
      {settlements.data?.length === 0 && <p className="text-muted">Nothing has been settled yet.</p>}
      {settlements.data && settlements.data.length > 0 && (
        <>
          <Card className="py-1!">
            <ul role="list" className="divide-y divide-line">
              {settlements.data.map((settlement) => (
                <li key={settlement.id}>
                  <Disclosure summary={<SettlementLine settlement={settlement} />}>
                    <SettlementDetails settlement={settlement} />
                  </Disclosure>
                </li>
              ))}
            </ul>
          </Card>
          <DownloadCsv file={settlementsFile} subject="what has been settled" className="mt-2" />
        </>
      )}
    </section>
  );
}

const SettlementLine = ({
  settlement: { username, direction, amount, currency, settled_at },
}: {
  settlement: Settlement;
}) => (
  <span className="flex flex-wrap items-baseline justify-between gap-x-4">
    <span className="min-w-0 [overflow-wrap:anywhere]">
      {amount === 0
        ? `You and ${username} were even`
        : direction === 'they_paid'
          ? `${username} paid you`
          : `You paid ${username}`}{' '}
      <span className="text-[13.5px] whitespace-nowrap text-muted">{momentText(settled_at)}</span>
    </span>
    <span className="figures font-semibold">{formatMoney(amount, currency)}</span>
  </span>
);

const SettlementDetails = ({ settlement: { lines, currency, recorded_by } }: { settlement: Settlement }) => (
  <>
    <ul role="list" className="grid gap-1 text-[14px]">
      {lines.map((line) => (
        <li key={line.id} className="flex items-baseline justify-between gap-4">
          <span className="min-w-0 truncate">
            <span dir="auto">{line.asset_name}</span> <span className="text-muted">{monthText(line.month)}</span>
          </span>
          <span className="figures shrink-0">
            <span className="text-muted">{line.direction === 'they_owe' ? 'to you ' : 'from you '}</span>
            {formatMoney(line.amount, currency)}
          </span>
        </li>
      ))}
    </ul>
    <p className="mt-2 text-[13.5px] text-muted">Recorded by {recorded_by}.</p>
  </>
);
