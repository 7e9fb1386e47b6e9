import type { Settlement, PaymentStepKind, SettlementStatus } from '@hourshare/contract/settlements';
import type { ReactNode } from 'react';
import { formatMoney } from '../../platform/format/numbers.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { monthText } from '../../platform/format/months.ts';
import { momentText } from '../../platform/format/time.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Card } from '../../ui/card.tsx';
import { classes } from '../../ui/class-names.ts';
import { Disclosure } from '../../ui/disclosure.tsx';
import { SectionHeading } from '../../ui/page-header.tsx';
import { useShowAll } from '../../ui/show-all.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useSettlements } from './api.ts';
import { PaymentActions } from './payment-actions.tsx';

/** Payments, newest first, each with the charges it covers and what happened to it. */
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
      {settlements.data && settlements.data.length > 0 && <Payments settlements={settlements.data} />}
    </section>
  );
}

const SHOWN_AT_ONCE = 3;

function Payments({ settlements }: { settlements: Settlement[] }) {
  const { shown, itemProps, showAll } = useShowAll(settlements, SHOWN_AT_ONCE);
  return (
    <>
      <Card className="py-1!">
        <ul role="list" className="divide-y divide-line">
          {shown.map((settlement, index) => (
            <li key={settlement.id} {...itemProps(index)}>
              <Disclosure summary={<SettlementLine settlement={settlement} />}>
                <SettlementDetails settlement={settlement} />
              </Disclosure>
            </li>
          ))}
        </ul>
      </Card>
      {showAll}
    </>
  );
}

const badges: Record<Exclude<SettlementStatus, 'paid'>, () => ReactNode> = {
  sent: () => <Badge tone="accent">{t('Sent, not yet confirmed')}</Badge>,
  undone: () => <Badge>{t('Undone [[payment]]')}</Badge>,
  not_received: () => <Badge tone="over">{t('Not received')}</Badge>,
};

const SettlementLine = ({
  settlement: { username: name, direction, amount, currency, settled_at, status, undo_asked_by: asked },
}: {
  settlement: Settlement;
}) => (
  <span className="flex items-baseline justify-between gap-x-4">
    <span className="flex min-w-0 flex-wrap items-baseline gap-x-2 gap-y-1 [overflow-wrap:anywhere]">
      {/* The blanks are for what reads the text of the row. */}
      <span>{titleText({ name, direction, amount, status })}</span>{' '}
      <span className="text-[13.5px] whitespace-nowrap text-muted">{momentText(settled_at)}</span>{' '}
      {status !== 'paid' && badges[status]()} {asked !== null && <Badge tone="over">{t('Undo requested')}</Badge>}
    </span>
    <span
      className={classes(
        'figures shrink-0 font-semibold',
        (status === 'undone' || status === 'not_received') && 'text-muted line-through',
      )}
    >
      {formatMoney(amount, currency)}
    </span>
  </span>
);

function titleText({
  name,
  direction,
  amount,
  status,
}: Pick<Settlement, 'direction' | 'amount' | 'status'> & { name: string }): string {
  if (amount === 0) return t('You and {name} settled up', { name });
  if (status === 'sent')
    return direction === 'they_paid' ? t('{name} sent you', { name }) : t('You sent {name}', { name });
  return direction === 'they_paid' ? t('{name} paid you', { name }) : t('You paid {name}', { name });
}

const note = (text: ReactNode) => <span className="text-muted">{text}</span>;

const SettlementDetails = ({ settlement }: { settlement: Settlement }) => (
  <>
    <ul role="list" className="grid gap-1 text-[14px]">
      {settlement.lines.map((line) => (
        <li key={line.id} className="flex items-baseline justify-between gap-4">
          <span className="min-w-0 truncate">
            <span dir="auto">{line.asset_name}</span> <span className="text-muted">{monthText(line.month)}</span>
          </span>
          <span className="figures shrink-0 text-end">
            <LineAmount line={line} currency={settlement.currency} />
          </span>
        </li>
      ))}
    </ul>
    <ol role="list" aria-label={t('What happened')} className="mt-2.5 grid gap-0.5 text-[13.5px] text-muted">
      {settlement.events.map(({ kind, username: name, at }, index) => (
        <li key={index} className="[overflow-wrap:anywhere]">
          {eventTexts[kind](name)} · <time dateTime={at}>{momentText(at)}</time>
        </li>
      ))}
    </ol>
    <PaymentActions settlement={settlement} />
  </>
);

function LineAmount({ line, currency }: { line: Settlement['lines'][number]; currency: string }) {
  const amount = formatMoney(line.covered_amount, currency);
  if (line.covered_amount < line.amount)
    return t('{part} of {amount}', { part: amount, amount: formatMoney(line.amount, currency) });
  return line.direction === 'they_owe'
    ? rich('<note>to you</note> {amount}', { amount, note })
    : rich('<note>from you</note> {amount}', { amount, note });
}

const eventTexts: Record<PaymentStepKind, (name: string) => string> = {
  sent: (name) => t('Recorded as sent by {name}', { name }),
  paid: (name) => t('Recorded as paid by {name}', { name }),
  confirmed: (name) => t('Confirmed by {name}', { name }),
  not_received: (name) => t('Marked as not received by {name}', { name }),
  undo_asked: (name) => t('Undo requested by {name}', { name }),
  undo_withdrawn: (name) => t('Request to undo withdrawn by {name}', { name }),
  confirmation_undone: (name) => t('Confirmation undone by {name}', { name }),
  undone: (name) => t('Undone by {name}', { name }),
};
