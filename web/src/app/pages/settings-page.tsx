import { useState } from 'react';
import { logout } from '../../features/accounts/api.ts';
import { DeviceList } from '../../features/accounts/device-list.tsx';
import { LanguageChoice } from '../../features/accounts/language-choice.tsx';
import { NotificationChoices } from '../../features/accounts/notification-choices.tsx';
import { SecurityActivity } from '../../features/accounts/security-activity.tsx';
import { AccessTokens } from '../../features/shares/access-tokens.tsx';
import { TrustedOwners } from '../../features/shares/trusted-owners.tsx';
import { logError } from '../../lib/log.ts';
import { t } from '../../lib/messages.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { useThemeChoice } from '../../lib/theme-changes.ts';
import { chooseTheme, themeChoices } from '../../lib/theme.ts';
import { useUser } from '../../lib/use-sign-in.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Choice } from '../../ui/choice.tsx';
import { TextField } from '../../ui/field.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { themeNames } from '../theme-names.ts';
import { useUserRefresh } from './use-user-refresh.ts';

export function SettingsPage() {
  usePageTitle(t('Settings'));
  const user = useUser();
  const theme = useThemeChoice();
  useUserRefresh();
  const [leaving, setLeaving] = useState(false);
  const [failed, setFailed] = useState(false);

  const signOut = async () => {
    setLeaving(true);
    setFailed(false);
    try {
      await logout();
    } catch (error) {
      logError('Logout failed', error);
      setFailed(true);
      setLeaving(false);
    }
  };

  return (
    <>
      <PageHeader title={t('Settings')} />
      {failed && <Banner className="mb-4">{t('Failed to logout. Please try again.')}</Banner>}
      <div className="grid gap-3.5 md:grid-cols-2">
        <Card as="section" labelledBy="account">
          <h2 id="account" className="mb-4 font-semibold">
            {t('Account')}
          </h2>
          <div className="grid gap-4">
            <TextField
              label={t('Username')}
              value={user?.username ?? ''}
              readOnly
              className="border-line! bg-sunken!"
            />
            <TextField label={t('Email')} value={user?.email ?? ''} readOnly className="border-line! bg-sunken!" />
          </div>
        </Card>
        <Card as="section" labelledBy="notifications">
          <h2 id="notifications" className="mb-2 font-semibold">
            {t('Notifications')}
          </h2>
          {user && <NotificationChoices user={user} />}
        </Card>
        <Card as="section" labelledBy="trusted-owners" className="md:col-span-2">
          <h2 id="trusted-owners" className="mb-2 font-semibold">
            {t('Accept without asking')}
          </h2>
          <TrustedOwners />
        </Card>
        <Card>
          <LanguageChoice />
        </Card>
        <Card>
          <Choice
            legend={t('Theme')}
            value={theme}
            options={themeChoices.map((value) => ({ value, text: themeNames[value]() }))}
            onChange={chooseTheme}
          />
        </Card>
        <Card as="section" labelledBy="sign-ins" className="md:col-span-2">
          <h2 id="sign-ins" className="mb-2 font-semibold">
            {t("Where you're signed in")}
          </h2>
          <DeviceList labelledBy="sign-ins" />
        </Card>
        <Card as="section" labelledBy="security-activity" className="md:col-span-2">
          <h2 id="security-activity" className="mb-2 font-semibold">
            {t('Security activity')}
          </h2>
          <SecurityActivity labelledBy="security-activity" />
        </Card>
        <Card as="section" labelledBy="access-tokens" className="md:col-span-2">
          <h2 id="access-tokens" className="mb-2 font-semibold">
            {t('Access tokens')}
          </h2>
          <AccessTokens labelledBy="access-tokens" />
        </Card>
        <Card as="section" labelledBy="sign-out" className="flex flex-wrap items-center justify-between gap-4">
          <div>
            <h2 id="sign-out" className="font-semibold">
              {t('This device')}
            </h2>
            <p className="text-[14px] text-muted">{t('Signs you out on this device only.')}</p>
          </div>
          <Button look="outline" busy={leaving} busyText={t('Signing out...')} onClick={() => void signOut()}>
            {t('Sign Out')}
          </Button>
        </Card>
      </div>
    </>
  );
}
