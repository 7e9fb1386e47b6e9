import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Closing } from '../../features/marketing/closing.tsx';
import { ANA_HOURS, exampleSplit } from '../../features/marketing/example.ts';
import { Features } from '../../features/marketing/features.tsx';
import { Footer } from '../../features/marketing/footer.tsx';
import { Hero } from '../../features/marketing/hero.tsx';
import { HowItWorks } from '../../features/marketing/how-it-works.tsx';
import { StaticFigures } from '../../features/marketing/static-figures.tsx';
import { Subscriptions } from '../../features/marketing/subscriptions.tsx';
import { Testimonials } from '../../features/marketing/testimonials.tsx';
import { t } from '../../platform/i18n/messages.ts';
import { usePageTitle } from '../../ui/page-title.ts';
import { buttonClasses } from '../../ui/button.tsx';
import { Brand } from '../../ui/brand.tsx';
import { SkipLink } from '../layout/skip-link.tsx';
import { paths } from '../../platform/paths.ts';
import { useRegistration } from '../../features/accounts/about-api.ts';
import type { PageHead } from '../public-pages.ts';

const plainLink = 'inline-flex min-h-11 items-center rounded-control font-medium text-muted hover:text-ink';

export const landingHead: PageHead = {
  title: () => t('Share the plan, pay for your hours'),
  description: () =>
    t(
      'HourShare tracks who actually uses a shared subscription and splits its price to the cent. For friends, families, and roommates. Free, with no credit card.',
    ),
};

export function LandingPage() {
  const [anaHours, setAnaHours] = useState(ANA_HOURS.used);
  const split = exampleSplit(anaHours);
  usePageTitle(landingHead.title());
  return (
    <div className="min-h-dvh bg-canvas">
      <SkipLink />
      <div className="mx-auto max-w-[1216px] px-3.5 sm:px-6">
        <header className="flex min-h-19 flex-wrap items-center justify-between gap-x-4">
          <Brand />
          <nav aria-label={t('Main')} className="flex items-center gap-6 text-[14.5px] max-md:gap-4">
            <a href="#howItWorks" className={`${plainLink} max-md:hidden`}>
              {t('How it works')}
            </a>
            <Link to={paths.about} className={plainLink}>
              {t('About')}
            </Link>
            <Link to={paths.login} className={plainLink}>
              {t('Sign In')}
            </Link>
            {useRegistration() !== 'closed' && (
              <Link to={paths.register} className={buttonClasses('primary', 'medium', 'max-md:hidden')}>
                {t('Get Started Free')}
              </Link>
            )}
          </nav>
        </header>
        <main id="content" tabIndex={-1}>
          <Hero split={split} anaHours={anaHours} onAnaHours={setAnaHours} />
          <StaticFigures split={split} />
          <Subscriptions />
          <HowItWorks split={split} />
          <Features split={split} />
          <Testimonials />
          <Closing />
        </main>
        <Footer />
      </div>
    </div>
  );
}
