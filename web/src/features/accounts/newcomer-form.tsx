import { ProviderRegisterRequest } from '@hourshare/contract/sign-ins';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { requestResolver, showFieldErrors } from '../../platform/forms/request-form.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { registerWithProvider, type ProviderPlan } from './providers-api.ts';
import { registerFailureText } from './rules.ts';

const SENT = ['username', 'email'] as const;
const fields = ProviderRegisterRequest.required({ email: true }).pick({ username: true, email: true });
const resolver = requestResolver(fields, (typed: { username: string; email: string }) => ({
  username: typed.username.trim(),
  email: typed.email.trim(),
}));

interface NewcomerFormProps {
  ticket: string;
  /** The address that the provider vouches for; the user can enter another one. */
  email: string | null;
  joining: ProviderPlan['joining'];
  onDone: () => void;
}

/** What a new account needs in addition to what the provider says. */
export function NewcomerForm({ ticket, email: known, joining, onDone }: NewcomerFormProps) {
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({
    defaultValues: { username: '', email: known ?? '' },
    reValidateMode: 'onSubmit',
    resolver,
  });
  const { errors, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async ({ username, email }) => {
    setFailure(null);
    try {
      await registerWithProvider({ ticket, username, email, ...joining });
      onDone();
    } catch (error) {
      showFieldErrors(form, error, SENT);
      setFailure(registerFailureText(error, SENT));
    }
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      {failure !== null && <Banner>{failure}</Banner>}
      <TextField
        label={t('Username')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        error={errors.username?.message}
        {...form.register('username', { onChange: () => form.clearErrors('username') })}
      />
      <TextField
        label={t('Email address')}
        type="email"
        autoComplete="email"
        error={errors.email?.message}
        {...form.register('email', { onChange: () => form.clearErrors('email') })}
      />
      <Button type="submit" busy={isSubmitting} busyText={t('Creating account...')} className="mt-1">
        {t('Create account')}
      </Button>
    </form>
  );
}
