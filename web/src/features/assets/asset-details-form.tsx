import type { OwnedAsset } from '@hourshare/contract/assets';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { showFieldErrors } from '../../lib/form-errors.ts';
import { announce } from '../../lib/announcements.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { DialogButtons } from '../../ui/dialog.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { useUpdateAsset } from './api.ts';
import { descriptionProblem, nameProblem } from './rules.ts';

interface AssetDetailsFormProps {
  asset: OwnedAsset;
  onSaved: () => void;
  onClose: () => void;
}

export function AssetDetailsForm({ asset, onSaved, onClose }: AssetDetailsFormProps) {
  const [failure, setFailure] = useState<string | null>(null);
  const update = useUpdateAsset(asset.id);
  // The values at opening: what arrives from elsewhere meanwhile must not overwrite what is being typed.
  const form = useForm({
    defaultValues: { name: asset.name, description: asset.description },
    reValidateMode: 'onSubmit',
  });
  const { errors, isSubmitting } = form.formState;
  const clearOnEdit = (name: 'name' | 'description') => ({ onChange: () => form.clearErrors(name) });

  const submit = form.handleSubmit(async ({ name, description }) => {
    setFailure(null);
    try {
      await update.mutateAsync({ name: name.trim(), description });
      announce('Changes saved.');
      onSaved();
    } catch (error) {
      if (!showFieldErrors(form, error, ['name', 'description'])) setFailure('Failed to update asset.');
    }
  });

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      {failure !== null && <Banner>{failure}</Banner>}
      <TextField
        label="Asset Name"
        required
        autoComplete="off"
        error={errors.name?.message}
        {...form.register('name', { validate: nameProblem, ...clearOnEdit('name') })}
      />
      <TextArea
        label="Description"
        error={errors.description?.message}
        {...form.register('description', { validate: descriptionProblem, ...clearOnEdit('description') })}
      />
      <DialogButtons>
        <Button look="outline" onClick={onClose}>
          Close
        </Button>
        <Button type="submit" busy={isSubmitting} busyText="Saving...">
          Save Changes
        </Button>
      </DialogButtons>
    </form>
  );
}
