import type { User } from '@hourshare/contract/users';
import { Link, useLocation } from '@tanstack/react-router';
import {
  Ban,
  CalendarDays,
  Database,
  Fingerprint,
  History,
  KeyRound,
  Languages,
  Laptop,
  Link2,
  LogOut,
  Palette,
  Plug,
  Send,
  ShieldCheck,
  UserCheck,
  UserRound,
  Wallet,
} from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useAbout } from '../../features/accounts/about-api.ts';
import { logout } from '../../features/accounts/api.ts';
import { DeleteAccount } from '../../features/accounts/delete-account.tsx';
import { DeviceList } from '../../features/accounts/device-list.tsx';
import { LanguageChoice } from '../../features/accounts/language-choice.tsx';
import { NotificationChoices } from '../../features/accounts/notification-choices.tsx';
import { PasskeyList } from '../../features/accounts/passkey-list.tsx';
import { PasswordForm } from '../../features/accounts/password-form.tsx';
import { PaymentMethods } from '../../features/accounts/payment-methods.tsx';
import { ProfileForm } from '../../features/accounts/profile-form.tsx';
import { ProviderList } from '../../features/accounts/provider-list.tsx';
import { SecurityActivity } from '../../features/accounts/security-activity.tsx';
import { TwoStep } from '../../features/accounts/two-step.tsx';
import { CalendarAddress } from '../../features/calendar/calendar-address.tsx';
import { ExportButtons } from '../../features/exports/export-buttons.tsx';
import { NoticeChoices } from '../../features/notifications/notice-choices.tsx';
import { NoticeTargets } from '../../features/notifications/notice-targets.tsx';
import { PushDevice } from '../../features/notifications/push-device.tsx';
import { AccessTokens } from '../../features/shares/access-tokens.tsx';
import { BlockedOwners, TrustedOwners } from '../../features/shares/trusted-owners.tsx';
import { useUser } from '../../platform/auth/use-user.ts';
import { t } from '../../platform/i18n/messages.ts';
import { logError } from '../../platform/log.ts';
import { losePresses } from '../../platform/offline/queue.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { TextField } from '../../ui/field.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import { SettingIcon, SettingRow } from '../../ui/setting-row.tsx';
import { useThemeChoice } from '../../ui/theme-changes.ts';
import { chooseTheme, themeChoices } from '../../ui/theme.ts';
import { DiscardQuestion } from '../discard-question.tsx';
import { themeNames } from '../theme-names.ts';
import { useUserRefresh } from './use-user-refresh.ts';

export const SettingsPage = () => <Settings title={t('Settings')} />;

/** The same page: what one changes about oneself is its first part. */
export const ProfilePage = () => <Settings title={t('Your Profile')} />;

function Settings({ title }: { title: string }) {
  usePageTitle(title);
  const user = useUser();
  useUserRefresh();
  return (
    <>
      <PageHeader title={title} />
      {user && <Sections user={user} />}
      <DiscardQuestion />
    </>
  );
}

