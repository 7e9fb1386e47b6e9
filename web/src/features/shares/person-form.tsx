import type { OwnedAsset } from '@hourshare/contract/assets';
import { ALLOCATION_MAX_HOURS, ALLOCATION_MIN_HOURS, PERSON_NAME_MAX_LENGTH } from '@hourshare/contract/limits';
import { AddPersonRequest, MonthlyHours } from '@hourshare/contract/shares';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { announce } from '../../ui/toasts.ts';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { markSaved, readNumber, requestResolver, showFieldErrors } from '../../platform/forms/request-form.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { t } from '../../platform/i18n/messages.ts';
import { useUnsaved } from '../../platform/forms/unsaved.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { useAddPerson } from './changes-api.ts';
import { withFirstTerms } from './first-terms.ts';
import { useStartChoice } from './start-choice.tsx';

const EMPTY = { name: '', monthly_hours_allocated: '' };
type Name = keyof typeof EMPTY;
const NAMES: Name[] = ['name', 'monthly_hours_allocated'];

const resolver = requestResolver(
  AddPersonRequest.extend({ monthly_hours_allocated: MonthlyHours }),
  ({ name, monthly_hours_allocated: hours }: typeof EMPTY) => ({ name, monthly_hours_allocated: readNumber(hours) }),
);

const plainResolver = requestResolver(AddPersonRequest, ({ name }: typeof EMPTY) => ({ name }));

/** Gives access to someone without an account. The owner records their sessions and settles up for them. */
export function PersonForm({ asset }: { asset: OwnedAsset }) {
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm<typeof EMPTY, unknown, AddPersonRequest>({
    defaultValues: EMPTY,
    reValidateMode: 'onSubmit',
    resolver: asset.measured ? resolver : plainResolver,
  });
  const add = useAddPerson(asset.id);
  const { startsOn, startChoice } = useStartChoice(asset);
  const { errors, isSubmitting, isDirty } = form.formState;
  useUnsaved(isDirty, { isSaving: isSubmitting });
  const clearOnEdit = (name: Name) => ({ onChange: () => form.clearErrors(name) });

  const submit = form.handleSubmit(async (request) => {
    setFailure(null);
    const sent = form.getValues();
    try {
      await add.mutateAsync({ ...request, ...startsOn, ...withFirstTerms(asset, request.monthly_hours_allocated) });
      markSaved(form, sent, EMPTY);
      form.setFocus('name');
      announce(t('{name} was added.', { name: request.name }));
    } catch (error) {
      if (showFieldErrors(form, error, NAMES)) return;
      const isKnown = error instanceof ApiError;
      setFailure(
        isKnown && error.code === 'already_shared'
          ? t('Someone with this name already has access.')
          : (isKnown ? errorText(error) : '') || t("Couldn't add this person. Please try again."),
      );
    }
  });

  return (
    <section aria-labelledby="person-heading" className="mt-7">
      <h3 id="person-heading" className="flex items-center gap-2 font-semibold">
        <UserPlus aria-hidden size={18} className="text-accent-text" />
        {t('Someone without an account')}
      </h3>
      <p className="mt-1 text-[14px] text-muted">
        {asset.measured
          ? t('You record their sessions and settle up for them. They can join later with a link.')
          : t('You settle up for them. They can join later with a link.')}
      </p>
      <form noValidate onSubmit={(event) => void submit(event)} className="mt-3">
        {failure !== null && <Banner className="mb-4">{failure}</Banner>}
        <div className="grid items-start gap-x-4 gap-y-3 sm:grid-cols-2">
          <TextField
            label={t('Name [[person]]')}
            autoComplete="off"
            maxLength={PERSON_NAME_MAX_LENGTH}
            error={errors.name?.message}
            {...form.register('name', clearOnEdit('name'))}
          />
          {asset.measured && (
            <TextField
              label={t('Hours per month for this person')}
              type="number"
              inputMode="numeric"
              min={ALLOCATION_MIN_HOURS}
              max={ALLOCATION_MAX_HOURS}
              step={1}
              error={errors.monthly_hours_allocated?.message}
              {...form.register('monthly_hours_allocated', clearOnEdit('monthly_hours_allocated'))}
            />
          )}
        </div>
        {startChoice}
        <Button
          type="submit"
          look="outline"
          busy={isSubmitting}
          busyText={t('Adding...')}
          className="mt-4 max-sm:w-full"
        >
          {t('Add person')}
        </Button>
      </form>
    </section>
  );
}
