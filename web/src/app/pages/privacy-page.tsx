import { Privacy } from '../../features/marketing/privacy.tsx';
import { t } from '../../platform/i18n/messages.ts';
import { usePageTitle } from '../../ui/page-title.ts';
import type { PageHead } from '../public-pages.ts';

export const privacyHead: PageHead = {
  title: () => t('Privacy policy'),
  description: () => t('What HourShare stores about you, who sees it, and what it never does.'),
};

export function PrivacyPage() {
  usePageTitle(privacyHead.title());
  return <Privacy />;
}
