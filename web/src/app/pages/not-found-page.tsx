import { Link } from '@tanstack/react-router';
import { t } from '../../platform/i18n/messages.ts';
import { usePageTitle } from '../../ui/page-title.ts';
import { useUser } from '../../platform/auth/use-user.ts';
import { buttonClasses } from '../../ui/button.tsx';
import { paths } from '../../platform/paths.ts';

export function NotFoundPage() {
  usePageTitle(t('Page not found'));
  const user = useUser();
  return (
    <div className="mx-auto max-w-md px-6 py-20 text-center md:py-28">
      <p className="figures font-display text-[64px] leading-none font-bold text-accent-text">404</p>
      <h1 className="mt-3 font-display text-[26px] font-bold">{t('Page not found')}</h1>
      <p className="mt-2 mb-6 text-balance text-muted">
        {t("We couldn't find that page. Check the address and try again.")}
      </p>
      <Link to={user ? paths.dashboard : paths.landing} className={buttonClasses()}>
        {user ? t('Go to Dashboard') : t('Go to home page')}
      </Link>
    </div>
  );
}
