import { Terms } from '../../features/marketing/terms.tsx';
import { usePageTitle } from '../../lib/page-title.ts';
import { publicPages } from '../public-pages.ts';
import { ContactLink, HomeLink } from './page-links.tsx';

export function TermsPage() {
  usePageTitle(publicPages.terms.title);
  return <Terms home={<HomeLink />} contact={<ContactLink />} />;
}
