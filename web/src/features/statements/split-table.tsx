import type { Statement } from '@hourshare/contract/statements';
import { formatMoney } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { useUser } from '../../platform/auth/use-user.ts';
import { Figure, FiguresRow, FiguresTable } from '../../ui/figures-table.tsx';
import { hueOf } from '../../ui/hue.ts';
import { Swatch } from '../../ui/swatch.tsx';
import { BillingNote } from './billing-note.tsx';
import { MonthHeading } from './month-heading.tsx';
import { EditedSessions } from './edited-sessions.tsx';
import { PriceChanges } from './price-changes.tsx';
import { coveredText } from './explanation.ts';
import { HowCalculated } from './how-calculated.tsx';
import { lineName, offeredText, plainHours, readerOf } from './rules.ts';
import { StatementCosts } from './statement-costs.tsx';
import { StatementLink } from './statement-link.tsx';
import { UseStrip } from './use-strip.tsx';

/** A month as its owner and co-managers see it: each member's use, if it is measured, and amount. */
export function SplitTable({ statement }: { statement: Statement }) {
  const reader = readerOf(statement, useUser()?.username ?? '');
  const { lines, measured } = statement;
  return (
    <section aria-labelledby="month-so-far">
      <MonthHeading statement={statement} id="month-so-far" />
      <UseStrip statement={statement} />
      <div className="mt-3">
        <FiguresTable titles={measured ? [t('Who'), t('Used'), t('Allowance'), t('Pays')] : [t('Who'), t('Pays')]}>
          {lines.map((line) => (
            <FiguresRow
              key={line.username}
              name={
                <span className="flex items-center gap-2">
                  {measured && line.role === 'member' && <Swatch tone={hueOf(line.hue)} />}
                  <span className="truncate">{lineName(line, reader)}</span>
                </span>
              }
            >
              {measured && (
                <>
                  <Figure>
                    {line.role === 'owner' && !statement.owner_takes_part ? '–' : plainHours(line.used_seconds)}
                  </Figure>
                  <Figure>{offeredText(line)}</Figure>
                </>
              )}
              <Figure className="font-semibold">{formatMoney(line.amount, statement.currency)}</Figure>
            </FiguresRow>
          ))}
        </FiguresTable>
      </div>
      {reader === 'owner' &&
        lines.map((line) => {
          const text = coveredText(statement, line);
          return (
            text !== null && (
              <p key={line.username} className="mt-2 text-[14px]">
                {text}
              </p>
            )
          );
        })}
      <WhyLines statement={statement} className="mt-1" />
      <StatementCosts statement={statement} lines={lines} reader={reader} className="mt-3" />
      <PriceChanges statement={statement} className="mt-3 mb-1" />
      <BillingNote statement={statement} className="mt-3 mb-1 text-[14px]" />
      <EditedSessions statement={statement} className="mt-3 mb-1" />
      <StatementLink statement={statement} />
    </section>
  );
}

/** How each amount was calculated, the owner's last. */
export function WhyLines({ statement, className }: { statement: Statement; className?: string }) {
  const reader = readerOf(statement, useUser()?.username ?? '');
  const [owner, ...members] = statement.lines;
  return (
    <HowCalculated
      statement={statement}
      lines={[...members, ...(owner ? [owner] : [])]}
      reader={reader}
      {...(className !== undefined && { className })}
    />
  );
}
