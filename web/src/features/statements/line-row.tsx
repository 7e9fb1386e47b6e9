import type { Statement, StatementLine } from '@hourshare/contract/statements';
import type { ReactNode } from 'react';
import { formatMoney } from '../../lib/formatting.ts';
import { LedgerRow } from '../../ui/ledger.tsx';
import { useLineMark } from '../settlements/api.ts';

interface LineRowProps {
  statement: Statement;
  line: StatementLine;
  reader: 'self' | 'owner';
  title: string;
  /** The title as a link. */
  link?: ReactNode;
  detail: string;
  note?: string;
}

export function LineRow({ statement, line, reader, title, link, detail, note }: LineRowProps) {
  const mark = useLineMark(line, reader, { title, detail });
  return (
    <LedgerRow
      title={link ?? title}
      detail={detail}
      amount={formatMoney(line.amount, statement.currency)}
      mark={mark}
      {...(note !== undefined && { note })}
    />
  );
}
