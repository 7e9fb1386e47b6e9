import { Terms } from '../../features/marketing/terms.tsx';
import { usePageTitle } from '../../lib/page-title.ts';
import { ContactLink, HomeLink } from './page-links.tsx';

export function TermsPage() {
  usePageTitle('Terms of Service');
  return <Terms home={<HomeLink />} contact={<ContactLink />} />;
}
