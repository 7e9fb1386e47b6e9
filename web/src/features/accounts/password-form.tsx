import { ChangePasswordRequest } from '@hourshare/contract/sign-ins';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { announce } from '../../ui/toasts.ts';
import { announceChange } from '../../platform/live/changes.ts';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { markSaved, requestResolver, showFieldErrors } from '../../platform/forms/request-form.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { t } from '../../platform/i18n/messages.ts';
import { useUnsaved } from '../../platform/forms/unsaved.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { changePassword } from './api.ts';
import { Confirmation, MISMATCH } from './confirmation.ts';
import { CurrentPassword } from './current-password.tsx';
import { NewPasswordFields } from './new-password-fields.tsx';
import { useProofMethods } from './passkeys-api.ts';
import { RemovePassword } from './remove-password.tsx';

interface Typed {
  /** Null if a passkey was used instead, or if the account has no password. */
  current_password: string | null;
  new_password: string;
  confirmation: string;
}

const EMPTY: Typed = { current_password: '', new_password: '', confirmation: '' };

const Passwords = ChangePasswordRequest.extend({ confirmation: Confirmation }).refine(
  ({ new_password, confirmation }) => new_password === confirmation,
  MISMATCH,
);
const resolver = requestResolver(Passwords, ({ current_password: current, ...typed }: Typed) => ({
  ...typed,
  ...(current !== null && { current_password: current }),
}));

export function PasswordForm({ username }: { username: string }) {
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({ defaultValues: EMPTY, reValidateMode: 'onSubmit', resolver });
  const { errors, isSubmitting, isDirty } = form.formState;
  const client = useQueryClient();
  const methods = useProofMethods();
  const current = useWatch({ control: form.control, name: 'current_password' });
  useUnsaved(isDirty, { isSaving: isSubmitting });
  const field = (name: keyof Typed) => ({
    error: errors[name]?.message,
    ...form.register(name, { onChange: () => form.clearErrors(name) }),
  });

  const submit = form.handleSubmit(async ({ current_password, new_password }) => {
    setFailure(null);
    const sent = form.getValues();
    try {
      await changePassword({ current_password, new_password });
      markSaved(form, sent, EMPTY);
      announce(t('Password changed. Your other devices are signed out.'));
      await announceChange(client, 'passkeys');
    } catch (error) {
      if (showFieldErrors(form, error, ['current_password', 'new_password'])) return;
      const message = error instanceof ApiError && error.status < 500 ? errorText(error) : '';
      setFailure(message || t("Couldn't change your password. Please try again."));
    }
  });

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      {failure !== null && <Banner>{failure}</Banner>}
      {/* Tells password managers which account this password is for. */}
      <input hidden readOnly autoComplete="username" value={username} />
      <CurrentPassword
        value={current}
        onChoose={(value) => form.resetField('current_password', { defaultValue: value })}
        {...field('current_password')}
      />
      <NewPasswordFields password={field('new_password')} confirmation={field('confirmation')} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" busy={isSubmitting} busyText={t('Changing...')}>
          {methods.includes('password') ? t('Change password') : t('Set password')}
        </Button>
        {methods.includes('password') && methods.includes('passkey') && <RemovePassword />}
      </div>
    </form>
  );
}
