import { Privacy } from '../../features/marketing/privacy.tsx';
import { usePageTitle } from '../../lib/page-title.ts';
import { publicPages } from '../public-pages.ts';
import { ContactLink, HomeLink } from './page-links.tsx';

export function PrivacyPage() {
  usePageTitle(publicPages.privacy.title);
  return <Privacy home={<HomeLink />} contact={<ContactLink />} />;
}
