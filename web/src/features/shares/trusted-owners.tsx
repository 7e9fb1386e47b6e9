import { TrustOwnerRequest } from '@hourshare/contract/shares';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { errorText } from '../../lib/error-texts.ts';
import { markSaved, requestResolver, showFieldErrors } from '../../lib/forms.ts';
import { ApiError } from '../../lib/http-errors.ts';
import { rich, t } from '../../lib/messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { hidden } from '../../ui/hidden-text.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { Tile } from '../../ui/tile.tsx';
import { useDistrustOwner, useTrustedOwners, useTrustOwner } from './changes-api.ts';

/** The owners whose offers are accepted without asking, and a form that adds one. */
export function TrustedOwners() {
  const owners = useTrustedOwners();
  const distrust = useDistrustOwner();
  return (
    <>
      <p className="text-[14px] text-muted">
        {t('You get access right away to what these people share, and charges start.')}
      </p>
      {owners.isPending && <Spinner label={t('Loading trusted people')} className="py-3" />}
      {owners.isError && (
        <Banner className="mt-3" onRetry={() => void owners.refetch()}>
          {t("Couldn't load trusted people.")}
        </Banner>
      )}
      {distrust.isError && <Banner className="mt-3">{t("Couldn't save that setting. Please try again.")}</Banner>}
      {owners.data && owners.data.length > 0 && (
        <ul role="list" aria-labelledby="trusted-owners" className="mt-3 divide-y divide-line border-y border-line">
          {owners.data.map(({ username: name }) => (
            <li key={name} className="flex min-h-13 items-center gap-3 py-1">
              <Tile name={name} shape="small-disc" />
              <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
              <Button
                look="plain"
                size="small"
                className="-me-3"
                busy={distrust.isPending && distrust.variables === name}
                onClick={() => distrust.mutate(name)}
              >
                {rich('Remove<hidden> {name}</hidden>', { name, hidden })}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <TrustForm />
    </>
  );
}

const EMPTY = { username: '' };

const resolver = requestResolver(TrustOwnerRequest, (typed: typeof EMPTY) => typed);

function TrustForm() {
  const trust = useTrustOwner();
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({ defaultValues: EMPTY, reValidateMode: 'onSubmit', resolver });
  const { errors, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async ({ username }) => {
    setFailure(null);
    const sent = form.getValues();
    try {
      await trust.mutateAsync(username);
      markSaved(form, sent, EMPTY);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404)
        form.setError('username', { message: errorText(error) || t('User "{name}" not found', { name: username }) });
      else if (!showFieldErrors(form, error, ['username']))
        setFailure(errorText(error) || t("Couldn't save that setting. Please try again."));
    }
  });
  return (
    <form noValidate className="mt-4 grid max-w-md gap-3" onSubmit={(event) => void submit(event)}>
      {failure !== null && <Banner>{failure}</Banner>}
      <TextField
        label={t('Always accept from')}
        hint={t('Enter a username.')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        error={errors.username?.message}
        {...form.register('username', { onChange: () => form.clearErrors() })}
      />
      <Button type="submit" look="outline" busy={isSubmitting} busyText={t('Adding...')} className="justify-self-start">
        {t('Add [[trusted person]]')}
      </Button>
    </form>
  );
}
