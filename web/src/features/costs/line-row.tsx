import type { LineStatus } from '@hourshare/contract/costs';
import type { ReactNode } from 'react';
import { formatMoney } from '../../lib/formatting.ts';
import { LineMark, StatusBadge } from './line-mark.tsx';
import { sinceText, type Reader } from './rules.ts';

export const LineList = ({ children, label }: { children: ReactNode; label?: string }) => (
  <ul role="list" aria-label={label} className="divide-y divide-line">
    {children}
  </ul>
);

interface LineRowProps {
  title: string;
  /** The title as a link to where there is more about it. */
  link?: ReactNode;
  detail: string;
  amount: number;
  currency: string;
  line: { id: number | null; status: LineStatus | null; status_since: string | null; settled: boolean };
  reader: Reader;
  /** How the amount came about. */
  note?: string;
}

/** One line of a closed month: what and how much, and where its payment stands, with the one thing to say about that. */
export const LineRow = ({ title, link, detail, amount, currency, line, reader, note }: LineRowProps) => (
  <li className="grid min-h-13 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 py-2">
    <span className="truncate font-medium" dir="auto">
      {link ?? title}
    </span>
    <span className="figures text-right font-semibold">{formatMoney(amount, currency)}</span>
    <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-[13.5px] text-muted">
      {detail}
      <StatusBadge line={line} />
      {line.status_since && <span>{sinceText(line.status_since)}</span>}
    </span>
    <LineMark line={line} reader={reader} about={`${title}, ${detail}`} />
    {note && <p className="col-span-2 pb-1 text-[13.5px] text-muted">{note}</p>}
  </li>
);
