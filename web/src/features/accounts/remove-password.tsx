import { useState } from 'react';
import { t } from '../../platform/i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useRemovePassword } from './passkeys-api.ts';
import { passkeyFailureText } from './rules.ts';

/** The button, and the dialog that it opens. */
export function RemovePassword() {
  const [isAsking, setAsking] = useState(false);
  const remove = useRemovePassword();
  return (
    <>
      <Button look="outline" onClick={() => setAsking(true)}>
        {t('Remove password')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('Remove your password?')}
          confirm={t('Use a passkey to remove it')}
          busyText={t('Removing...')}
          busy={remove.isPending}
          failure={remove.isError ? passkeyFailureText(remove.error) : null}
          onConfirm={() => remove.mutate()}
          onCancel={() => setAsking(false)}
        >
          <p>{t("You'll sign in with a passkey only. Your other devices are signed out.")}</p>
          <p>{t('You can set a password again at any time.')}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
