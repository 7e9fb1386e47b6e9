import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { rich, t } from '../../platform/i18n/messages.ts';
import { paths } from '../../platform/paths.ts';
import { useRegistration } from '../accounts/about-api.ts';
import { buttonClasses } from '../../ui/button.tsx';
import { ExampleCard, type ExampleCardProps } from './example-card.tsx';

const highlight = (text: ReactNode) => <span className="whitespace-nowrap text-accent-text">{text}</span>;

export function Hero(example: ExampleCardProps) {
  const registration = useRegistration();
  return (
    <div className="grid items-center gap-x-12 gap-y-10 pt-8 lg:grid-cols-[1fr_minmax(0,545px)] lg:pt-14">
      <div className="min-w-0">
        <h1 className="font-display text-[clamp(34px,11vw,44px)] leading-[1.02] font-bold tracking-[-0.02em] sm:text-[60px]">
          {t('Share the plan.')} <br />
          {rich('Pay for <hours>your hours.</hours>', { hours: highlight })}
        </h1>
        <p className="mt-5 max-w-[36em] text-[18px] leading-relaxed text-muted">
          {t(
            'HourShare tracks who actually uses a shared subscription and splits its price to the cent. For friends, families, and roommates.',
          )}
        </p>
        <div className="mt-7 flex flex-wrap gap-3">
          {registration !== 'closed' && (
            <Link to={paths.register} className={buttonClasses('primary', 'large')}>
              {t('Get Started Free')}
            </Link>
          )}
          <Link to={paths.login} className={buttonClasses('outline', 'large')}>
            {t('Sign In')}
          </Link>
        </div>
        <p className="mt-4 text-[14px] text-muted">
          {registration === 'invited'
            ? t('You need an invitation link to create an account on this server.')
            : registration === 'closed'
              ? t("This server doesn't accept new accounts.")
              : t('Free plan. No credit card.')}
        </p>
      </div>
      <ExampleCard {...example} />
    </div>
  );
}
