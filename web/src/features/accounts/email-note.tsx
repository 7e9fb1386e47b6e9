import { useState, type ReactNode } from 'react';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';

interface EmailNoteProps {
  children: ReactNode;
  action: string;
  busyText: string;
  /** Shown if the action fails for no known reason. */
  failureText: string;
  onAction: () => Promise<void>;
}

/** A note below the email address, with a button. */
export function EmailNote({ children, action, busyText, failureText, onAction }: EmailNoteProps) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const act = async () => {
    setBusy(true);
    setFailure(null);
    try {
      await onAction();
    } catch (error) {
      setFailure(errorText(error) || failureText);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="rounded-card bg-sunken px-3.5 py-3 text-[14px]">
      {failure !== null && <Banner className="mb-2">{failure}</Banner>}
      <p>{children}</p>
      <Button
        look="outline"
        size="small"
        busy={isBusy}
        busyText={busyText}
        onClick={() => void act()}
        className="mt-2.5"
      >
        {action}
      </Button>
    </div>
  );
}
