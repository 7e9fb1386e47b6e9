import { useState } from 'react';
import '../../lib/later-error-texts.ts';
import { t } from '../../lib/messages.ts';
import { Button } from '../../ui/button.tsx';
import { CodeForm } from './code-form.tsx';
import { loginFailureText } from './rules.ts';

interface SecondStepProps {
  onCode: (code: string) => Promise<void>;
  onBack: () => void;
}

/** Asks for the code that signing in takes in addition to the password. */
export function SecondStep({ onCode, onBack }: SecondStepProps) {
  const [kind, setKind] = useState<'app' | 'recovery'>('app');
  return (
    // A new key clears the field.
    <CodeForm key={kind} kind={kind} onCode={onCode} failureText={loginFailureText}>
      {(isBusy) => (
        <>
          <Button type="submit" busy={isBusy} busyText={t('Signing in...')}>
            {t('Sign in')}
          </Button>
          <div className="-my-1 flex flex-wrap justify-between gap-x-4">
            <Button look="plain" size="small" className="-ms-3" disabled={isBusy} onClick={onBack}>
              {t('Back')}
            </Button>
            <Button
              look="plain"
              size="small"
              className="-me-3"
              disabled={isBusy}
              onClick={() => setKind(kind === 'app' ? 'recovery' : 'app')}
            >
              {kind === 'app' ? t('Use a recovery code') : t('Use your authenticator app')}
            </Button>
          </div>
        </>
      )}
    </CodeForm>
  );
}
