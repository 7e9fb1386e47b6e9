import { CreateAssetRequest } from '@hourshare/contract/assets';
import { useState } from 'react';
import { useController, useForm, useWatch } from 'react-hook-form';
import { localCurrency } from './currencies.ts';
import {
  costProblem,
  markSaved,
  readMoney,
  requestResolver,
  showFieldErrors,
} from '../../platform/forms/request-form.ts';
import { t } from '../../platform/i18n/messages.ts';
import { sendTimeZone } from '../../platform/i18n/browser-time-zone.ts';
import { assetDialog } from '../../platform/paths.ts';
import { announce } from '../../ui/toasts.ts';
import { useUnsaved } from '../../platform/forms/unsaved.ts';
import { useUser } from '../../platform/auth/use-user.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { DialogButtons } from '../../ui/dialog.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { useCreateAsset } from './api.ts';
import { CostFields } from './cost-fields.tsx';
import { ServiceTiles } from './service-tiles.tsx';

interface Typed {
  name: string;
  description: string;
  subscription_cost: string;
  currency: string;
}
const NAMES = ['name', 'description', 'subscription_cost', 'currency'] as const;

const resolver = requestResolver(CreateAssetRequest, (typed: Typed) => ({
  ...typed,
  subscription_cost: readMoney(typed.subscription_cost, typed.currency),
}));

interface AddAssetFormProps {
  onDone: () => void;
  onCancel: () => void;
}

export function AddAssetForm({ onDone, onCancel }: AddAssetFormProps) {
  const [failure, setFailure] = useState<string | null>(null);
  const create = useCreateAsset();
  const user = useUser();
  const form = useForm({
    defaultValues: { name: '', description: '', subscription_cost: '', currency: localCurrency() },
    reValidateMode: 'onSubmit',
    resolver,
  });
  const typedName = useWatch({ control: form.control, name: 'name' });
  const currency = useController({ control: form.control, name: 'currency' });
  const { errors, isSubmitting, isDirty } = form.formState;
  const { finish } = useUnsaved(isDirty, { isSaving: isSubmitting, onSaved: onDone });
  const clearOnEdit = (name: keyof Typed) => ({ onChange: () => form.clearErrors(name) });

  const submit = form.handleSubmit(async (asset) => {
    setFailure(null);
    try {
      const created = await sendTimeZone((zone) => create.mutateAsync({ ...asset, time_zone: zone }), user?.time_zone);
      announce(t('{asset} added.', { asset: created.name }), { share: assetDialog(created.id, 'share') });
      markSaved(form, form.getValues());
      finish();
    } catch (error) {
      if (!showFieldErrors(form, error, NAMES)) setFailure(t('Failed to create asset. Please try again.'));
    }
  });

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      {failure !== null && <Banner>{failure}</Banner>}
      <ServiceTiles
        chosen={typedName}
        onChoose={(service) => {
          form.setValue('name', service, { shouldDirty: true });
          form.clearErrors('name');
          form.setFocus('subscription_cost');
        }}
      />
      <TextField
        label={t('Asset Name')}
        required
        dir="auto"
        autoComplete="off"
        placeholder={t('e.g. Netflix Premium')}
        error={errors.name?.message}
        {...form.register('name', clearOnEdit('name'))}
      />
      <TextArea
        label={t('Description')}
        dir="auto"
        error={errors.description?.message}
        {...form.register('description', clearOnEdit('description'))}
      />
      <CostFields
        cost={form.register('subscription_cost', clearOnEdit('subscription_cost'))}
        currency={{
          value: currency.field.value,
          onChange: (code) => {
            currency.field.onChange(code);
            form.clearErrors(['currency', 'subscription_cost']);
            const message = costProblem(form.getValues('subscription_cost'), code);
            if (message !== undefined) form.setError('subscription_cost', { message });
          },
        }}
        errors={errors}
      />
      <DialogButtons>
        <Button look="outline" onClick={onCancel}>
          {t('Cancel')}
        </Button>
        <Button type="submit" busy={isSubmitting} busyText={t('Creating...')}>
          {t('Create Asset')}
        </Button>
      </DialogButtons>
    </form>
  );
}
