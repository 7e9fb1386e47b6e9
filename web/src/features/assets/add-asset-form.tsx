import { CreateAssetRequest } from '@hourshare/contract/assets';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { readMoney, requestResolver, showFieldErrors } from '../../lib/forms.ts';
import { browserTimeZone } from '../../lib/time.ts';
import { announce } from '../../lib/announcements.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { DialogButtons } from '../../ui/dialog.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { useCreateAsset } from './api.ts';

const EMPTY = { name: '', description: '', subscription_cost: '' };
type Typed = typeof EMPTY;
type Name = keyof Typed;

const resolver = requestResolver(CreateAssetRequest, (typed: Typed) => ({
  ...typed,
  subscription_cost: readMoney(typed.subscription_cost),
}));

export function AddAssetForm({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
  const [failure, setFailure] = useState<string | null>(null);
  const create = useCreateAsset();
  const form = useForm({ defaultValues: EMPTY, reValidateMode: 'onSubmit', resolver });
  const { errors, isSubmitting } = form.formState;
  const clearOnEdit = (name: Name) => ({ onChange: () => form.clearErrors(name) });

  const submit = form.handleSubmit(async (asset) => {
    setFailure(null);
    try {
      const created = await create.mutateAsync({ ...asset, time_zone: browserTimeZone() });
      announce(`${created.name} has been added.`);
      onDone();
    } catch (error) {
      const known: Name[] = ['name', 'description', 'subscription_cost'];
      if (!showFieldErrors(form, error, known)) setFailure('Failed to create asset. Please try again.');
    }
  });

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      {failure !== null && <Banner>{failure}</Banner>}
      <TextField
        label="Asset Name"
        required
        dir="auto"
        autoComplete="off"
        placeholder="What you pay for"
        error={errors.name?.message}
        {...form.register('name', clearOnEdit('name'))}
      />
      <TextArea
        label="Description"
        dir="auto"
        error={errors.description?.message}
        {...form.register('description', clearOnEdit('description'))}
      />
      <TextField
        label="Monthly Subscription Cost ($)"
        required
        // A text field, because some browsers reject a decimal comma in number fields.
        inputMode="decimal"
        autoComplete="off"
        placeholder="0.00"
        min={0}
        step={0.01}
        error={errors.subscription_cost?.message}
        {...form.register('subscription_cost', clearOnEdit('subscription_cost'))}
      />
      <DialogButtons>
        <Button look="outline" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" busy={isSubmitting} busyText="Creating...">
          Create Asset
        </Button>
      </DialogButtons>
    </form>
  );
}
