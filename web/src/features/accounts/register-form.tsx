import { RegisterPasskeyRequest, RegisterRequest, type NewPasskey } from '@hourshare/contract/sign-ins';
import { useState } from 'react';
import { useForm, type Resolver } from 'react-hook-form';
import { requestResolver, showFieldErrors } from '../../platform/forms/request-form.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { t } from '../../platform/i18n/messages.ts';
import { useTypedText } from '../../platform/forms/typed-text.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { register } from './api.ts';
import { Confirmation, MISMATCH } from './confirmation.ts';
import { passkeyFailureText, registerFailureText } from './rules.ts';
import { usePasskeySupport } from './use-passkey-support.ts';

const EMPTY = { username: '', email: '', password: '', confirmation: '' };
const SENT = ['username', 'email', 'password'] as const;

const Account = RegisterRequest.extend({ confirmation: Confirmation }).refine(
  ({ password, confirmation }) => password === confirmation,
  MISMATCH,
);
const namesOf = ({ username, email }: typeof EMPTY) => ({ username: username.trim(), email: email.trim() });

type Ready = Pick<RegisterRequest, 'username' | 'email' | 'password'>;
const resolvers: Record<'password' | 'passkey', Resolver<typeof EMPTY, unknown, Ready>> = {
  password: requestResolver(Account, (typed: typeof EMPTY) => ({ ...typed, ...namesOf(typed) })),
  passkey: requestResolver(RegisterPasskeyRequest, namesOf),
};

interface RegisterFormProps {
  /** The token of an invitation that is accepted along with it. */
  invitation?: string | undefined;
  /** What it offers, so that nothing else is accepted. */
  seen?: RegisterRequest['seen'];
  /** Called when it offers something else by now. */
  onChanged?: () => void;
  /** What is claimed along with it. */
  claim?: RegisterRequest['claim'];
  onDone: () => void;
}

export function RegisterForm({ invitation, seen, onChanged, claim, onDone }: RegisterFormProps) {
  const [failure, setFailure] = useState<string | null>(null);
  const defaultValues = useTypedText(EMPTY);
  const [way, setWay] = useState<'password' | 'passkey'>('password');
  const support = usePasskeySupport();
  const form = useForm({ defaultValues, reValidateMode: 'onSubmit', resolver: resolvers[way] });
  const { errors, isSubmitting } = form.formState;
  const clearOnEdit = (name: keyof typeof EMPTY) => ({ onChange: () => form.clearErrors(name) });

  const submit = form.handleSubmit(async ({ username, email, password }) => {
    setFailure(null);
    let created: NewPasskey | undefined;
    try {
      if (way === 'passkey') created = await (await import('./passkeys.ts')).createForRegistration({ username, email });
      await register({
        username,
        email,
        ...(created ? { passkey: created } : { password }),
        ...(invitation !== undefined && { invitation }),
        ...(seen && { seen }),
        ...(claim && { claim }),
      });
      onDone();
    } catch (error) {
      if (created) void import('./passkeys.ts').then(({ forgetPasskey }) => created && forgetPasskey(created.id));
      showFieldErrors(form, error, SENT);
      const isAboutPasskey = error instanceof Error && 'reason' in error;
      setFailure(isAboutPasskey ? passkeyFailureText(error) : registerFailureText(error, SENT));
      if (error instanceof ApiError && (error.code === 'offer_changed' || error.code === 'claim_changed'))
        onChanged?.();
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
        label={t('Email address')}
        type="email"
        autoComplete="email"
        error={errors.email?.message}
        {...form.register('email', clearOnEdit('email'))}
      />
      {way === 'passkey' && (
        <p className="text-[14px] text-muted">
          {t(
            "Your device will ask for your fingerprint, your face, or its PIN. You'll sign in the same way, without a password.",
          )}
        </p>
      )}
      {way === 'password' && (
        <>
          <TextField
            label={t('Password')}
            type="password"
            autoComplete="new-password"
            error={errors.password?.message}
            {...form.register('password', clearOnEdit('password'))}
          />
          <TextField
            label={t('Confirm password')}
            type="password"
            autoComplete="new-password"
            error={errors.confirmation?.message}
            {...form.register('confirmation', clearOnEdit('confirmation'))}
          />
        </>
      )}
      <Button type="submit" busy={isSubmitting} busyText={t('Creating account...')} className="mt-1">
        {way === 'passkey' ? t('Create account with a passkey') : t('Create account')}
      </Button>
      {support === 'yes' && (
        <Button
          look="plain"
          disabled={isSubmitting}
          onClick={() => setWay(way === 'password' ? 'passkey' : 'password')}
        >
          {way === 'password' ? t('Create a passkey instead of a password') : t('Choose a password instead')}
        </Button>
      )}
    </form>
  );
}
