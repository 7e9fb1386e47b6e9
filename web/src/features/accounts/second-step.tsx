import { useState } from 'react';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { CodeForm, OtherKind, type CodeKind } from './code-form.tsx';
import { loginFailureText } from './rules.ts';

interface SecondStepProps {
  /** Signing in, or a check of someone who is signed in. */
  purpose?: 'sign-in' | 'check';
  onCode: (code: string) => Promise<void>;
  onBack: () => void;
}

const checkFailureText = (error: unknown) =>
  errorText(error) || t('An unexpected error occurred. Please try again later.');

/** Asks for the code that signing in takes in addition to the password. */
export function SecondStep({ purpose = 'sign-in', onCode, onBack }: SecondStepProps) {
  const [kind, setKind] = useState<CodeKind>('app');
  const isSignIn = purpose === 'sign-in';
  return (
    // A new key clears the field.
    <CodeForm key={kind} kind={kind} onCode={onCode} failureText={isSignIn ? loginFailureText : checkFailureText}>
      {(isBusy) => (
        <>
          <Button type="submit" busy={isBusy} busyText={isSignIn ? t('Signing in...') : t('Checking...')}>
            {isSignIn ? t('Sign in') : t('Confirm')}
          </Button>
          <div className="-my-1 flex flex-wrap justify-between gap-x-4">
            <Button look="plain" size="small" className="-ms-3" disabled={isBusy} onClick={onBack}>
              {t('Back')}
            </Button>
            <OtherKind kind={kind} onChange={setKind} className="-me-3" disabled={isBusy} />
          </div>
        </>
      )}
    </CodeForm>
  );
}
