import { About } from '../../features/marketing/about.tsx';
import { usePageTitle } from '../../lib/page-title.ts';
import { HomeLink } from './page-links.tsx';

export function AboutPage() {
  usePageTitle('About');
  return <About home={<HomeLink />} />;
}
