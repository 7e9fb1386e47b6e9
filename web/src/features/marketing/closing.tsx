import { Link } from '@tanstack/react-router';
import { t } from '../../platform/i18n/messages.ts';
import { paths } from '../../platform/paths.ts';
import { buttonClasses } from '../../ui/button.tsx';
import { useRegistration } from '../accounts/about-api.ts';

/** The last thing that a visitor reads, if they can register. */
export const Closing = () =>
  useRegistration() !== 'closed' && (
    <section
      aria-labelledby="closing-heading"
      className="mt-16 flex flex-wrap items-center justify-between gap-x-8 gap-y-5 rounded-paper bg-panel p-6 text-panel-ink md:mt-24 md:p-9 print:hidden"
    >
      <h2 id="closing-heading" className="font-display text-[24px] leading-tight font-bold md:text-[30px]">
        {t('Start with one subscription.')}
      </h2>
      <Link to={paths.register} className={buttonClasses('outline', 'large', 'border-transparent!')}>
        {t('Get Started Free')}
      </Link>
    </section>
  );
