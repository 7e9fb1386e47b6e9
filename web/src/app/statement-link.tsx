import { Link } from '@tanstack/react-router';
import type { StatementLinkProps } from '../features/costs/statement-link-props.ts';
import { paths } from './paths.ts';

/** Leads to one month of one asset, on a page of its own. */
export const StatementLink = ({ assetId, month, className, children }: StatementLinkProps) => (
  <Link to={paths.statement} params={{ assetId: String(assetId), month }} className={className}>
    {children}
  </Link>
);
