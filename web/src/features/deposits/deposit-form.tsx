import { DepositRequest } from '@hourshare/contract/deposits';
import { useState, type KeyboardEvent } from 'react';
import { useForm } from 'react-hook-form';
import { readMoney, requestResolver, showFieldErrors } from '../../platform/forms/request-form.ts';
import { useUnsaved } from '../../platform/forms/unsaved.ts';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { announce } from '../../ui/toasts.ts';
import { useRecordDeposit, type DepositPlace } from './changes-api.ts';

interface DepositFormProps {
  place: DepositPlace;
  currency: string;
  /** Who gives it, or the owner, to whom a member gives it. */
  person: string;
  onDone: () => void;
}

/** Records a deposit: an amount is enough. */
export function DepositForm({ place, currency, person, onDone }: DepositFormProps) {
  const record = useRecordDeposit(place);
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm<{ amount: string }, unknown, DepositRequest>({
    defaultValues: { amount: '' },
    reValidateMode: 'onSubmit',
    resolver: requestResolver(DepositRequest, ({ amount }: { amount: string }) => ({
      amount: readMoney(amount, currency),
    })),
  });
  const { errors, isDirty, isSubmitting } = form.formState;
  useUnsaved(isDirty, { isSaving: isSubmitting });
  const submit = form.handleSubmit(async ({ amount }) => {
    setFailure(null);
    try {
      const { status, username: name } = await record.mutateAsync({ username: person, amount });
      announce(status === 'recorded' ? t('{name} was asked to agree.', { name }) : t('Added.'));
      onDone();
    } catch (error) {
      if (!showFieldErrors(form, error, ['amount']))
        setFailure(errorText(error) || t("Couldn't save this. Please try again."));
    }
  });
  const cancelOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || isDirty) return;
    event.stopPropagation();
    onDone();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys come from the fields inside
    <form
      noValidate
      aria-label={t('Record a deposit')}
      onSubmit={(event) => void submit(event)}
      onKeyDown={cancelOnEscape}
      className="mt-2 rounded-card bg-sunken p-3"
    >
      <TextField
        label={t('Amount ({currency})', { currency })}
        inputMode="decimal"
        autoComplete="off"
        enterKeyHint="done"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the menu item that opened the form is gone
        autoFocus
        error={errors.amount?.message}
        {...form.register('amount', { onChange: () => form.clearErrors('amount') })}
      />
      {failure !== null && (
        <p role="alert" className="mt-2 text-[14px] font-medium text-over-text">
          {failure}
        </p>
      )}
      <div className="mt-2 flex flex-wrap gap-2">
        <Button type="submit" size="small" busy={isSubmitting} busyText={t('Saving...')}>
          {t('Save')}
        </Button>
        <Button look="outline" size="small" onClick={onDone}>
          {t('Cancel')}
        </Button>
      </div>
    </form>
  );
}
