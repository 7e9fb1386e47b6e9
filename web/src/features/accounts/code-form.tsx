import { ConfirmTwoStepRequest } from '@hourshare/contract/sign-ins';
import { CODE_MAX_LENGTH } from '@hourshare/contract/limits';
import { useEffect, useState, type ComponentProps, type ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { requestResolver, showFieldErrors } from '../../platform/forms/request-form.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';

const EMPTY = { code: '' };
const resolver = requestResolver(ConfirmTwoStepRequest, (typed: typeof EMPTY) => typed);

/** A code of the authenticator app, or a recovery code. */
export type CodeKind = 'app' | 'recovery';

interface CodeFormProps {
  kind: CodeKind;
  /** Throws the server's error. */
  onCode: (code: string) => Promise<void>;
  failureText: (error: unknown) => string;
  /** The buttons. */
  children: (isBusy: boolean) => ReactNode;
}

/** A focused field for a code. */
export function CodeForm({ kind, onCode, failureText, children }: CodeFormProps) {
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({ defaultValues: EMPTY, reValidateMode: 'onSubmit', resolver });
  const { errors, isSubmitting } = form.formState;
  const { setFocus } = form;
  useEffect(() => setFocus('code'), [setFocus]);
  const submit = form.handleSubmit(async ({ code }) => {
    setFailure(null);
    try {
      await onCode(code);
    } catch (error) {
      if (!showFieldErrors(form, error, ['code'])) setFailure(failureText(error));
    }
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      {failure !== null && <Banner>{failure}</Banner>}
      <CodeField
        kind={kind}
        error={errors.code?.message}
        {...form.register('code', { onChange: () => form.clearErrors() })}
      />
      {children(isSubmitting)}
    </form>
  );
}

export function CodeField({ kind, ...field }: { kind: CodeKind } & Omit<ComponentProps<typeof TextField>, 'label'>) {
  const isApp = kind === 'app';
  return (
    <TextField
      label={isApp ? t('Code') : t('Recovery code')}
      hint={isApp ? t('Six digits, from your authenticator app.') : t('One of the codes you saved.')}
      autoComplete={isApp ? 'one-time-code' : 'off'}
      inputMode={isApp ? 'numeric' : 'text'}
      autoCapitalize="none"
      spellCheck={false}
      dir="ltr"
      maxLength={CODE_MAX_LENGTH}
      {...field}
    />
  );
}

/** Changes to the other kind of code. */
export const OtherKind = ({
  kind,
  onChange,
  ...button
}: {
  kind: CodeKind;
  onChange: (kind: CodeKind) => void;
  className: string;
  disabled?: boolean;
}) => (
  <Button look="plain" size="small" {...button} onClick={() => onChange(kind === 'app' ? 'recovery' : 'app')}>
    {kind === 'app' ? t('Use a recovery code') : t('Use your authenticator app')}
  </Button>
);
