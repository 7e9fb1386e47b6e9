import type { Statement } from '@hourshare/contract/costs';
import { FileText } from 'lucide-react';
import { monthText } from '../../lib/months.ts';
import { buttonClasses } from '../../ui/button.tsx';
import type { WithStatementLink } from './statement-link-props.ts';

interface ToStatementProps extends WithStatementLink {
  statement: Pick<Statement, 'asset_id' | 'asset_name' | 'month'>;
}

/** The way from a month, wherever it is shown, to its own page, which prints; a deleted asset has none any more. */
export const ToStatement = ({ statement, StatementLink }: ToStatementProps) =>
  statement.asset_id !== null && (
    <StatementLink
      assetId={statement.asset_id}
      month={statement.month}
      className={buttonClasses('quiet', 'small', '-mx-3')}
    >
      <FileText aria-hidden size={16} />
      Statement
      <span className="sr-only">
        {' '}
        of {statement.asset_name}, {monthText(statement.month)}
      </span>
    </StatementLink>
  );
