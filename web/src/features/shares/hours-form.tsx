import { ALLOCATION_MAX_HOURS, ALLOCATION_MIN_HOURS } from '@hourshare/contract/limits';
import { ShareFields } from '@hourshare/contract/shares';
import { useEffect, useId, type KeyboardEvent } from 'react';
import { useForm } from 'react-hook-form';
import { announce } from '../../ui/toasts.ts';
import { errorText, fieldText } from '../../platform/i18n/error-texts.ts';
import { markSaved, readNumber, requestResolver } from '../../platform/forms/request-form.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { t } from '../../platform/i18n/messages.ts';
import { useUnsaved } from '../../platform/forms/unsaved.ts';
import { Button } from '../../ui/button.tsx';
import { useChangeShare } from './changes-api.ts';

interface HoursFormProps {
  assetId: number;
  shareId: number;
  name: string;
  hours: number;
  onDone: () => void;
}

const FIELD = 'monthly_hours_allocated';

const resolver = requestResolver(ShareFields.pick({ [FIELD]: true }).required(), (typed: { [FIELD]: string }) => ({
  [FIELD]: readNumber(typed[FIELD]),
}));

/** The form that changes a member's monthly hours in place. */
export function HoursForm({ assetId, shareId, name, hours, onDone }: HoursFormProps) {
  const change = useChangeShare(assetId);
  const form = useForm({ defaultValues: { [FIELD]: String(hours) }, reValidateMode: 'onSubmit', resolver });
  const { errors, isSubmitting, isDirty } = form.formState;
  const { finish } = useUnsaved(isDirty, { isSaving: isSubmitting, onSaved: onDone });
  const problem = errors[FIELD]?.message;
  const problemId = useId();
  const { setFocus } = form;
  useEffect(() => setFocus(FIELD, { shouldSelect: true }), [setFocus]);

  const submit = form.handleSubmit(async ({ [FIELD]: next }) => {
    if (next === hours) return onDone();
    const sent = form.getValues();
    try {
      await change.mutateAsync({ shareId, hours: next });
      announce(t('{name} now has {hours, plural, one {# hour} other {# hours}} a month.', { name, hours: next }));
      markSaved(form, sent);
      finish();
    } catch (error) {
      form.setError(FIELD, { message: failureText(error) });
    }
  });

  // Without edits, Escape closes this form; with edits, it reaches the dialog, which asks.
  const cancelOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || isDirty) return;
    event.stopPropagation();
    onDone();
  };

  return (
    <form
      noValidate
      className="flex flex-wrap items-center justify-end gap-2 max-sm:basis-full"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSubmitting) void submit();
      }}
    >
      <input
        onKeyDown={cancelOnEscape}
        type="number"
        inputMode="numeric"
        aria-label={t('Hours a month for {name}', { name })}
        aria-invalid={problem !== undefined || undefined}
        aria-describedby={problem === undefined ? undefined : problemId}
        min={ALLOCATION_MIN_HOURS}
        max={ALLOCATION_MAX_HOURS}
        step={1}
        {...form.register(FIELD, { onChange: () => form.clearErrors(FIELD) })}
        className={`figures h-11 w-24 rounded-control border bg-surface px-3 text-base md:h-9 md:text-[15px] ${problem === undefined ? 'border-line-field' : 'border-over'}`}
      />
      <Button type="submit" size="small" busy={isSubmitting} busyText={t('Saving...')}>
        {t('Save')}
      </Button>
      <Button look="outline" size="small" onClick={onDone}>
        {t('Cancel')}
      </Button>
      {problem !== undefined && (
        <p id={problemId} role="alert" className="basis-full text-end text-[13.5px] font-medium text-over-text">
          {problem}
        </p>
      )}
    </form>
  );
}

function failureText(error: unknown): string {
  return (
    fieldText(error, FIELD) ||
    (error instanceof ApiError && errorText(error)) ||
    t("Couldn't change the hours. Please try again.")
  );
}
