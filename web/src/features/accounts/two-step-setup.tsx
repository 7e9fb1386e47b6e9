import type { TwoStepKey } from '@hourshare/contract/sign-ins';
import { lazy, Suspense } from 'react';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { CopyField } from '../../ui/copy-field.tsx';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.tsx';
import { CodeForm } from './code-form.tsx';
import { useConfirmKey } from './two-step-api.ts';

const QrCode = lazy(async () => ({ default: (await import('../../ui/qr-code.tsx')).QrCode }));

interface TwoStepSetupProps {
  made: TwoStepKey;
  onDone: (codes: string[]) => void;
  onCancel: () => void;
}

/** Shows a key for an authenticator app, and asks for its first code. */
export function TwoStepSetup({ made: { key, address }, onDone, onCancel }: TwoStepSetupProps) {
  const confirm = useConfirmKey();
  return (
    <Dialog title={t('Turn on two-step sign-in')} onClose={onCancel}>
      <DialogBody>
        <p>
          {t(
            'Scan this with an authenticator app, such as the one in your password manager. Then enter the code it shows.',
          )}
        </p>
        <div className="mx-auto my-4 max-w-56 overflow-clip rounded-control border border-line">
          <Suspense fallback={<div className="aspect-square" />}>
            <QrCode text={address} label={t('QR code for your authenticator app')} />
          </Suspense>
        </div>
        <CopyField label={t("Key, if you can't scan it")} value={key.match(/.{1,4}/g)?.join(' ') ?? ''} />
        <div className="mt-4">
          <CodeForm
            kind="app"
            onCode={async (code) => onDone((await confirm.mutateAsync(code)).recovery_codes)}
            failureText={(error) => errorText(error) || t("Couldn't turn it on. Please try again.")}
          >
            {(isBusy) => (
              <DialogButtons>
                <Button look="outline" disabled={isBusy} onClick={onCancel}>
                  {t('Cancel')}
                </Button>
                <Button type="submit" busy={isBusy} busyText={t('Checking...')}>
                  {t('Turn on')}
                </Button>
              </DialogButtons>
            )}
          </CodeForm>
        </div>
      </DialogBody>
    </Dialog>
  );
}
