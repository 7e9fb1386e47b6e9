import type { Unsubscribe } from '@hourshare/contract/notifications';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { unsubscribe, unsubscribeQuery } from '../../features/notifications/unsubscribe-api.ts';
import { refreshUserInBackground } from '../../features/accounts/api.ts';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { focusOnMount } from '../../ui/focus.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { t } from '../../platform/i18n/messages.ts';
import { usePageTitle } from '../../ui/page-title.ts';
import { paths } from '../../platform/paths.ts';
import { queryClient } from '../../platform/http/query-client.ts';
import { useUser } from '../../platform/auth/use-user.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { AuthShell } from './auth-shell.tsx';

/** Turns off the emails that its link came with, when the button is pressed, because mail scanners open links. */
export function UnsubscribePage() {
  usePageTitle(t('Unsubscribe'));
  const token = useLocation({ select: ({ hash }) => hash });
  // Another link in the same tab only changes the token.
  return (
    <AuthShell title={t('Unsubscribe')} below={null}>
      <LinkOfMail key={token} token={token} />
    </AuthShell>
  );
}

function LinkOfMail({ token }: { token: string }) {
  const { data, error, refetch } = useQuery({ ...unsubscribeQuery(token), enabled: token !== '' }, queryClient);
  const isInvalid = token === '' || (error instanceof ApiError && error.status < 500 && error.status !== 429);
  if (isInvalid) return <Banner>{t('This link is no longer valid. You can turn off emails in your settings.')}</Banner>;
  if (error)
    return (
      <Banner onRetry={() => void refetch()}>{errorText(error) || t("Couldn't load this. Please try again.")}</Banner>
    );
  return data ? <TurnOff token={token} {...data} /> : <Spinner label={t('Loading...')} />;
}

function TurnOff({ token, setting, on }: Unsubscribe & { token: string }) {
  const user = useUser();
  const [state, setState] = useState<'open' | 'busy' | 'done'>(on ? 'open' : 'done');
  const [failure, setFailure] = useState<string | null>(null);
  const [wasOff] = useState(!on);

  const turnOff = async () => {
    setState('busy');
    setFailure(null);
    try {
      await unsubscribe(token);
      setState('done');
      refreshUserInBackground();
    } catch (error) {
      setState('open');
      setFailure(errorText(error) || t("Couldn't turn this off. Please try again."));
    }
  };

  if (state !== 'done')
    return (
      <>
        {failure !== null && <Banner className="mb-4">{failure}</Banner>}
        <p className="text-muted">
          {setting === 'email_notifications'
            ? t('HourShare will stop sending you email notifications. Emails that protect your account still come.')
            : t('HourShare will stop sending you usage reminders.')}
        </p>
        <Button className="mt-5" busy={state === 'busy'} busyText={t('Turning off...')} onClick={() => void turnOff()}>
          {setting === 'email_notifications' ? t('Turn off email notifications') : t('Turn off usage reminders')}
        </Button>
      </>
    );
  return (
    <>
      <p ref={wasOff ? undefined : focusOnMount} tabIndex={-1} role="status" className="text-muted outline-none">
        {setting === 'email_notifications' ? t('Email notifications are off.') : t('Usage reminders are off.')}{' '}
        {t('You can turn them on again in your settings.')}
      </p>
      <Link
        to={user ? paths.settings : paths.login}
        search={user ? {} : { from: paths.settings }}
        className={buttonClasses('primary', 'medium', 'mt-5')}
      >
        {user ? t('Go to settings') : t('Sign in')}
      </Link>
    </>
  );
}
