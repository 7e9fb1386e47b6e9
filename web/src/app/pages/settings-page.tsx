import { useState, type ReactNode } from 'react';
import { logout } from '../../features/accounts/api.ts';
import { DeviceList } from '../../features/accounts/device-list.tsx';
import { LanguageChoice } from '../../features/accounts/language-choice.tsx';
import { NotificationChoices } from '../../features/accounts/notification-choices.tsx';
import { SecurityActivity } from '../../features/accounts/security-activity.tsx';
import { NoticeChoices } from '../../features/notifications/notice-choices.tsx';
import { PushDevice } from '../../features/notifications/push-device.tsx';
import { AccessTokens } from '../../features/shares/access-tokens.tsx';
import { BlockedOwners, TrustedOwners } from '../../features/shares/trusted-owners.tsx';
import { logError } from '../../platform/log.ts';
import { losePresses } from '../../platform/offline/queue.ts';
import { t } from '../../platform/i18n/messages.ts';
import { usePageTitle } from '../../ui/page-title.ts';
import { useThemeChoice } from '../../ui/theme-changes.ts';
import { chooseTheme, themeChoices } from '../../ui/theme.ts';
import { useUser } from '../../platform/auth/use-user.ts';
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
        <SettingsSection id="account" title={t('Account')}>
          <div className="grid gap-4 pt-2">
            <TextField
              label={t('Username')}
              value={user?.username ?? ''}
              readOnly
              className="border-line! bg-sunken!"
            />
            <TextField label={t('Email')} value={user?.email ?? ''} readOnly className="border-line! bg-sunken!" />
          </div>
        </SettingsSection>
        <SettingsSection id="notifications" title={t('Notifications')}>
          {user && <NotificationChoices user={user} />}
        </SettingsSection>
        <SettingsSection id="notice-choices" title={t('How you hear of what happens')} wide>
          {user && <NoticeChoices user={user} labelledBy="notice-choices" />}
          <PushDevice />
        </SettingsSection>
        <SettingsSection id="trusted-owners" title={t('Accept without asking')} wide>
          <TrustedOwners />
        </SettingsSection>
        <SettingsSection id="blocked-owners" title={t('Blocked people')} wide>
          <BlockedOwners />
        </SettingsSection>
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
        <SettingsSection id="sign-ins" title={t("Where you're signed in")} wide>
          <DeviceList labelledBy="sign-ins" />
        </SettingsSection>
        <SettingsSection id="security-activity" title={t('Security activity')} wide>
          <SecurityActivity labelledBy="security-activity" />
        </SettingsSection>
        <SettingsSection id="access-tokens" title={t('Access tokens')} wide>
          <AccessTokens labelledBy="access-tokens" />
        </SettingsSection>
        <Card as="section" labelledBy="sign-out" className="flex flex-wrap items-center justify-between gap-4">
          <div>
            <h2 id="sign-out" className="font-semibold">
              {t('This device')}
            </h2>
            <p className="text-[14px] text-muted">{t('Signs you out on this device only.')}</p>
          </div>
          <Button
            look="outline"
            busy={leaving}
            busyText={t('Signing out...')}
            onClick={() => losePresses(() => void signOut())}
          >
            {t('Sign Out')}
          </Button>
        </Card>
      </div>
    </>
  );
}

interface SettingsSectionProps {
  id: string;
  title: string;
  /** Whether it takes both columns. */
  wide?: boolean;
  children: ReactNode;
}

const SettingsSection = ({ id, title, wide = false, children }: SettingsSectionProps) => (
  <Card as="section" labelledBy={id} className={wide ? 'md:col-span-2' : ''}>
    <h2 id={id} className="mb-2 font-semibold">
      {title}
    </h2>
    {children}
  </Card>
);
