import type { Statement, StatementLine } from '@hourshare/contract/statements';
import type { ReactNode } from 'react';
import { formatHours, formatMoney } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { monthText } from '../../platform/format/months.ts';
import { LedgerList, LedgerRow } from '../../ui/ledger.tsx';
import { useLineMark } from '../settlements/api.ts';
import { explanationText, objectionText } from './explanation.ts';
import { lineName, type Reader } from './rules.ts';

interface LineRowProps {
  statement: Statement;
  line: StatementLine;
  reader: Reader;
  title: string;
  /** The title as a link. */
  link?: ReactNode;
  detail: string;
  note?: string;
  more?: ReactNode;
}

export function LineRow({ statement, line, reader, title, link, detail, note, more }: LineRowProps) {
  const objection = reader === 'self' ? null : objectionText(line);
  const notes = [note, objection].filter((text) => typeof text === 'string').join(' ');
  const mark = useLineMark(line, reader === 'self' ? 'self' : 'owner', { title, detail }, statement.currency);
  return (
    <LedgerRow
      title={link ?? title}
      detail={detail}
      amount={formatMoney(line.amount, statement.currency)}
      // Only the person who is owed a charge and the person who owes it can mark it.
      mark={reader === 'anyone' ? { ...mark, action: null } : mark}
      {...(notes !== '' && { note: notes })}
      more={more}
    />
  );
}

interface StatementLinesProps {
  statement: Statement;
  reader: Reader;
  /** With the explanation of each amount. */
  explained?: boolean;
}

/** Who pays what; a member has their own line only. */
export const StatementLines = ({ statement, reader, explained = false }: StatementLinesProps) => (
  <LedgerList label={t('Who pays what for {month}', { month: monthText(statement.month) })}>
    {statement.lines.map((line) => (
      <LineRow
        key={line.username}
        statement={statement}
        line={line}
        reader={reader}
        title={reader === 'self' && line.role === 'member' ? t('You') : lineName(line, reader)}
        detail={
          line.role === 'owner'
            ? t('Remaining cost')
            : statement.measured
              ? t('{hours} used', { hours: formatHours(line.used_hours) })
              : ''
        }
        {...(explained && { note: explanationText(statement, line, reader) })}
      />
    ))}
  </LedgerList>
);
