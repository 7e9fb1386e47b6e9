import { About } from '../../features/marketing/about.tsx';
import { usePageTitle } from '../../lib/page-title.ts';
import { publicPages } from '../public-pages.ts';

export function AboutPage() {
  usePageTitle(publicPages.about.title);
  return <About />;
}