function Sections({ user }: { user: User }) {
  const theme = useThemeChoice();
  const about = useAbout();
  const hash = useLocation({ select: (location) => location.hash });
  return (
    <div className="grid gap-7 xl:grid-cols-[11rem_minmax(0,760px)]">
      <SectionLinks />
      <div className="grid max-w-[760px] gap-7">
        <Section id="you">
          <div className="flex items-center gap-4 pb-4">
            <Avatar name={user.username} hue={user.id} size="huge" />
            <div className="grid min-w-0 flex-1 gap-x-4 gap-y-2 sm:grid-cols-[1fr_2fr]">
              <TextField label={t('Username')} value={user.username} readOnly className={asText} />
              <TextField label={t('Email')} value={user.email} readOnly className={asText} />
            </div>
          </div>
          <SettingRow
            id="account"
            icon={UserRound}
            title={t('Email and time zone')}
            hint={t("Usernames can't be changed.")}
            action={t('Change')}
          >
            <ProfileForm user={user} />
          </SettingRow>
          <SettingRow
            id="payment-details"
            icon={Wallet}
            title={t('How to pay you')}
            hint={t('Only people who owe you money can see this.')}
            action={t('Edit')}
          >
            <PaymentMethods user={user} />
          </SettingRow>
          <SettingRow id="trusted-owners" icon={UserCheck} title={t('Accept without asking')} action={t('Edit')}>
            <Note>{t('Offers from people you choose')}</Note>
            <TrustedOwners />
          </SettingRow>
          <div className="flex items-center gap-3.5 border-t border-line py-3.5">
            <SettingIcon icon={Languages} />
            <div className="min-w-0 flex-1">
              <LanguageChoice />
            </div>
          </div>
          <div className="flex items-center gap-3.5 border-t border-line py-3.5">
            <SettingIcon icon={Palette} />
            <div className="min-w-0 flex-1">
              <Choice
                beside
                legend={t('Theme')}
                value={theme}
                options={themeChoices.map((value) => ({ value, text: themeNames[value]() }))}
                onChange={chooseTheme}
              />
            </div>
          </div>
          <Disclosure
            open={ADVANCED.has(hash)}
            summary={<span className="text-[14.5px] font-medium">{t('Advanced')}</span>}
            className="border-t border-line pt-2"
          >
            <SettingRow
              id="blocked-owners"
              icon={Ban}
              title={t('Blocked people')}
              hint={t("They can't offer you anything.")}
              action={t('Edit')}
            >
              <BlockedOwners />
            </SettingRow>
            <SettingRow id="calendar" icon={CalendarDays} title={t('Calendar')} action={t('Edit')}>
              <Note>{t('Your sessions and when months close')}</Note>
              <CalendarAddress />
            </SettingRow>
            <SettingRow id="your-data" icon={Database} title={t('Your data')} action={t('Download')}>
              <Note>{t('Everything HourShare stores about you')}</Note>
              <ExportButtons />
            </SettingRow>
          </Disclosure>
        </Section>
        <Section id="notifications">
          <NoticeChoices user={user} />
          <div className="mt-4 border-t border-line pt-3.5">
            <NotificationChoices user={user} />
          </div>
          <PushDevice />
          <SettingRow id="targets" icon={Send} title={t('Send elsewhere')} action={t('Edit')}>
            <Note>{t('To ntfy, Gotify, Slack, or your own program')}</Note>
            <NoticeTargets labelledBy="targets" />
          </SettingRow>
        </Section>
        <Section id="security">
          <SettingRow id="password" icon={KeyRound} title={t('Password')} action={t('Change')}>
            <Note>{t('Changing it signs you out on all other devices.')}</Note>
            <PasswordForm username={user.username} />
          </SettingRow>
          <SettingRow id="passkeys" icon={Fingerprint} title={t('Passkeys')} action={t('See all')}>
            <Note>{t('Sign in with your fingerprint, your face, or a PIN.')}</Note>
            <PasskeyList labelledBy="passkeys" />
          </SettingRow>
          <SettingRow id="two-step" icon={ShieldCheck} title={t('Two-step sign-in')} action={t('Change')}>
            <Note>{t('Also takes a code from an app')}</Note>
            <TwoStep username={user.username} />
          </SettingRow>
          {(about?.providers ?? []).length > 0 && (
            <SettingRow
              id="providers"
              icon={Link2}
              title={t('Sign-in providers')}
              hint={t('Other accounts you can sign in with.')}
              action={t('Change')}
            >
              <ProviderList />
            </SettingRow>
          )}
          <SettingRow id="sign-ins" icon={Laptop} title={t("Where you're signed in")} action={t('See all')}>
            <DeviceList labelledBy="sign-ins" />
          </SettingRow>
          <SettingRow
            id="access-tokens"
            icon={Plug}
            title={t('Access tokens')}
            hint={t('For scripts and smart buttons')}
            action={t('See all')}
          >
            <AccessTokens labelledBy="access-tokens" />
          </SettingRow>
          <SettingRow id="security-activity" icon={History} title={t('Security activity')} action={t('See all')}>
            <SecurityActivity labelledBy="security-activity" />
          </SettingRow>
          <SignOut />
        </Section>
        <DeleteAccount user={user} />
      </div>
    </div>
  );
}

/** The ids of rows that few people need. */
const ADVANCED: ReadonlySet<string> = new Set(['blocked-owners', 'calendar', 'your-data']);

/** A field that can't be changed looks like what it says. */
const asText =
  'h-8! border-transparent! bg-transparent! px-0! font-medium [text-align:-webkit-match-parent] [text-align:match-parent]';

/** What an opened row is about. */
const Note = ({ children }: { children: string }) => <p className="mb-3 text-small text-muted">{children}</p>;

const sectionTitles = {
  you: () => t('You'),
  notifications: () => t('Notifications'),
  security: () => t('Security'),
};

/** Jumps to a section: beside them on wide screens, above them on others. */
const SectionLinks = () => (
  <nav aria-label={t('Settings')} className="xl:sticky xl:top-24 xl:self-start">
    <ul className="flex gap-1 rounded-control bg-sunken p-1 xl:flex-col xl:bg-transparent xl:p-0">
      {Object.entries(sectionTitles).map(([id, title]) => (
        <li key={id} className="flex-1">
          <Link
            to="."
            hash={id}
            activeOptions={{ includeHash: true }}
            className="flex min-h-11 items-center justify-center rounded-control px-3 text-[14.5px] font-medium text-muted hover:text-ink data-[status=active]:bg-surface data-[status=active]:font-semibold data-[status=active]:text-ink xl:justify-start xl:hover:bg-sunken"
          >
            {title()}
          </Link>
        </li>
      ))}
    </ul>
  </nav>
);

interface SectionProps {
  id: keyof typeof sectionTitles;
  children: ReactNode;
}

function Section({ id, children }: SectionProps) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-3 scroll-mt-20 font-display text-[19px] font-bold">
        {sectionTitles[id]()}
      </h2>
      <Card>{children}</Card>
    </section>
  );
}

function SignOut() {
  const [isLeaving, setLeaving] = useState(false);
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
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 border-t border-line pt-4">
      {failed && <Banner className="basis-full">{t('Failed to logout. Please try again.')}</Banner>}
      <p className="text-[13.5px] text-muted">{t('Signs you out on this device only.')}</p>
      <Button
        look="outline"
        icon={<LogOut aria-hidden size={17} />}
        busy={isLeaving}
        busyText={t('Signing out...')}
        onClick={() => losePresses(() => void signOut())}
        className="max-sm:w-full"
      >
        {t('Sign Out')}
      </Button>
    </div>
  );
}
