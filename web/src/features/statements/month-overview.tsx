import type { Statement } from '@hourshare/contract/statements';
import { Receipt } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../lib/messages.ts';
import { monthText, thisMonth } from '../../lib/months.ts';
import { Banner } from '../../ui/banner.tsx';
import { CardGrid } from '../../ui/card.tsx';
import { DownloadCsv } from '../../ui/download-csv.tsx';
import { MonthChooser } from '../../ui/month-chooser.tsx';
import { SectionHeading } from '../../ui/page-header.tsx';
import { LoadingCards } from '../../ui/skeleton.tsx';
import { monthStatementsFile, useMonthStatements } from './api.ts';
import { StatementCard } from './statement-card.tsx';

interface MonthOverviewProps {
  username: string;
  /** Returns a function that opens an asset's costs; undefined when the viewer no longer has access. */
  getOpener: (statement: Statement) => (() => void) | undefined;
}

/** One month of everything the user owns or uses, with a chooser for past months. */
export function MonthOverview({ username, getOpener }: MonthOverviewProps) {
  const [month, setMonth] = useState<string>();
  const [today] = useState(thisMonth);
  const running = useMonthStatements();
  const shown = useMonthStatements(month);
  // Assets in different time zones can be in different months; use the latest.
  const last = running.data
    ?.map((each) => each.month)
    .toSorted()
    .at(-1);
  const current = last ?? today;
  return (
    <section aria-labelledby="by-month">
      <SectionHeading
        id="by-month"
        aside={
          <MonthChooser
            month={month ?? current}
            current={current}
            onChange={(chosen) => setMonth(chosen === current ? undefined : chosen)}
          />
        }
      >
        {t('Monthly costs')}
      </SectionHeading>
      {shown.isError ? (
        <Banner className="mb-4" onRetry={() => void shown.refetch()}>
          {t("Couldn't load costs for this month")}
        </Banner>
      ) : shown.data === undefined ? (
        <LoadingCards label={t('Loading costs for this month')} />
      ) : shown.data.length === 0 ? (
        <p className="flex items-center gap-3 rounded-card border border-dashed border-line-strong px-4.5 py-6 text-muted">
          <Receipt aria-hidden size={20} className="shrink-0" />
          {month === undefined ? t('No costs yet. Assets you own or use appear here.') : t('No costs for this month.')}
        </p>
      ) : (
        <div
          aria-busy={shown.isPlaceholderData || undefined}
          className={shown.isPlaceholderData ? 'opacity-50 transition-opacity delay-200' : undefined}
        >
          <CardGrid>
            {shown.data.map((statement, index) => (
              <StatementCard
                key={`${statement.asset_id ?? `deleted ${index}`}/${statement.month}`}
                statement={statement}
                username={username}
                onOpen={getOpener(statement)}
              />
            ))}
          </CardGrid>
          <DownloadCsv
            file={() => monthStatementsFile(month)}
            subject={t('statements for {month}', { month: monthText(month ?? current) })}
            className="mt-2"
          />
        </div>
      )}
    </section>
  );
}
