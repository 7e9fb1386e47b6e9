import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isAccountDeleted } from '../../features/accounts/deleted-account.ts';
import { LoginForm } from '../../features/accounts/login-form.tsx';
import { LogoutFailure } from '../../features/accounts/logout-failure.tsx';
import { PasskeySignIn } from '../../features/accounts/passkey-sign-in.tsx';
import { ProviderButtons } from '../../features/accounts/provider-buttons.tsx';
import { rich, t } from '../../platform/i18n/messages.ts';
import { usePageTitle } from '../../ui/page-title.ts';
import { useRegistration } from '../../features/accounts/about-api.ts';
import { claimPage, paths } from '../../platform/paths.ts';
import { AuthShell } from './auth-shell.tsx';
import { LegalLinks } from './legal-links.tsx';
import { textLink } from '../../ui/text-link.ts';
import { useReturn } from './use-return.ts';

/** People with a claim link decide on its page what they accept. */
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
  const { from, goBack, invitation, claim } = useReturn();
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
      {isAccountDeleted() && (
        <p role="status" className="mb-4 rounded-control bg-accent-soft/45 px-3.5 py-2.5 text-[14.5px]">
          {t('Your account has been deleted, and you are signed out on all devices. Goodbye, and thank you!')}
        </p>
      )}
      <LoginForm onDone={goBack} />
      <PasskeySignIn onDone={goBack} />
      <ProviderButtons from={from} />
    </AuthShell>
  );
}
