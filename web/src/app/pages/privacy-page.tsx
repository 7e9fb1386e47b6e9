import { Privacy } from '../../features/marketing/privacy.tsx';
import { usePageTitle } from '../../lib/page-title.ts';
import { ContactLink, HomeLink } from './page-links.tsx';

export function PrivacyPage() {
  usePageTitle('Privacy Policy');
  return <Privacy home={<HomeLink />} contact={<ContactLink />} />;
}
