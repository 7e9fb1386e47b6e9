import { Privacy } from '../../features/marketing/privacy.tsx';
import { usePageTitle } from '../../lib/page-title.ts';
import { publicPages } from '../public-pages.ts';

export function PrivacyPage() {
  usePageTitle(publicPages.privacy.title);
  return <Privacy />;
}
