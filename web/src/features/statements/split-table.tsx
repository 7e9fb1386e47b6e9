import type { Statement } from '@hourshare/contract/statements';
import { formatHours, formatMoney } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { useUser } from '../../platform/auth/use-user.ts';
import { Figure, FiguresRow, FiguresTable } from '../../ui/figures-table.tsx';
import { Swatch, toneAt } from '../../ui/swatch.tsx';
import { BillingNote } from './billing-note.tsx';
import { MonthHeading } from './month-heading.tsx';
import { EditedSessions } from './edited-sessions.tsx';
import { PriceChanges } from './price-changes.tsx';
import { lineName, offeredText, readerOf } from './rules.ts';
import { explanationText } from './explanation.ts';
import { StatementLink } from './statement-link.tsx';
import { UseStrip } from './use-strip.tsx';

/** A month as its owner and co-managers see it: each member's use and amount. */
export function SplitTable({ statement }: { statement: Statement }) {
  const reader = readerOf(statement, useUser()?.username ?? '');
  return (
    <section aria-labelledby="month-so-far">
      <MonthHeading statement={statement} id="month-so-far" />
      <UseStrip statement={statement} />
      <div className="mt-3">
        <FiguresTable titles={[t('Who'), t('Used'), t('Allowance'), t('Pays')]}>
          {statement.lines.map((line, index) => (
            <FiguresRow
              key={line.username}
              name={
                <span className="flex items-center gap-2">
                  {line.role === 'member' && <Swatch tone={toneAt(index - 1)} />}
                  <span className="truncate">{lineName(line, reader)}</span>
                </span>
              }
            >
              <Figure>{line.role === 'owner' ? '–' : formatHours(line.used_hours)}</Figure>
              <Figure>{offeredText(line)}</Figure>
              <Figure className="font-semibold">{formatMoney(line.amount, statement.currency)}</Figure>
            </FiguresRow>
          ))}
        </FiguresTable>
      </div>
      <WhyLines statement={statement} className="mt-3 mb-1" />
      <PriceChanges statement={statement} className="mt-3 mb-1" />
      <BillingNote statement={statement} className="mt-3 mb-1 text-[14px]" />
      <EditedSessions statement={statement} className="mt-3 mb-1" />
      <StatementLink statement={statement} />
    </section>
  );
}

/** The explanation of each amount, the owner's last. */
export function WhyLines({ statement, className = '' }: { statement: Statement; className?: string }) {
  const reader = readerOf(statement, useUser()?.username ?? '');
  const [owner, ...members] = statement.lines;
  return (
    <ul role="list" className={`grid gap-1.5 rounded-card bg-sunken px-3.5 py-3 text-[14px] text-muted ${className}`}>
      {[...members, ...(owner ? [owner] : [])].map((line) => (
        <li key={line.username}>{explanationText(statement, line, reader)}</li>
      ))}
    </ul>
  );
}
