import { HeldDepositRequest } from '@hourshare/contract/deposits';
import { Plus } from 'lucide-react';
import { useEffect, useId, useState, type KeyboardEvent } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { readMoney, requestResolver, showFieldErrors } from '../../platform/forms/request-form.ts';
import { useUnsaved } from '../../platform/forms/unsaved.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { announce } from '../../ui/toasts.ts';
import { useDeposits, useRecordDeposit, type DepositPlace } from './api.ts';
import { DepositRows } from './deposit-rows.tsx';

interface AssetDepositsProps {
  place: DepositPlace;
  assetId: number;
  currency: string;
  /** With whom a deposit can be recorded: members for the owner, the owner for a member; none if it can't. */
  people: string[];
}

/** The user's deposits for an asset, and where they record one. */
export function AssetDeposits({ place, assetId, currency, people }: AssetDepositsProps) {
  const heading = useId();
  const [recording, setRecording] = useState(false);
  const deposits = useDeposits().data?.filter((each) => each.asset_id === assetId) ?? [];
  if (deposits.length === 0 && people.length === 0) return null;
  return (
    <section aria-labelledby={heading} className="mt-8 border-t border-line pt-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 id={heading} className="font-semibold">
          {t('Deposits')}
        </h3>
        {people.length > 0 && !recording && (
          <Button look="outline" size="small" icon={<Plus aria-hidden size={16} />} onClick={() => setRecording(true)}>
            {t('Record a deposit')}
          </Button>
        )}
      </div>
      {recording && (
        <DepositForm place={place} currency={currency} people={people} onDone={() => setRecording(false)} />
      )}
      {deposits.length > 0 && <DepositRows deposits={deposits} />}
    </section>
  );
}

const NAMES = ['amount', 'username'] as const;
type Typed = Record<(typeof NAMES)[number], string>;

interface DepositFormProps extends Pick<AssetDepositsProps, 'place' | 'currency' | 'people'> {
  onDone: () => void;
}

function DepositForm({ place, currency, people, onDone }: DepositFormProps) {
  const record = useRecordDeposit(place);
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm<Typed, unknown, HeldDepositRequest>({
    defaultValues: { amount: '', username: people[0] ?? '' },
    reValidateMode: 'onSubmit',
    resolver: requestResolver(HeldDepositRequest, ({ amount, username }: Typed) => ({
      amount: readMoney(amount, currency),
      username,
    })),
  });
  const { errors, isDirty, isSubmitting } = form.formState;
  useUnsaved(isDirty, { isSaving: isSubmitting });
  useEffect(() => form.setFocus('amount'), [form]);
  const submit = form.handleSubmit(async (request) => {
    setFailure(null);
    try {
      const { status, username: name } = await record.mutateAsync(request);
      announce(status === 'recorded' ? t('{name} was asked to agree.', { name }) : t('Added.'));
      onDone();
    } catch (error) {
      if (!showFieldErrors(form, error, [...NAMES]))
        setFailure((error instanceof ApiError ? errorText(error) : '') || t("Couldn't save this. Please try again."));
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
      <div className="grid items-start gap-3 sm:grid-cols-2">
        <TextField
          label={t('Amount ({currency})', { currency })}
          inputMode="decimal"
          autoComplete="off"
          enterKeyHint="done"
          error={errors.amount?.message}
          {...form.register('amount', { onChange: () => form.clearErrors('amount') })}
        />
        {'assetId' in place && (
          <Controller
            control={form.control}
            name="username"
            render={({ field: { value, onChange } }) => (
              <Select
                label={t('Who gave it')}
                value={value}
                options={people.map((name) => ({ value: name, text: name }))}
                error={errors.username?.message}
                onChange={onChange}
              />
            )}
          />
        )}
      </div>
      {failure !== null && (
        <p role="alert" className="mt-2 text-[14px] font-medium text-over-text">
          {failure}
        </p>
      )}
      <div className="mt-2 flex flex-wrap gap-2">
        <Button type="submit" size="small" busy={isSubmitting} busyText={t('Saving...')}>
          {t('Done')}
        </Button>
        <Button look="outline" size="small" onClick={onDone}>
          {t('Cancel')}
        </Button>
      </div>
    </form>
  );
}
