import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { parseDecimal } from '../../lib/formatting.ts';
import { showFieldErrors } from '../../lib/form-errors.ts';
import { browserTimeZone } from '../../lib/time.ts';
import { announce } from '../../lib/announcements.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { DialogButtons } from '../../ui/dialog.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { useCreateAsset } from './api.ts';
import { costProblem, descriptionProblem, nameProblem } from './rules.ts';

const EMPTY = { name: '', description: '', subscription_cost: '' };
type Name = keyof typeof EMPTY;

export function AddAssetForm({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
  const [failure, setFailure] = useState<string | null>(null);
  const create = useCreateAsset();
  const form = useForm({ defaultValues: EMPTY, reValidateMode: 'onSubmit' });
  const { errors, isSubmitting } = form.formState;
  const clearOnEdit = (name: Name) => ({ onChange: () => form.clearErrors(name) });

  const submit = form.handleSubmit(async ({ name, description, subscription_cost }) => {
    setFailure(null);
    try {
      const created = await create.mutateAsync({
        name: name.trim(),
        description,
        subscription_cost: parseDecimal(subscription_cost) ?? 0,
        time_zone: browserTimeZone(),
      });
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
        {...form.register('name', { validate: nameProblem, ...clearOnEdit('name') })}
      />
      <TextArea
        label="Description"
        dir="auto"
        error={errors.description?.message}
        {...form.register('description', { validate: descriptionProblem, ...clearOnEdit('description') })}
      />
      <TextField
        label="Monthly Subscription Cost ($)"
        required
        // Text, because a number field refuses the decimal comma of the viewer's locale in some browsers.
        inputMode="decimal"
        autoComplete="off"
        placeholder="0.00"
        min={0}
        step={0.01}
        error={errors.subscription_cost?.message}
        {...form.register('subscription_cost', { validate: costProblem, ...clearOnEdit('subscription_cost') })}
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
