import { KeyRound } from 'lucide-react';
import { useEffect, useState } from 'react';
import { t } from '../../platform/i18n/messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { adoptSignIn } from './api.ts';
import { passkeyFailureText } from './rules.ts';
import { usePasskeySupport } from './use-passkey-support.ts';

/** Shorter than the lifetime of the request on the server. */
const RENEW_MILLISECONDS = 4 * 60_000;

interface PasskeySignInProps {
  adopt?: typeof adoptSignIn;
  onDone: () => void;
}

/** The button to sign in with a passkey, if that works here. Browsers can also suggest passkeys in the username field. */
export function PasskeySignIn({ adopt = adoptSignIn, onDone }: PasskeySignInProps) {
  const support = usePasskeySupport();
  return support === 'yes' ? <PasskeyButton adopt={adopt} onDone={onDone} /> : null;
}

function PasskeyButton({ adopt, onDone }: Required<PasskeySignInProps>) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  useSuggestions({ isOn: !isBusy, adopt, onDone, onFailure: setFailure });
  const signIn = async () => {
    setBusy(true);
    setFailure(null);
    try {
      const { signInWithPasskey } = await import('./passkeys.ts');
      adopt(await signInWithPasskey());
      onDone();
    } catch (error) {
      setFailure(passkeyFailureText(error));
      setBusy(false);
    }
  };
  return (
    <div className="mt-3 grid gap-3">
      <Button look="outline" busy={isBusy} busyText={t('Signing in...')} onClick={() => void signIn()}>
        <KeyRound aria-hidden size={18} />
        {t('Sign in with a passkey')}
      </Button>
      {failure !== null && <Banner>{failure}</Banner>}
    </div>
  );
}

interface Suggestions extends Required<PasskeySignInProps> {
  isOn: boolean;
  onFailure: (text: string | null) => void;
}

function useSuggestions({ isOn, adopt, onDone, onFailure }: Suggestions): void {
  useEffect(() => {
    if (!isOn) return undefined;
    let isCurrent = true;
    const suggest = async () => {
      try {
        const { signInFromSuggestions } = await import('./passkeys.ts');
        const answer = isCurrent ? await signInFromSuggestions() : undefined;
        if (!answer || !isCurrent) return;
        adopt(answer);
        onDone();
      } catch (error) {
        // Errors aren't shown for a suggestion that the user didn't choose.
        if (isCurrent) onFailure(passkeyFailureText(error, { ifAnswered: true }));
      }
    };
    void suggest();
    const renewal = setInterval(() => void suggest(), RENEW_MILLISECONDS);
    return () => {
      isCurrent = false;
      clearInterval(renewal);
      void import('./passkeys.ts').then(({ endSuggestions }) => endSuggestions());
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a new function isn't a reason to ask again
  }, [isOn]);
}
