import { PaymentDetailsForm } from '../../features/accounts/payment-details-form.tsx';
import { PasswordForm } from '../../features/accounts/password-form.tsx';
import { ProfileForm } from '../../features/accounts/profile-form.tsx';
import { t } from '../../lib/messages.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { useUser } from '../../lib/use-sign-in.ts';
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
        <Card as="section" labelledBy="payment-details">
          <h2 id="payment-details" className="font-semibold">
            {t('How to pay you')}
          </h2>
          <p className="mt-0.5 mb-4 text-[14px] text-muted">{t('Only people who owe you money can see this.')}</p>
          <PaymentDetailsForm user={user} />
        </Card>
      </div>
      <DiscardQuestion />
    </>
  );
}
