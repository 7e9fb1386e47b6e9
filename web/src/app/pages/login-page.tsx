import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { LoginForm } from '../../features/accounts/login-form.tsx';
import { LogoutFailure } from '../../features/accounts/logout-failure.tsx';
import { ProviderButtons } from '../../features/accounts/provider-buttons.tsx';
import { rich, t } from '../../lib/messages.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { useRegistration } from '../../lib/use-registration.ts';
import { claimPage, paths } from '../../lib/paths.ts';
import { AuthShell } from './auth-shell.tsx';
import { LegalLinks } from './legal-links.tsx';
import { textLink } from '../../ui/text-link.ts';
import { useReturn } from './use-return.ts';

/** Whoever follows a link to claim decides there what they accept. */
const registerLink = (invitation: string | undefined, claim: string | undefined) => (text: ReactNode) =>
  claim === undefined ? (
    <Link to={paths.register} search={invitation === undefined ? {} : { invitation }} className={textLink}>
      {text}
    </Link>
  ) : (
    <Link {...claimPage(claim)} className={textLink}>
      {text}
    </Link>
  );

export function LoginPage() {
  usePageTitle(t('Sign in'));
  const { goBack, invitation, claim } = useReturn();
  const registration = useRegistration();
  return (
    <AuthShell
      title={t('Sign in to HourShare')}
      below={
        <>
          <p>
            {registration === 'closed'
              ? t("This server doesn't accept new accounts.")
              : rich('New here? <link>Sign up</link>', { link: registerLink(invitation, claim) })}
          </p>
          <LegalLinks action="sign-in" />
        </>
      }
    >
      <LogoutFailure />
      <LoginForm onDone={goBack} />
      <ProviderButtons />
    </AuthShell>
  );
}
