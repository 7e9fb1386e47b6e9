import type { ComponentType, ReactNode } from 'react';

/** What a link to a statement's own page needs; the app, which knows the addresses, makes it. */
export interface StatementLinkProps {
  assetId: number;
  month: string;
  className?: string;
  children: ReactNode;
}

export interface WithStatementLink {
  StatementLink: ComponentType<StatementLinkProps>;
}
