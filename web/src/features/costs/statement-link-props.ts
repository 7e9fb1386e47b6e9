import type { Statement } from '@hourshare/contract/costs';
import type { ComponentType, ReactNode } from 'react';

/** What a link to a statement's own page needs; the app, which knows the addresses, makes it. */
export interface StatementLinkProps {
  statement: Pick<Statement, 'asset_id' | 'month'>;
  className?: string;
  children: ReactNode;
}

export interface WithStatementLink {
  StatementLink: ComponentType<StatementLinkProps>;
}
