import { ResetRequest } from '@hourshare/contract/sign-ins';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { requestResolver, showFieldErrors } from '../../platform/forms/request-form.ts';
import { t } from '../../platform/i18n/messages.ts';
import { useTypedText } from '../../platform/forms/typed-text.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { requestReset } from './api.ts';

const EMPTY = { email: '' };
const resolver = requestResolver(ResetRequest, (typed: typeof EMPTY) => typed);

/** Asks for a link to set a new password. */
export function RecoveryForm({ onSent }: { onSent: (email: string) => void }) {
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({ defaultValues: useTypedText(EMPTY), reValidateMode: 'onSubmit', resolver });
  const { errors, isSubmitting } = form.formState;

  const submit = form.handleSubmit(async ({ email }) => {
    setFailure(null);
    try {
      await requestReset(email);
      onSent(email);
    } catch (error) {
      if (showFieldErrors(form, error, ['email'])) return;
      setFailure(errorText(error) || t("Couldn't send the link. Please try again."));
    }
  });

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      {failure !== null && <Banner>{failure}</Banner>}
      <TextField
        label={t('Email address')}
        type="email"
        autoComplete="email"
        error={errors.email?.message}
        {...form.register('email', { onChange: () => form.clearErrors('email') })}
      />
      <Button type="submit" busy={isSubmitting} busyText={t('Sending...')}>
        {t('Send link')}
      </Button>
    </form>
  );
}
