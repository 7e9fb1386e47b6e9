import { useEffect, useState } from 'react';
import { announce } from '../../ui/toasts.ts';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { logError } from '../../platform/log.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { readPushState, turnPushOff, turnPushOn, type PushState } from './push.ts';

/** Turns push messages on and off in this browser. Permission is asked for on the press alone. */
export function PushDevice() {
  const [state, setState] = useState<PushState | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  useEffect(() => {
    let isShown = true;
    readPushState().then(
      (found) => isShown && setState(found),
      (error: unknown) => {
        logError('Push could not be read', error);
        if (isShown) setState('unsupported');
      },
    );
    return () => {
      isShown = false;
    };
  }, []);

  const change = async () => {
    const wasOn = state === 'on';
    setBusy(true);
    setFailure(null);
    try {
      const next = await (wasOn ? turnPushOff() : turnPushOn());
      setState(next);
      if (next === 'on') announce(t('Push is on for this device.'));
      if (wasOn) announce(t('Push is off for this device.'));
    } catch (error) {
      logError('Push could not be changed', error);
      setFailure(errorText(error) || t("Couldn't change push on this device. Please try again."));
    }
    setBusy(false);
  };

  if (state === null) return null;
  const reason = reasons[state]?.();
  return (
    <div className="mt-4 border-t border-line py-3.5">
      {failure !== null && <Banner className="mb-3">{failure}</Banner>}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 flex-1 basis-60 text-[14px] text-muted">
          {reason ??
            (state === 'on'
              ? t('This device shows push messages, even when HourShare is closed.')
              : t('Push messages reach this device even when HourShare is closed.'))}
        </p>
        {reason === undefined && (
          <Button look="outline" busy={isBusy} onClick={() => void change()}>
            {state === 'on' ? t('Turn off push on this device') : t('Turn on push on this device')}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Why push can't be turned on here. */
const reasons: Partial<Record<PushState, () => string>> = {
  blocked: () =>
    t('Your browser blocks notifications from this address. Allow them in its settings to turn on push here.'),
  unsupported: () =>
    t("This browser can't receive push messages. On an iPhone or iPad, add HourShare to the Home Screen first."),
  insecure: () => t('Push needs an address that starts with https.'),
};
