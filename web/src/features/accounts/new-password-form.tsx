import { ConfirmResetRequest } from '@hourshare/contract/sign-ins';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { requestResolver, showFieldErrors } from '../../platform/forms/request-form.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { confirmReset } from './api.ts';
import { Confirmation, MISMATCH } from './confirmation.ts';
import { NewPasswordFields } from './new-password-fields.tsx';

interface NewPasswordFormProps {
  token: string;
  onDone: () => void;
  /** The link was used or has expired. */
  onInvalid: () => void;
}

const EMPTY = { password: '', confirmation: '' };

const Passwords = ConfirmResetRequest.pick({ password: true })
  .extend({ confirmation: Confirmation })
  .refine(({ password, confirmation }) => password === confirmation, MISMATCH);
const resolver = requestResolver(Passwords, (typed: typeof EMPTY) => typed);

/** Sets a new password with the link that was sent to the account's address. */
export function NewPasswordForm({ token, onDone, onInvalid }: NewPasswordFormProps) {
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({ defaultValues: EMPTY, reValidateMode: 'onSubmit', resolver });
  const { errors, isSubmitting } = form.formState;
  const field = (name: keyof typeof EMPTY) => ({
    error: errors[name]?.message,
    ...form.register(name, { onChange: () => form.clearErrors(name) }),
  });

  const submit = form.handleSubmit(async ({ password }) => {
    setFailure(null);
    try {
      await confirmReset({ token, password });
      onDone();
    } catch (error) {
      if (error instanceof ApiError && error.code === 'link_invalid') return onInvalid();
      if (showFieldErrors(form, error, ['password'])) return;
      setFailure(errorText(error) || t("Couldn't change your password. Please try again."));
    }
  });

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      {failure !== null && <Banner>{failure}</Banner>}
      <NewPasswordFields password={field('password')} confirmation={field('confirmation')} />
      <Button type="submit" busy={isSubmitting} busyText={t('Saving...')}>
        {t('Set password')}
      </Button>
    </form>
  );
}
