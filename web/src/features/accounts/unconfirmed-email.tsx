import type { User } from '@hourshare/contract/accounts';
import { useState } from 'react';
import { announce } from '../../lib/announcements.ts';
import { errorText } from '../../lib/error-texts.ts';
import { t } from '../../lib/messages.ts';
import { useAbout } from '../../lib/use-registration.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { updateMe } from './api.ts';

/** Says that no one has opened a link sent to the user's address yet, and sends one. */
export function UnconfirmedEmail({ user }: { user: User }) {
  const sendsMail = useAbout()?.mail === true;
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  if (!sendsMail || user.email_confirmed) return null;
  const send = async () => {
    setBusy(true);
    setFailure(null);
    try {
      await updateMe({ email: user.email });
      announce(t('A link is on its way to {email}.', { email: user.email }));
    } catch (error) {
      setFailure(errorText(error) || t("Couldn't send the link. Please try again."));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="rounded-card bg-sunken px-3.5 py-3 text-[14px]">
      {failure !== null && <Banner className="mb-2">{failure}</Banner>}
      <p>
        {t(
          "This address isn't confirmed yet. Until it is, setting a new password by email removes your passkeys and providers.",
        )}
      </p>
      <Button
        look="outline"
        size="small"
        busy={isBusy}
        busyText={t('Sending...')}
        onClick={() => void send()}
        className="mt-2.5"
      >
        {t('Send a Link')}
      </Button>
    </div>
  );
}
