import { Controller, useFormContext, useWatch, type FieldError } from 'react-hook-form';
import { t } from '../../platform/i18n/messages.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { TextField } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import type { PlanValues } from './plan-values.ts';

/** How an asset is paid if not each calendar month, until when that is free, and when it can be canceled. */
export function PlanFields() {
  const { clearErrors, control, formState, register } = useFormContext<PlanValues>();
  const { defaultValues, dirtyFields, errors } = formState;
  const [unit, trial] = useWatch({ control, name: ['cycle_unit', 'trial_until'] });
  const isOtherCycle = dirtyFields.cycle_unit || dirtyFields.cycle_every || dirtyFields.cycle_anchor;
  const isSwitched = dirtyFields.spread && defaultValues?.cycle_unit && !isOtherCycle;
  const propsOf = (name: keyof PlanValues, error: string | undefined) => ({
    error,
    autoComplete: 'off',
    ...register(name, { onChange: () => clearErrors(name) }),
  });
  const check = (name: 'spread' | 'auto_renews', label: string, hint?: string) => (
    <Controller
      control={control}
      name={name}
      render={({ field }) => (
        <Checkbox label={label} {...(hint && { hint })} checked={field.value} onChange={field.onChange} />
      )}
    />
  );
  return (
    <div className="grid gap-4">
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Controller
          control={control}
          name="cycle_unit"
          render={({ field }) => (
            <Select
              label={t('Billed')}
              value={field.value}
              options={[
                { value: '', text: t('Each calendar month') },
                { value: 'month', text: t('Every few months') },
                { value: 'year', text: t('Every year or more') },
              ]}
              error={errors.cycle_unit?.message}
              onChange={(value) => {
                field.onChange(value);
                clearErrors(['cycle_unit', 'cycle_every', 'cycle_anchor']);
              }}
            />
          )}
        />
        {unit !== '' && (
          <TextField
            label={unit === 'year' ? t('How many years') : t('How many months')}
            inputMode="numeric"
            {...propsOf('cycle_every', errors.cycle_every?.message)}
          />
        )}
        {unit !== '' && (
          <TextField
            label={t('Renewal date')}
            type="date"
            hint={t('The last one or the next one')}
            {...propsOf('cycle_anchor', errors.cycle_anchor?.message)}
          />
        )}
        <TextField label={t('Free until')} type="date" {...propsOf('trial_until', errors.trial_until?.message)} />
        <TextField
          label={t('Ends on')}
          type="date"
          hint={t('It is archived on that day.')}
          {...propsOf('ends_on', errors.ends_on?.message)}
        />
        {unit !== '' && (
          <TextField
            label={t('Days before a renewal to cancel by')}
            inputMode="numeric"
            {...propsOf('cancel_by_days', errors.cancel_by_days?.message)}
          />
        )}
        {(unit !== '' || trial !== '') && (
          <TextField
            label={t('Reminders, in days before')}
            inputMode="text"
            placeholder={unit === '' ? '7, 1' : '30, 7, 1'}
            {...propsOf('reminder_days', listError(errors.reminder_days))}
          />
        )}
      </div>
      {unit !== '' && (
        <div>
          {check('auto_renews', t('Renews unless canceled'))}
          {check(
            'spread',
            t('Spread over the months'),
            isSwitched
              ? t('Applies from this cycle, or from the next if a month of this one has ended.')
              : t('Otherwise, all of it is charged in the month of the renewal.'),
          )}
        </div>
      )}
    </div>
  );
}

/** Returns what is wrong with a list that is typed into one field: with all of it, or with the first wrong one in it. */
function listError(error: FieldError | undefined): string | undefined {
  // Typed as that of a text, but it is checked as a list.
  const each = Array.isArray(error) ? (error as (FieldError | undefined)[]) : [error];
  return each.find((one) => one?.message !== undefined)?.message;
}
