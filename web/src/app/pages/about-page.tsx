import { About } from '../../features/marketing/about.tsx';
import { t } from '../../platform/i18n/messages.ts';
import { usePageTitle } from '../../ui/page-title.ts';
import type { PageHead } from '../public-pages.ts';

export const aboutHead: PageHead = {
  title: () => t('About'),
  description: () => t("What HourShare is for, and how to reach this server's administrator."),
};

export function AboutPage() {
  usePageTitle(aboutHead.title());
  return <About />;
}
