import { Terms } from '../../features/marketing/terms.tsx';
import { t } from '../../platform/i18n/messages.ts';
import { usePageTitle } from '../../ui/page-title.ts';
import type { PageHead } from '../public-pages.ts';

export const termsHead: PageHead = {
  title: () => t('Terms of service'),
  description: () => t('The terms for using HourShare, in plain words.'),
};

export function TermsPage() {
  usePageTitle(termsHead.title());
  return <Terms />;
}
