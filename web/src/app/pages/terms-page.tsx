import { Terms } from '../../features/marketing/terms.tsx';
import { usePageTitle } from '../../lib/page-title.ts';
import { publicPages } from '../public-pages.ts';

export function TermsPage() {
  usePageTitle(publicPages.terms.title);
  return <Terms />;
}
