import { ACCESS_TOKEN_DAYS_DEFAULT, ACCESS_TOKEN_DAYS_MAX, DEVICE_NAME_MAX_LENGTH } from '@hourshare/contract/limits';
import { CreateAccessTokenRequest, type CreatedAccessToken, type SharedAsset } from '@hourshare/contract/shares';
import { useEffect, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { requestResolver, showFieldErrors } from '../../platform/forms/request-form.ts';
import { t } from '../../platform/i18n/messages.ts';
import { useUnsaved } from '../../platform/forms/unsaved.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { DialogButtons } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { RadioCards } from '../../ui/radio-cards.tsx';
import { Select } from '../../ui/select.tsx';
import { useCreateAccessToken } from './access-tokens-api.ts';

const DAYS = [7, 30, ACCESS_TOKEN_DAYS_DEFAULT, ACCESS_TOKEN_DAYS_MAX];

interface Typed {
  name: string;
  scope: 'share' | 'account' | 'events';
  share: string;
  days: string;
}

const resolver = requestResolver(CreateAccessTokenRequest, ({ name, scope, share, days }: Typed) => ({
  name,
  expires_in_days: Number(days),
  ...(scope === 'share' ? { share_id: Number(share) } : { scope }),
}));

interface AccessTokenFormProps {
  /** The choices of what it can be for; with one share given as `only`, just that share. */
  shares: SharedAsset[];
  only?: SharedAsset;
  onCreated: (made: CreatedAccessToken) => void;
  onCancel: () => void;
}

export function AccessTokenForm({ shares, only, onCreated, onCancel }: AccessTokenFormProps) {
  const create = useCreateAccessToken();
  const [failure, setFailure] = useState<string | null>(null);
  const first = only ?? shares[0];
  const form = useForm<Typed, unknown, CreateAccessTokenRequest>({
    defaultValues: {
      name: '',
      scope: first ? 'share' : 'account',
      share: String(first?.id ?? ''),
      days: String(ACCESS_TOKEN_DAYS_DEFAULT),
    },
    reValidateMode: 'onSubmit',
    resolver,
  });
  const { errors, isSubmitting, isDirty } = form.formState;
  useUnsaved(isDirty, { isSaving: isSubmitting });
  const { setFocus } = form;
  const isInPlace = only !== undefined;
  // The button that opened this is gone; a dialog sets the focus itself.
  useEffect(() => {
    if (isInPlace) setFocus('name');
  }, [isInPlace, setFocus]);
  const { scope, share, days } = useWatch({ control: form.control });
  const submit = form.handleSubmit(async (request) => {
    setFailure(null);
    try {
      onCreated(await create.mutateAsync(request));
    } catch (error) {
      if (!showFieldErrors(form, error, ['name']))
        setFailure(errorText(error) || t("Couldn't create the access token. Please try again."));
    }
  });
  return (
    <form noValidate className="grid gap-4" onSubmit={(event) => void submit(event)}>
      {failure !== null && <Banner>{failure}</Banner>}
      <TextField
        label={t('Name [[access token]]')}
        hint={t('For example, where the script runs.')}
        autoComplete="off"
        maxLength={DEVICE_NAME_MAX_LENGTH}
        error={errors.name?.message}
        {...form.register('name', { onChange: () => form.clearErrors('name') })}
      />
      {!only && (
        <RadioCards
          legend={t('What it can do')}
          value={scope ?? 'account'}
          onChange={(choice) => form.setValue('scope', choice)}
          options={[
            ...(first
              ? [
                  {
                    value: 'share' as const,
                    text: t('Start, end, and add sessions of one asset'),
                    hint: t('Also reads your sessions and hours for that asset, and nothing else.'),
                  },
                ]
              : []),
            {
              value: 'account' as const,
              text: t('Read everything'),
              hint: t('Reads your assets, sessions, costs, and profile. Changes nothing.'),
            },
            {
              value: 'events' as const,
              text: t('Hear what happens'),
              hint: t('Follows events and reads your notifications, and nothing else.'),
            },
          ]}
        />
      )}
      {!only && scope === 'share' && (
        <Select
          label={t('Asset [[access token]]')}
          value={share ?? ''}
          options={shares.map(({ id, asset_name: name }) => ({ value: String(id), text: name }))}
          onChange={(value) => form.setValue('share', value)}
        />
      )}
      <Select
        label={t('Expires after')}
        value={days ?? ''}
        options={DAYS.map((count) => ({
          value: String(count),
          text: t('{count, plural, one {# day} other {# days}}', { count }),
        }))}
        onChange={(value) => form.setValue('days', value)}
      />
      <DialogButtons>
        <Button look="outline" onClick={onCancel}>
          {t('Cancel')}
        </Button>
        <Button type="submit" busy={isSubmitting} busyText={t('Creating...')}>
          {t('Create access token')}
        </Button>
      </DialogButtons>
    </form>
  );
}
