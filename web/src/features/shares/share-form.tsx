import type { OwnedAsset } from '@hourshare/contract/assets';
import { ALLOCATION_MAX_HOURS, ALLOCATION_MIN_HOURS } from '@hourshare/contract/limits';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { showFieldErrors } from '../../lib/form-errors.ts';
import { ApiError } from '../../lib/http-errors.ts';
import { announce } from '../../lib/announcements.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { useShareAsset } from './api.ts';
import { hoursProblem, incompleteProblem, shareFailureText } from './rules.ts';

const EMPTY = { username: '', monthly_hours_allocated: '' };
type Name = keyof typeof EMPTY;

export function ShareForm({ asset }: { asset: OwnedAsset }) {
  const [failure, setFailure] = useState<string | null>(null);
  const share = useShareAsset(asset.id);
  const form = useForm({ defaultValues: EMPTY });
  const { errors, isSubmitting } = form.formState;
  const clearOnEdit = (name: Name) => ({ onChange: () => form.clearErrors(name) });

  const submit = form.handleSubmit(async ({ username: typed, monthly_hours_allocated: hours }) => {
    const username = typed.trim();
    const incomplete = incompleteProblem({ username, hours });
    setFailure(incomplete);
    if (incomplete !== null) return form.setFocus(username === '' ? 'username' : 'monthly_hours_allocated');
    const outOfRange = hoursProblem(hours);
    if (outOfRange !== null) {
      return form.setError('monthly_hours_allocated', { message: outOfRange }, { shouldFocus: true });
    }
    try {
      await share.mutateAsync({ username, monthly_hours_allocated: Number(hours) });
      // Before the fields are emptied: that forgets where they are, until they are drawn again.
      form.setFocus('username');
      form.reset(EMPTY);
      announce(`Shared with ${username}.`);
    } catch (error) {
      const tied = showFieldErrors(form, error, ['username', 'monthly_hours_allocated']);
      // "Please check the marked fields." says nothing that the marked fields do not.
      const said = tied && error instanceof ApiError && error.code === 'validation_failed';
      if (!said) setFailure(shareFailureText(error, username));
    }
  });

  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      {failure !== null && <Banner className="mb-4">{failure}</Banner>}
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Username"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          error={errors.username?.message}
          {...form.register('username', clearOnEdit('username'))}
        />
        <TextField
          label="Monthly Hours"
          type="number"
          inputMode="numeric"
          min={ALLOCATION_MIN_HOURS}
          max={ALLOCATION_MAX_HOURS}
          step={1}
          hint={`Maximum ${ALLOCATION_MAX_HOURS} hours per month (31 days)`}
          error={errors.monthly_hours_allocated?.message}
          {...form.register('monthly_hours_allocated', clearOnEdit('monthly_hours_allocated'))}
        />
      </div>
      <Button type="submit" busy={isSubmitting} busyText="Sharing..." className="mt-4 max-sm:w-full">
        Share Asset
      </Button>
    </form>
  );
}
