import { CheckRequest, type Check, type Identity } from '@hourshare/contract/sign-ins';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { requestResolver, showFieldErrors } from '../../platform/forms/request-form.ts';
import { losePresses } from '../../platform/offline/queue.ts';
import { call } from '../../platform/http/call.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { t } from '../../platform/i18n/messages.ts';
import { useUser } from '../../platform/auth/use-user.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Button } from '../../ui/button.tsx';
import { logout } from './api.ts';
import { CodeField, OtherKind, type CodeKind } from './code-form.tsx';
import { useCheckWithPasskey } from './passkeys-api.ts';
import { goToProvider } from './providers-api.ts';
import { passkeyFailureText } from './rules.ts';
import { passkeySupport } from './use-passkey-support.ts';

interface QuestionProps {
  onDone: (isProven: boolean) => void;
}

/** Loads the ways in which the user can prove who they are, and returns the dialog that asks for one. */
export async function loadIdentityCheck() {
  const [{ methods }, about] = await Promise.all([
    call('GET /api/me/check/', {}),
    call('GET /api/about/', {}).catch(() => null),
  ]);
  const canUsePasskey = methods.includes('passkey') && passkeySupport(about?.passkey_origin ?? null) === 'yes';
  const { identities } = methods.includes('provider') ? await call('GET /api/me/identities/', {}) : { identities: [] };
  const known = identities.find(({ available }) => available);
  return (props: QuestionProps) => <IdentityCheck {...{ methods, canUsePasskey, known }} {...props} />;
}

interface IdentityCheckProps extends QuestionProps, Pick<Check, 'methods'> {
  canUsePasskey: boolean;
  /** A connected provider. */
  known: Identity | undefined;
}

function IdentityCheck({ methods, canUsePasskey, known, onDone }: IdentityCheckProps) {
  if (methods.includes('password')) return <PasswordCheck canUsePasskey={canUsePasskey} onDone={onDone} />;
  if (canUsePasskey) return <PasskeyCheck onDone={onDone} />;
  return known ? <ProviderCheck identity={known} onDone={onDone} /> : <SignInAgain onDone={onDone} />;
}

const title = () => t("Confirm that it's you");

interface Typed {
  current_password: string;
  /** Null until the server asks for one. */
  code: string | null;
}

const EMPTY: Typed = { current_password: '', code: null };
const resolver = requestResolver(CheckRequest, ({ code, ...typed }: Typed) => ({
  ...typed,
  ...(code !== null && { code }),
}));

function PasswordCheck({ canUsePasskey, onDone }: QuestionProps & { canUsePasskey: boolean }) {
  const user = useUser();
  const passkey = useCheckWithPasskey();
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({ defaultValues: EMPTY, reValidateMode: 'onSubmit', resolver });
  const { errors, isSubmitting } = form.formState;
  const [kind, setKind] = useState<CodeKind | null>(null);
  const { setFocus } = form;
  useEffect(() => {
    if (kind !== null) setFocus('code');
  }, [kind, setFocus]);
  const askForCode = (next: CodeKind) => {
    setKind(next);
    form.setValue('code', '');
    form.clearErrors('code');
  };
  const submit = form.handleSubmit(async (request) => {
    setFailure(null);
    try {
      await call('POST /api/me/check/', { body: request });
      onDone(true);
    } catch (error) {
      if (kind === null && error instanceof ApiError && error.fields['code']) askForCode('app');
      else if (!showFieldErrors(form, error, ['current_password', 'code']))
        setFailure(errorText(error) || t("Couldn't check your password. Please try again."));
    }
  });
  return (
    <ConfirmDialog
      title={title()}
      confirm={t('Confirm')}
      look="primary"
      busyText={t('Checking...')}
      busy={isSubmitting}
      failure={failure ?? (passkey.isError ? passkeyFailureText(passkey.error) : null)}
      startsInForm
      onConfirm={() => void submit()}
      onCancel={() => onDone(false)}
      form={
        <form noValidate onSubmit={(event) => void submit(event)}>
          {/* Tells password managers which account this password is for. */}
          <input hidden readOnly autoComplete="username" value={user?.username ?? ''} />
          <TextField
            label={t('Current password')}
            type="password"
            autoComplete="current-password"
            error={errors.current_password?.message}
            {...form.register('current_password', { onChange: () => form.clearErrors() })}
          />
          {kind !== null && (
            <div className="mt-4">
              {/* A new key clears the field. */}
              <CodeField
                key={kind}
                kind={kind}
                error={errors.code?.message}
                {...form.register('code', { onChange: () => form.clearErrors() })}
              />
              <OtherKind kind={kind} onChange={askForCode} className="mt-2 -ms-3" />
            </div>
          )}
          {/* Without one, Enter wouldn't submit a form with two fields. */}
          <input type="submit" hidden value={t('Confirm')} />
          {canUsePasskey && (
            <Button
              look="plain"
              size="small"
              className="mt-2"
              busy={passkey.isPending}
              busyText={t('Checking...')}
              onClick={() => passkey.mutate(undefined, { onSuccess: () => onDone(true) })}
            >
              {t('Use a passkey instead')}
            </Button>
          )}
        </form>
      }
    >
      <p>{t("It's been a while since you signed in here. Confirm that it's you to make this change.")}</p>
    </ConfirmDialog>
  );
}

function PasskeyCheck({ onDone }: QuestionProps) {
  const check = useCheckWithPasskey();
  return (
    <ConfirmDialog
      title={title()}
      confirm={t('Use a passkey')}
      look="primary"
      busyText={t('Checking...')}
      busy={check.isPending}
      failure={check.isError ? passkeyFailureText(check.error) : null}
      onConfirm={() => check.mutate(undefined, { onSuccess: () => onDone(true) })}
      onCancel={() => onDone(false)}
    >
      <p>{t("It's been a while since you signed in here. Confirm that it's you to make this change.")}</p>
    </ConfirmDialog>
  );
}

/** Leaves the page for the provider, which sends the user back here. */
function ProviderCheck({ identity: { provider, label }, onDone }: QuestionProps & { identity: Identity }) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const leave = async () => {
    setBusy(true);
    setFailure(null);
    const { pathname, search } = window.location;
    try {
      await goToProvider({ provider, purpose: 'check', from: `${pathname}${search}` });
    } catch (error) {
      setFailure(
        errorText(error) || t("Couldn't start signing in with {provider}. Please try again.", { provider: label }),
      );
      setBusy(false);
    }
  };
  return (
    <ConfirmDialog
      title={title()}
      confirm={t('Continue with {provider}', { provider: label })}
      look="primary"
      busyText={t('Checking...')}
      busy={isBusy}
      failure={failure}
      onConfirm={() => void leave()}
      onCancel={() => onDone(false)}
    >
      <p>{t("It's been a while since you signed in here. Confirm that it's you to make this change.")}</p>
      <p>
        {t("Sign in with {provider} once more. You'll come back here and can repeat the change.", { provider: label })}
      </p>
    </ConfirmDialog>
  );
}

const SignInAgain = ({ onDone }: QuestionProps) => (
  <ConfirmDialog
    title={title()}
    confirm={t('Sign Out')}
    look="primary"
    onConfirm={() => losePresses(() => void logout())}
    onCancel={() => onDone(false)}
  >
    <p>
      {t(
        "Confirm that it's you to make this change. Your account has no password, so sign out, sign in again, and repeat the change.",
      )}
    </p>
  </ConfirmDialog>
);
