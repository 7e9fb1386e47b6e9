import { PASSWORD_RESET_MINUTES } from '@hourshare/contract/limits';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { RecoveryForm } from '../../features/accounts/recovery-form.tsx';
import { Contact } from '../../features/marketing/contact.tsx';
import { endpointQuery } from '../../platform/http/endpoint-query.ts';
import { focusOnMount, keepFocusInPage } from '../../ui/focus.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { usePageTitle } from '../../ui/page-title.ts';
import { paths } from '../../platform/paths.ts';
import { queryClient } from '../../platform/http/query-client.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { textLink } from '../../ui/text-link.ts';
import { AuthShell } from './auth-shell.tsx';

const strong = (text: ReactNode) => <b className="font-semibold text-ink [overflow-wrap:anywhere]">{text}</b>;

export function ForgotPasswordPage() {
  usePageTitle(t('Forgot your password?'));
  // Signed-out pages have no QueryClientProvider.
  const about = useQuery(endpointQuery('GET /api/about/', {}), queryClient);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const signIn = (
    <Link to={paths.login} className={textLink}>
      {t('Back to sign in')}
    </Link>
  );
  if (!about.data)
    return (
      <AuthShell title={t('Forgot your password?')} below={signIn}>
        {about.isError ? (
          <>
            <Banner>{t("Couldn't load this. Please try again.")}</Banner>
            <Button className="mt-5" busy={about.isFetching} onClick={() => void about.refetch()}>
              {t('Try again')}
            </Button>
          </>
        ) : (
          <Spinner label={t('Loading')} size={28} className="w-full justify-center py-10" />
        )}
      </AuthShell>
    );
  if (!about.data.mail) return <NoMail />;
  return (
    <AuthShell title={t('Forgot your password?')} below={signIn}>
      {sentTo === null ? (
        <>
          <p className="mb-4 text-muted">
            {t("Enter the email address of your account. You'll get a link to set a new password.")}
          </p>
          <RecoveryForm onSent={setSentTo} />
        </>
      ) : (
        <div ref={focusOnMount} tabIndex={-1} role="status" className="outline-none">
          <p className="text-muted">
            {rich(
              'If an account has the address <b>{email}</b>, a link is on its way. It works for {minutes} minutes. Look in the spam folder, too.',
              { email: sentTo, minutes: PASSWORD_RESET_MINUTES, b: strong },
            )}
          </p>
          <Button
            look="outline"
            className="mt-5"
            onClick={() => {
              setSentTo(null);
              keepFocusInPage();
            }}
          >
            {t('Use another address')}
          </Button>
        </div>
      )}
    </AuthShell>
  );
}

/** Shown on a server that sends no email: its administrator can make a link. */
const NoMail = () => (
  <AuthShell title={t('Forgot your password?')} below={null}>
    <div className="grid gap-2 text-muted">
      <p>
        {t(
          "This server doesn't send email, so it can't send you a reset link. Ask its administrator to reset your password. No one can read the old one, not even the administrator.",
        )}
      </p>
      <Contact />
    </div>
    <Link to={paths.login} className={buttonClasses('primary', 'medium', 'mt-5')}>
      {t('Back to sign in')}
    </Link>
  </AuthShell>
);
