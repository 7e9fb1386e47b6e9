import { LoginRequest } from '@hourshare/contract/sign-ins';
import { PASSWORD_MIN_LENGTH } from '@hourshare/contract/limits';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { requestResolver, showFieldErrors } from '../../platform/forms/request-form.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { t } from '../../platform/i18n/messages.ts';
import { paths } from '../../platform/paths.ts';
import { useTypedText } from '../../platform/forms/typed-text.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { textLink } from '../../ui/text-link.ts';
import { login } from './api.ts';
import { loginFailureText } from './rules.ts';
import { SecondStep } from './second-step.tsx';

const EMPTY = { username: '', password: '' };

// Shorter passwords can't exist, so reject them without a request.
const Credentials = LoginRequest.extend({
  password: LoginRequest.shape.password.min(PASSWORD_MIN_LENGTH, {
    error: () => t('Password must be at least {count} characters long', { count: PASSWORD_MIN_LENGTH }),
  }),
});
const resolver = requestResolver(Credentials, (typed: typeof EMPTY) => typed);

interface LoginFormProps {
  /** The user to sign in, if known. */
  username?: string;
  signIn?: typeof login;
  onDone: () => void;
}

export function LoginForm({ username = '', signIn = login, onDone }: LoginFormProps) {
  const [failure, setFailure] = useState<string | null>(null);
  const [verified, setVerified] = useState<LoginRequest | null>(null);
  const defaultValues = useTypedText({ ...EMPTY, username });
  const form = useForm({ defaultValues, reValidateMode: 'onSubmit', resolver });
  const { errors, isSubmitting } = form.formState;
  const clearOnEdit = (name: 'username' | 'password') => ({ onChange: () => form.clearErrors(name) });

  const submit = form.handleSubmit(async (credentials) => {
    setFailure(null);
    try {
      await signIn(credentials);
      onDone();
    } catch (error) {
      if (error instanceof ApiError && error.code === 'second_step_required') setVerified(credentials);
      else if (!showFieldErrors(form, error, ['username', 'password'])) setFailure(loginFailureText(error));
    }
  });

  // The form keeps what was typed, but the field that had the focus is gone.
  const { setFocus } = form;
  const wasAsked = useRef(false);
  useEffect(() => {
    if (wasAsked.current && !verified) setFocus('password');
    wasAsked.current = verified !== null;
  }, [verified, setFocus]);

  if (verified)
    return (
      <SecondStep
        onCode={async (code) => {
          await login({ ...verified, code });
          onDone();
        }}
        onBack={() => setVerified(null)}
      />
    );
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      {failure !== null && <Banner>{failure}</Banner>}
      <TextField
        label={t('Username')}
        autoComplete="username webauthn"
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
