import { DeleteAccount } from '../../features/accounts/delete-account.tsx';
import { ExportButtons } from '../../features/exports/export-buttons.tsx';
import { PasskeyList } from '../../features/accounts/passkey-list.tsx';
import { PaymentDetails } from '../../features/accounts/payment-details-form.tsx';
import { PasswordForm } from '../../features/accounts/password-form.tsx';
import { ProfileForm } from '../../features/accounts/profile-form.tsx';
import { ProviderList } from '../../features/accounts/provider-list.tsx';
import { TwoStep } from '../../features/accounts/two-step.tsx';
import { t } from '../../platform/i18n/messages.ts';
import { usePageTitle } from '../../ui/page-title.ts';
import { useUser } from '../../platform/auth/use-user.ts';
import { Card } from '../../ui/card.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { DiscardQuestion } from '../discard-question.tsx';
import { useUserRefresh } from './use-user-refresh.ts';

export function ProfilePage() {
  usePageTitle(t('Your Profile'));
  const user = useUser();
  useUserRefresh();
  if (!user) return null;
  return (
    <>
      <PageHeader title={t('Your Profile')}>{t('Manage your account details.')}</PageHeader>
      <div className="grid gap-3.5 md:grid-cols-2">
        <Card as="section" labelledBy="account">
          <h2 id="account" className="mb-4 font-semibold">
            {t('Account')}
          </h2>
          <ProfileForm user={user} />
        </Card>
        <Card as="section" labelledBy="password">
          <h2 id="password" className="font-semibold">
            {t('Password')}
          </h2>
          <p className="mt-0.5 mb-4 text-[14px] text-muted">{t('Changing it signs you out on all other devices.')}</p>
          <PasswordForm username={user.username} />
        </Card>
        <Card as="section" labelledBy="passkeys">
          <h2 id="passkeys" className="font-semibold">
            {t('Passkeys')}
          </h2>
          <p className="mt-0.5 text-[14px] text-muted">
            {t('Sign in with your fingerprint, your face, or the PIN of your device instead of a password.')}
          </p>
          <PasskeyList labelledBy="passkeys" />
        </Card>
        <Card as="section" labelledBy="two-step">
          <h2 id="two-step" className="font-semibold">
            {t('Two-step sign-in')}
          </h2>
          <p className="mt-0.5 mb-4 text-[14px] text-muted">
            {t("Signing in also takes a code from an authenticator app, so your password alone isn't enough.")}
          </p>
          <TwoStep username={user.username} />
        </Card>
        <ProviderList />
        <Card as="section" labelledBy="payment-details">
          <h2 id="payment-details" className="font-semibold">
            {t('How to pay you')}
          </h2>
          <p className="mt-0.5 mb-4 text-[14px] text-muted">{t('Only people who owe you money can see this.')}</p>
          <PaymentDetails user={user} />
        </Card>
        <Card as="section" labelledBy="your-data">
          <h2 id="your-data" className="font-semibold">
            {t('Your data')}
          </h2>
          <p className="mt-0.5 mb-4 text-[14px] text-muted">
            {t('Everything HourShare stores about you, except what belongs only to other people.')}
          </p>
          <ExportButtons />
          <div className="mt-5 grid gap-3 border-t border-line pt-4">
            <p className="text-[14px] text-muted">{t('You can delete your account here. Download your data first.')}</p>
            <DeleteAccount user={user} />
          </div>
        </Card>
      </div>
      <DiscardQuestion />
    </>
  );
}
