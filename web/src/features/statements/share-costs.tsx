import type { Statement, StatementLine } from '@hourshare/contract/statements';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatHours, formatMoney } from '../../platform/format/numbers.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { monthText } from '../../platform/format/months.ts';
import { statementPage } from '../../platform/paths.ts';
import { useUser } from '../../platform/auth/use-user.ts';
import { Banner } from '../../ui/banner.tsx';
import { DownloadCsv } from '../../ui/download-csv.tsx';
import { hidden } from '../../ui/hidden-text.tsx';
import { LedgerList } from '../../ui/ledger.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { assetStatementsFile, useAssetStatements } from './api.ts';
import { BillingNote } from './billing-note.tsx';
import { LineRow } from './line-row.tsx';
import { MonthHeading } from './month-heading.tsx';
import { NothingToEdit } from './nothing-to-edit.tsx';
import { EditedSessions } from './edited-sessions.tsx';
import { PriceChanges } from './price-changes.tsx';
import { closingText, findOwnLine } from './rules.ts';
import { explanationText } from './explanation.ts';
import { HowCalculated } from './how-calculated.tsx';
import { StatementCosts } from './statement-costs.tsx';
import { StatementLink } from './statement-link.tsx';
import { UseStrip } from './use-strip.tsx';

/** What a member pays: this month so far and past months, each amount with its explanation. */
export function ShareCosts({ assetId }: { assetId: number }) {
  const username = useUser()?.username ?? '';
  const statements = useAssetStatements(assetId);
  if (statements.isPending)
    return <Spinner label={t('Loading costs')} size={28} className="w-full justify-center py-16" />;
  // In months in which they were the owner, their line is the owner's.
  const months = (statements.data ?? []).flatMap((statement) => {
    const line = findOwnLine(statement, username);
    return line?.role === 'member' ? [{ statement, line }] : [];
  });
  const running = months.find(({ statement }) => !statement.ended);
  const past = months.filter(({ statement }) => statement.ended);
  return (
    <div className="grid gap-8">
      {statements.isError && (
        <Banner onRetry={() => void statements.refetch()}>{t("Couldn't load costs. Please try again later.")}</Banner>
      )}
      {running && <RunningMonth {...running} />}
      <section aria-labelledby="past-months">
        <h3 id="past-months" className="font-semibold">
          {t('Past months')}
        </h3>
        {past.length === 0 ? (
          <p className="mt-1.5 text-muted">{t('No past months yet.')}</p>
        ) : (
          <LedgerList>
            {past.map(({ statement, line }) => (
              <LineRow
                key={statement.month}
                statement={statement}
                line={line}
                reader="self"
                title={monthText(statement.month)}
                link={
                  <Link
                    {...statementPage(assetId, statement.month)}
                    className="-my-2.5 inline-flex min-h-11 items-center underline decoration-line-strong underline-offset-3 hover:decoration-current"
                  >
                    {rich('<hidden>Statement for </hidden>{month}', { month: monthText(statement.month), hidden })}
                  </Link>
                }
                detail={
                  !statement.closed ? closingText(statement) : statement.measured ? formatHours(line.used_hours) : ''
                }
                // The statement of a closed month explains it.
                {...(!statement.closed && { note: explanationText(statement, line, 'self') })}
                more={
                  <>
                    {!statement.closed && (
                      <StatementCosts statement={statement} lines={[line]} reader="self" className="col-span-2 pb-1" />
                    )}
                    <PriceChanges statement={statement} className="col-span-2 pb-1" />
                    <BillingNote statement={statement} className="col-span-2 pb-1 text-[14px]" />
                    <EditedSessions statement={statement} className="col-span-2 pb-1" />
                    <NothingToEdit statement={statement} line={line} className="col-span-2 pb-1" />
                  </>
                }
              />
            ))}
          </LedgerList>
        )}
        {months.length > 0 && (
          <DownloadCsv file={() => assetStatementsFile(assetId)} subject={t('all months')} className="mt-2" />
        )}
      </section>
    </div>
  );
}

interface RunningMonthProps {
  statement: Statement;
  line: StatementLine;
}

const note = (text: ReactNode) => <span className="font-sans text-[15px] font-normal text-muted">{text}</span>;

const RunningMonth = ({ statement, line }: RunningMonthProps) => (
  <section aria-labelledby="month-so-far">
    <MonthHeading statement={statement} id="month-so-far" />
    <p className="figures mb-3.5 font-display text-[34px] leading-tight font-bold">
      {line.amount < 0
        ? rich('{amount}<note> owed to you</note>', { amount: formatMoney(-line.amount, statement.currency), note })
        : rich('{amount}<note> of {price} per month</note>', {
            amount: formatMoney(line.amount, statement.currency),
            price: formatMoney(statement.price, statement.currency),
            note,
          })}
    </p>
    <UseStrip statement={statement} />
    <p className="mt-3">{explanationText(statement, line, 'self')}</p>
    <HowCalculated statement={statement} lines={[line]} reader="self" />
    <StatementCosts statement={statement} lines={[line]} reader="self" className="mt-3" />
    <PriceChanges statement={statement} className="mt-3 mb-1" />
    <BillingNote statement={statement} className="mt-3 mb-1 text-[14px]" />
    <EditedSessions statement={statement} className="mt-3 mb-1" />
    <StatementLink statement={statement} />
  </section>
);
