import type { Statement } from '@hourshare/contract/statements';
import { Link } from '@tanstack/react-router';
import { FileText } from 'lucide-react';
import { monthText } from '../../lib/months.ts';
import { statementPage } from '../../lib/paths.ts';
import { buttonClasses } from '../../ui/button.tsx';

interface StatementLinkProps {
  statement: Pick<Statement, 'asset_id' | 'asset_name' | 'month'>;
}

/** Links to a statement's own page, which prints. A deleted asset has none. */
export const StatementLink = ({ statement }: StatementLinkProps) =>
  statement.asset_id !== null && (
    <Link {...statementPage(statement.asset_id, statement.month)} className={buttonClasses('quiet', 'small', '-mx-3')}>
      <FileText aria-hidden size={16} />
      Statement
      <span className="sr-only">
        {' '}
        of {statement.asset_name}, {monthText(statement.month)}
      </span>
    </Link>
  );
