import type { Settlement } from '@hourshare/contract/settlements';
import type { ReactNode } from 'react';
import { formatMoney } from '../../lib/formatting.ts';
import { rich, t } from '../../lib/messages.ts';
import { monthText } from '../../lib/months.ts';
import { momentText } from '../../lib/time.ts';
import { Banner } from '../../ui/banner.tsx';
import { Card } from '../../ui/card.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { SectionHeading } from '../../ui/page-header.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useSettlements } from './api.ts';

/** Payments, newest first, each with the lines it settled. */
export function Settlements() {
  const settlements = useSettlements();
  return (
    <section aria-labelledby="settlements">
      <SectionHeading id="settlements">{t('Payment history')}</SectionHeading>
      {settlements.isError && (
        <Banner className="mb-4" onRetry={() => void settlements.refetch()}>
          {t("Couldn't load payment history")}
        </Banner>
      )}
      {settlements.isPending && (
        <Spinner label={t('Loading payment history')} size={28} className="w-full justify-center py-8" />
      )}
      {settlements.data?.length === 0 && <p className="text-muted">{t('No payments yet.')}</p>}
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
        ? t('You and {name} settled up', { name: username })
        : direction === 'they_paid'
          ? t('{name} paid you', { name: username })
          : t('You paid {name}', { name: username })}{' '}
      <span className="text-[13.5px] whitespace-nowrap text-muted">{momentText(settled_at)}</span>
    </span>
    <span className="figures font-semibold">{formatMoney(amount, currency)}</span>
  </span>
);

const note = (text: ReactNode) => <span className="text-muted">{text}</span>;

const SettlementDetails = ({ settlement: { lines, currency, recorded_by } }: { settlement: Settlement }) => (
  <>
    <ul role="list" className="grid gap-1 text-[14px]">
      {lines.map((line) => (
        <li key={line.id} className="flex items-baseline justify-between gap-4">
          <span className="min-w-0 truncate">
            <span dir="auto">{line.asset_name}</span> <span className="text-muted">{monthText(line.month)}</span>
          </span>
          <span className="figures shrink-0">
            {line.direction === 'they_owe'
              ? rich('<note>to you</note> {amount}', { amount: formatMoney(line.amount, currency), note })
              : rich('<note>from you</note> {amount}', { amount: formatMoney(line.amount, currency), note })}
          </span>
        </li>
      ))}
    </ul>
    <p className="mt-2 text-[13.5px] text-muted">{t('Recorded by {name}.', { name: recorded_by })}</p>
  </>
);
