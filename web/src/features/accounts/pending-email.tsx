import { useState, type ReactNode } from 'react';
import { announce } from '../../lib/announcements.ts';
import { errorText } from '../../lib/error-texts.ts';
import { rich, t } from '../../lib/messages.ts';
import { momentText } from '../../lib/time.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { cancelEmailChange } from './api.ts';

const strong = (text: ReactNode) => <b className="font-semibold [overflow-wrap:anywhere]">{text}</b>;

interface PendingEmailProps {
  email: string;
  until: string;
  /** Moves the focus, because this component disappears together with its button. */
  onCancel: () => void;
}

/** Shows the address that isn't confirmed yet, and lets the user cancel the change. */
export function PendingEmail({ email, until, onCancel }: PendingEmailProps) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const cancel = async () => {
    setBusy(true);
    setFailure(null);
    try {
      await cancelEmailChange();
      announce(t('Your email address stays the same.'));
      onCancel();
    } catch (error) {
      setFailure(errorText(error) || t("Couldn't cancel the change. Please try again."));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="rounded-card bg-sunken px-3.5 py-3 text-[14px]">
      {failure !== null && <Banner className="mb-2">{failure}</Banner>}
      <p>
        {rich('Open the link sent to <b>{email}</b> before {until}. Until then, your address stays the same.', {
          email,
          until: momentText(until),
          b: strong,
        })}
      </p>
      <Button
        look="outline"
        size="small"
        busy={isBusy}
        busyText={t('Canceling...')}
        onClick={() => void cancel()}
        className="mt-2.5"
      >
        {t('Cancel Change')}
      </Button>
    </div>
  );
}
