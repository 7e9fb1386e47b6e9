import type { Statement } from '@hourshare/contract/statements';
import { methodText } from '../periods/terms-text.ts';
import { Badge } from '../../ui/badge.tsx';
import { closingText, monthHeading } from './rules.ts';

/** The month, how long it stays open, and how it is split. */
export const MonthHeading = ({ statement, id }: { statement: Statement; id: string }) => (
  <div className="mb-3.5 flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5">
    <div>
      <h3 id={id} className="font-semibold">
        {monthHeading(statement)}
      </h3>
      <p className="text-[14px] text-muted">{closingText(statement)}</p>
    </div>
    <Badge>{methodText(statement)}</Badge>
  </div>
);
