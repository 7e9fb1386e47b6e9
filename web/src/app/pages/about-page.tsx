import { About } from '../../features/marketing/about.tsx';
import { usePageTitle } from '../../lib/page-title.ts';
import { publicPages } from '../public-pages.ts';
import { HomeLink, LicensesLink } from './page-links.tsx';

export function AboutPage() {
  usePageTitle(publicPages.about.title);
  return <About home={<HomeLink />} licenses={<LicensesLink />} />;
}
