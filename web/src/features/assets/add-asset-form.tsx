import { CreateAssetRequest } from '@hourshare/contract/assets';
import { useState } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { localCurrency } from '../../platform/format/currencies.ts';
import { markSaved, readMoney, requestResolver, showFieldErrors } from '../../platform/forms/request-form.ts';
import { t } from '../../platform/i18n/messages.ts';
import { sendTimeZone } from '../../platform/i18n/browser-time-zone.ts';
import { assetDialog } from '../../platform/paths.ts';
import { announce } from '../../ui/toasts.ts';
import { useUnsaved } from '../../platform/forms/unsaved.ts';
import { useUser } from '../../platform/auth/use-user.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { DialogButtons } from '../../ui/dialog.tsx';
import { useCreateAsset } from './api.ts';
import { AssetFields, type AssetValues } from './asset-fields.tsx';
import { changedTerms, readTerms, typedPreset, type TypedTerms } from './presets.ts';
import { TermsFields } from './terms-fields.tsx';

const NAMES = ['name', 'description', 'subscription_cost', 'currency', 'base_percent'] as const;

const resolver = requestResolver(
  CreateAssetRequest,
  ({ name, description, subscription_cost: cost, currency, ...terms }: AssetValues & TypedTerms) => ({
    name,
    description,
    subscription_cost: readMoney(cost, currency),
    currency,
    ...changedTerms(readTerms(terms)),
  }),
);

interface AddAssetFormProps {
  onDone: () => void;
  onCancel: () => void;
}

export function AddAssetForm({ onDone, onCancel }: AddAssetFormProps) {
  const [failure, setFailure] = useState<string | null>(null);
  const create = useCreateAsset();
  const user = useUser();
  const form = useForm({
    defaultValues: {
      name: '',
      description: '',
      subscription_cost: '',
      currency: localCurrency(),
      ...typedPreset('other'),
    },
    reValidateMode: 'onSubmit',
    resolver,
  });
  const { isSubmitting, isDirty } = form.formState;
  const { finish } = useUnsaved(isDirty, { isSaving: isSubmitting, onSaved: onDone });

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
    <FormProvider {...form}>
      <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
        {failure !== null && <Banner>{failure}</Banner>}
        <AssetFields />
        <TermsFields />
        <DialogButtons>
          <Button look="outline" onClick={onCancel}>
            {t('Cancel')}
          </Button>
          <Button type="submit" busy={isSubmitting} busyText={t('Creating...')}>
            {t('Create Asset')}
          </Button>
        </DialogButtons>
      </form>
    </FormProvider>
  );
}
