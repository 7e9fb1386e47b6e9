import type { Statement } from '@hourshare/contract/statements';
import { Link } from '@tanstack/react-router';
import { FileText } from 'lucide-react';
import { rich } from '../../platform/i18n/messages.ts';
import { monthText } from '../../platform/format/months.ts';
import { statementPage } from '../../platform/paths.ts';
import { buttonClasses } from '../../ui/button.tsx';
import { hidden } from '../../ui/hidden-text.tsx';

interface StatementLinkProps {
  statement: Pick<Statement, 'asset_id' | 'asset_name' | 'month'>;
}

/** Links to a statement's own page, which prints. A deleted asset has none. */
export const StatementLink = ({ statement }: StatementLinkProps) =>
  statement.asset_id !== null && (
    <Link {...statementPage(statement.asset_id, statement.month)} className={buttonClasses('quiet', 'small', '-mx-3')}>
      <FileText aria-hidden size={16} />
      {rich('Statement<hidden> for {asset}, {month}</hidden>', {
        asset: statement.asset_name,
        month: monthText(statement.month),
        hidden,
      })}
    </Link>
  );
