import { announce } from '../../ui/toasts.ts';
import { t } from '../../platform/i18n/messages.ts';
import { useAbout } from './about-api.ts';
import { updateMe } from './api.ts';
import { EmailNote } from './email-note.tsx';

/** Says that no one has opened a link sent to the user's address yet, and sends one. */
export function UnconfirmedEmail({ email }: { email: string }) {
  if (useAbout()?.mail !== true) return null;
  const send = async () => {
    await updateMe({ email });
    announce(t('A link is on its way to {email}.', { email }));
  };
  return (
    <EmailNote
      action={t('Send a link')}
      busyText={t('Sending...')}
      failureText={t("Couldn't send the link. Please try again.")}
      onAction={send}
    >
      {t(
        "This address isn't confirmed yet. Until it is, setting a new password by email removes your passkeys and providers.",
      )}
    </EmailNote>
  );
}
