import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { confirmEmail, refreshUserInBackground } from '../../features/accounts/api.ts';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { focusOnMount, keepFocusInPage } from '../../ui/focus.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { t } from '../../platform/i18n/messages.ts';
import { usePageTitle } from '../../ui/page-title.ts';
import { paths } from '../../platform/paths.ts';
import { useUser } from '../../platform/auth/use-user.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { AuthShell } from './auth-shell.tsx';

/** Confirms a new email address when the button is pressed, because mail scanners open links. */
export function ConfirmEmailPage() {
  usePageTitle(t('Confirm your email address'));
  const token = useLocation({ select: ({ hash }) => hash });
  // Another link in the same tab only changes the token.
  return <ConfirmEmail key={token} token={token} />;
}

function ConfirmEmail({ token }: { token: string }) {
  const user = useUser();
  const [state, setState] = useState<'open' | 'busy' | 'done' | 'invalid'>(token === '' ? 'invalid' : 'open');
  const [failure, setFailure] = useState<string | null>(null);

  const confirm = async () => {
    setState('busy');
    setFailure(null);
    try {
      await confirmEmail(token);
      setState('done');
      refreshUserInBackground();
    } catch (error) {
      if (error instanceof ApiError && error.code === 'link_invalid') {
        setState('invalid');
        return keepFocusInPage();
      }
      setState('open');
      setFailure(errorText(error) || t("Couldn't confirm the address. Please try again."));
    }
  };

  return (
    <AuthShell title={t('Confirm your email address')} below={null}>
      {state === 'done' || state === 'invalid' ? (
        <>
          {state === 'done' ? (
            <p ref={focusOnMount} tabIndex={-1} role="status" className="text-muted outline-none">
              {user
                ? t('Your email address is confirmed.')
                : t('Your account uses this address now. Sign in and send a link from your profile to confirm it.')}
            </p>
          ) : (
            <Banner>{t('This link is no longer valid. Ask for a new one.')}</Banner>
          )}
          <Link to={user ? paths.profile : paths.login} replace className={buttonClasses('primary', 'medium', 'mt-5')}>
            {user ? t('Go to your profile') : t('Sign in')}
          </Link>
        </>
      ) : (
        <>
          {failure !== null && <Banner className="mb-4">{failure}</Banner>}
          <p className="text-muted">{t('Your account will use this address once you confirm it.')}</p>
          <Button className="mt-5" busy={state === 'busy'} busyText={t('Confirming...')} onClick={() => void confirm()}>
            {t('Confirm address')}
          </Button>
        </>
      )}
    </AuthShell>
  );
}
