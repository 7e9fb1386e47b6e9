import { useEffect, type ComponentProps } from 'react';
import { t } from '../../platform/i18n/messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { useCheckWithPasskey, useProofMethods } from './passkeys-api.ts';
import { passkeyFailureText } from './rules.ts';
import { usePasskeySupport } from './use-passkey-support.ts';

interface CurrentPasswordProps extends Omit<
  ComponentProps<typeof TextField>,
  'label' | 'type' | 'autoComplete' | 'value'
> {
  /** The current value; null if no password is sent, because a passkey was used or the account has none. */
  value: string | null;
  /** Sets the value without marking the form as changed. */
  onChoose: (value: string | null) => void;
}

/** The current password field, or using a passkey instead. Accounts without a password are asked when the form is sent. */
export function CurrentPassword({ value, onChoose, ...field }: CurrentPasswordProps) {
  const methods = useProofMethods();
  const check = useCheckWithPasskey();
  const support = usePasskeySupport();
  const hasPassword = methods.includes('password');
  const failure = check.isError ? passkeyFailureText(check.error) : null;
  // The server requires a password again some time after a passkey was used.
  const isRefused = hasPassword && value === null && field.error !== undefined;
  useEffect(() => {
    if (!hasPassword) onChoose(null);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a new function is no reason to choose again
  }, [hasPassword]);
  if (!hasPassword) return null;
  if (value === null && !isRefused)
    return (
      <p role="status" className="text-[14px] text-muted">
        {t('Confirmed with a passkey.')}
      </p>
    );
  return (
    <div className="grid gap-2">
      <TextField label={t('Current password')} type="password" autoComplete="current-password" {...field} />
      {methods.includes('passkey') && support === 'yes' && (
        <Button
          look="plain"
          size="small"
          className="justify-self-start"
          busy={check.isPending}
          busyText={t('Checking...')}
          onClick={() => check.mutate(undefined, { onSuccess: () => onChoose(null) })}
        >
          {t('Use a passkey instead')}
        </Button>
      )}
      {failure !== null && <Banner>{failure}</Banner>}
    </div>
  );
}
