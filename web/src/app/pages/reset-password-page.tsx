import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { refreshUserInBackground } from '../../features/accounts/api.ts';
import { NewPasswordForm } from '../../features/accounts/new-password-form.tsx';
import { focusOnMount, keepFocusInPage } from '../../ui/focus.ts';
import { t } from '../../platform/i18n/messages.ts';
import { usePageTitle } from '../../ui/page-title.ts';
import { paths } from '../../platform/paths.ts';
import { Banner } from '../../ui/banner.tsx';
import { buttonClasses } from '../../ui/button.tsx';
import { AuthShell } from './auth-shell.tsx';

/** Sets a new password. The token is in the fragment of the address, which browsers don't send to servers. */
export function ResetPasswordPage() {
  usePageTitle(t('Set a new password'));
  const token = useLocation({ select: ({ hash }) => hash });
  const isSet = useLocation({ select: ({ state }) => state.passwordSet === true });
  if (isSet) return <PasswordSet />;
  // Another link in the same tab only changes the token.
  return <ResetPassword key={token} token={token} />;
}

const PasswordSet = () => (
  <AuthShell title={t('Your password is set')} below={null}>
    <p ref={focusOnMount} tabIndex={-1} role="status" className="text-muted outline-none">
      {t('You are signed out on all devices. Sign in with the new password.')}
    </p>
    <Link to={paths.login} replace className={buttonClasses('primary', 'medium', 'mt-5')}>
      {t('Sign in')}
    </Link>
  </AuthShell>
);

function ResetPassword({ token }: { token: string }) {
  const navigate = useNavigate();
  const [isInvalid, setIsInvalid] = useState(false);
  // Kept in the history entry, because the page mounts again when the sign-in ends.
  const showSet = async () => {
    await navigate({ to: paths.resetPassword, state: { passwordSet: true }, replace: true });
    // A sign-in of the same account on this device has ended too.
    refreshUserInBackground();
  };
  if (isInvalid || token === '')
    return (
      <AuthShell title={t('Set a new password')} below={null}>
        <Banner>{t('This link is no longer valid. Ask for a new one.')}</Banner>
        <Link to={paths.forgotPassword} className={buttonClasses('primary', 'medium', 'mt-5')}>
          {t('Ask for a new link')}
        </Link>
      </AuthShell>
    );
  return (
    <AuthShell title={t('Set a new password')} below={null}>
      <NewPasswordForm
        token={token}
        onDone={() => void showSet()}
        onInvalid={() => {
          setIsInvalid(true);
          keepFocusInPage();
        }}
      />
    </AuthShell>
  );
}
