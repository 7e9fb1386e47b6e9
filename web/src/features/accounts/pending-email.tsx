import type { ReactNode } from 'react';
import { announce } from '../../ui/toasts.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { momentText } from '../../platform/format/time.ts';
import { cancelEmailChange } from './api.ts';
import { EmailNote } from './email-note.tsx';

const strong = (text: ReactNode) => <b className="font-semibold [overflow-wrap:anywhere]">{text}</b>;

interface PendingEmailProps {
  email: string;
  until: string;
  /** Moves the focus, because this component disappears together with its button. */
  onCancel: () => void;
}

/** Shows the address that isn't confirmed yet, and lets the user cancel the change. */
export function PendingEmail({ email, until, onCancel }: PendingEmailProps) {
  const cancel = async () => {
    await cancelEmailChange();
    announce(t('Your email address stays the same.'));
    onCancel();
  };
  return (
    <EmailNote
      action={t('Cancel change')}
      busyText={t('Canceling...')}
      failureText={t("Couldn't cancel the change. Please try again.")}
      onAction={cancel}
    >
      {rich('Open the link sent to <b>{email}</b> before {until}. Until then, your address stays the same.', {
        email,
        until: momentText(until),
        b: strong,
      })}
    </EmailNote>
  );
}
