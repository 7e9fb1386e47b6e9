import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { buttonClasses } from '../../ui/button.tsx';
import { t } from '../../platform/i18n/messages.ts';
import { invitePath, parseRegisterSearch, paths, tokenIn } from '../../platform/paths.ts';
import { useRegistration } from '../../features/accounts/about-api.ts';
import { Brand } from '../../ui/brand.tsx';
import { LanguageSelect } from '../../ui/language-select.tsx';
import { SkipLink } from './skip-link.tsx';

const plainLink =
  'inline-flex min-h-11 items-center rounded-control px-2.5 font-medium max-[359px]:px-1 text-muted hover:text-ink';

/** Returns the invitation that the page is about, or to which it leads back. */
const useInvitationToken = () =>
  useLocation({
    select: ({ pathname, search }) =>
      tokenIn(pathname) ?? parseRegisterSearch(search).invitation ?? tokenIn(String(search.from)),
  });

export function SignedOutFrame({ children }: { children: ReactNode }) {
  const invitation = useInvitationToken();
  return (
    <div className="flex min-h-dvh flex-col bg-canvas">
      <SkipLink />
      <header data-narrow className="group/bar print:hidden border-b border-line bg-surface">
        <div className="mx-auto flex min-h-14 max-w-[1168px] flex-wrap items-center justify-between gap-x-2 px-3 py-1.5 sm:px-6">
          <Brand />
          <nav aria-label={t('Main')} className="flex flex-wrap items-center text-[14.5px] sm:gap-2">
            <Link to={paths.about} className={plainLink}>
              {t('About')}
            </Link>
            <Link
              to={paths.login}
              search={invitation === undefined ? {} : { from: invitePath(invitation) }}
              className={plainLink}
            >
              {t('Sign in')}
            </Link>
            {useRegistration() !== 'closed' && (
              <Link
                to={paths.register}
                search={invitation === undefined ? {} : { invitation }}
                className={buttonClasses('primary', 'small', 'ms-1 max-[359px]:px-3!')}
              >
                {t('Sign up')}
              </Link>
            )}
          </nav>
        </div>
      </header>
      <main id="content" tabIndex={-1} className="flex-1">
        {children}
      </main>
      <footer className="mx-auto px-3.5 pb-8 print:hidden">
        <LanguageSelect />
      </footer>
    </div>
  );
}
