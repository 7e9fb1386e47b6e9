import { useState } from 'react';
import { FormProvider } from 'react-hook-form';
import { markSaved } from '../../platform/forms/request-form.ts';
import { t } from '../../platform/i18n/messages.ts';
import { assetDialog } from '../../platform/paths.ts';
import { announce } from '../../ui/toasts.ts';
import { useUnsaved } from '../../platform/forms/unsaved.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { DialogButtons } from '../../ui/dialog.tsx';
import { AssetFields } from './asset-fields.tsx';
import { useNewAsset } from './new-asset.ts';
import { TermsFields } from './terms-fields.tsx';

interface AddAssetFormProps {
  onDone: () => void;
  onCancel: () => void;
}

export function AddAssetForm({ onDone, onCancel }: AddAssetFormProps) {
  const [failure, setFailure] = useState<string | null>(null);
  const { form, add, failureText } = useNewAsset();
  const { isSubmitting, isDirty } = form.formState;
  const { finish } = useUnsaved(isDirty, { isSaving: isSubmitting, onSaved: onDone });

  const submit = form.handleSubmit(async (asset) => {
    setFailure(null);
    try {
      const created = await add(asset);
      announce(t('{asset} added.', { asset: created.name }), { share: assetDialog(created.id, 'share') });
      markSaved(form, form.getValues());
      finish();
    } catch (error) {
      setFailure(failureText(error));
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
