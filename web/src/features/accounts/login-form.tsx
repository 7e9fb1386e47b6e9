import { LoginRequest } from '@hourshare/contract/accounts';
import { PASSWORD_MIN_LENGTH } from '@hourshare/contract/limits';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { requestResolver, showFieldErrors } from '../../lib/forms.ts';
import { t } from '../../lib/messages.ts';
import { paths } from '../../lib/paths.ts';
import { useTypedText } from '../../lib/typed-text.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { textLink } from '../../ui/text-link.ts';
import { login } from './api.ts';
import { loginFailureText } from './rules.ts';

const EMPTY = { username: '', password: '' };

// Shorter passwords can't exist, so reject them without a request.
const Credentials = LoginRequest.extend({
  password: LoginRequest.shape.password.min(PASSWORD_MIN_LENGTH, {
    error: () => t('Password must be at least {count} characters long', { count: PASSWORD_MIN_LENGTH }),
  }),
});
const resolver = requestResolver(Credentials, (typed: typeof EMPTY) => typed);

export function LoginForm({ onDone }: { onDone: () => void }) {
  const [failure, setFailure] = useState<string | null>(null);
  const defaultValues = useTypedText(EMPTY);
  const form = useForm({ defaultValues, reValidateMode: 'onSubmit', resolver });
  const { errors, isSubmitting } = form.formState;
  const clearOnEdit = (name: 'username' | 'password') => ({ onChange: () => form.clearErrors(name) });

  const submit = form.handleSubmit(async (credentials) => {
    setFailure(null);
    try {
      await login(credentials);
      onDone();
    } catch (error) {
      if (!showFieldErrors(form, error, ['username', 'password'])) setFailure(loginFailureText(error));
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
        {...form.register('username', clearOnEdit('username'))}
      />
      <TextField
        label={t('Password')}
        type="password"
        autoComplete="current-password"
        error={errors.password?.message}
        {...form.register('password', clearOnEdit('password'))}
      />
      <div className="-my-2 text-end text-[14px]">
        <Link to={paths.forgotPassword} className={`${textLink} inline-flex min-h-11 items-center`}>
          {t('Forgot your password?')}
        </Link>
      </div>
      <Button type="submit" busy={isSubmitting} busyText={t('Signing in...')}>
        {t('Sign in')}
      </Button>
    </form>
  );
}
