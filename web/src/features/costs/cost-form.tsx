import { CostRequest, CostSplit, type Cost, type CostChange } from '@hourshare/contract/costs';
import { useState, type KeyboardEvent } from 'react';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { decimalText } from '../../platform/format/numbers.ts';
import { editedOnly, readMoney, requestResolver, showFieldErrors } from '../../platform/forms/request-form.ts';
import { useUnsaved } from '../../platform/forms/unsaved.ts';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { TextField } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { splitNames } from './cost-text.ts';

const NAMES = ['amount', 'text', 'date', 'split', 'paid_by', 'person'] as const;
type Typed = Record<(typeof NAMES)[number] | 'every' | 'until', string>;

/** After how many months a cost comes again; 0 for never. */
const INTERVALS = [0, 1, 3, 6, 12];

interface CostFormProps {
  label: string;
  /** The cost to change; a new one without. */
  cost?: Cost;
  currency: string;
  username: string;
  /** Who can have paid it, and whose it can be: the user first. */
  people: string[];
  /** Whether there is use to split it by, and allowances. */
  measured: boolean;
  /** Gets all of it, and what of that was edited. */
  save: (request: CostRequest, edited: CostChange) => Promise<unknown>;
  onDone: () => void;
}

/** Enters a cost: an amount and what it was for are enough. */
export function CostForm({ label, cost, currency, username, people, measured, save, onDone }: CostFormProps) {
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm<Typed, unknown, CostRequest>({
    defaultValues: {
      amount: cost ? decimalText(cost.amount, currency) : '',
      text: cost?.text ?? '',
      date: cost?.date ?? '',
      split: cost?.split ?? 'month',
      paid_by: cost ? (cost.paid_by ?? '') : username,
      person: cost?.person ?? username,
      every: String(cost?.repeats?.every ?? 0),
      until: cost?.repeats?.until ?? '',
    },
    reValidateMode: 'onSubmit',
    resolver: requestResolver(CostRequest, ({ amount, text, date, split, paid_by, person, every, until }: Typed) => ({
      amount: readMoney(amount, currency),
      text,
      ...((date !== '' || cost) && { date }),
      split,
      ...(paid_by !== '' && { paid_by }),
      ...(split === 'person' && { person }),
      ...(every !== '0' && { repeats: { every: Number(every), until: until === '' ? null : until } }),
    })),
  });
  const { dirtyFields, errors, isDirty, isSubmitting } = form.formState;
  useUnsaved(isDirty, { isSaving: isSubmitting });
  const [split, every] = useWatch({ control: form.control, name: ['split', 'every'] });
  const submit = form.handleSubmit(async (request) => {
    setFailure(null);
    try {
      if (!cost || isDirty) {
        const { every, until, ...edited } = dirtyFields;
        // Whose it is was asked along with how it is split.
        const person = edited.person === true || edited.split;
        await save(
          request,
          editedOnly({ repeats: null, ...request }, { ...edited, person, repeats: every === true || until }),
        );
      }
      onDone();
    } catch (error) {
      if (!showFieldErrors(form, error, [...NAMES]))
        setFailure(errorText(error) || t("Couldn't save this cost. Please try again."));
    }
  });
  const cancelOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || isDirty) return;
    event.stopPropagation();
    onDone();
  };
  const field = (name: 'amount' | 'text' | 'date' | 'until') => ({
    error: errors[name]?.message,
    ...form.register(name, { onChange: () => form.clearErrors(name) }),
  });
  const known = [...people, cost?.paid_by, cost?.person].filter((name) => typeof name === 'string');
  const choices = [...new Set(known)].map((name) => ({ value: name, text: name === username ? t('You') : name }));
  const ways = CostSplit.options.filter(
    (way) => measured || way === cost?.split || (way !== 'usage' && way !== 'allocation'),
  );
  // The account of who paid is gone.
  const payers = cost?.paid_by === null ? [{ value: '', text: '–' }, ...choices] : choices;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys come from the fields inside
    <form
      noValidate
      aria-label={label}
      onSubmit={(event) => void submit(event)}
      onKeyDown={cancelOnEscape}
      className="mt-2 rounded-card bg-sunken p-3"
    >
      <div className="grid items-start gap-3 sm:grid-cols-[1fr_2fr]">
        <TextField
          label={t('Amount ({currency})', { currency })}
          inputMode="decimal"
          autoComplete="off"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the button that opened the form is gone
          autoFocus
          {...field('amount')}
        />
        <TextField label={t('What for')} autoComplete="off" enterKeyHint="done" {...field('text')} />
      </div>
      <Disclosure
        summary={<span className="text-[14px]">{t('Day, who paid, and how it is split')}</span>}
        open={cost !== undefined}
      >
        <div className="grid items-start gap-3 sm:grid-cols-2">
          <TextField
            label={t('Day it was paid')}
            type="date"
            hint={cost ? undefined : t('Today if empty')}
            {...field('date')}
          />
          <Controller
            control={form.control}
            name="paid_by"
            render={({ field: { value, onChange } }) => (
              <Select
                label={t('Paid by')}
                value={value}
                options={payers}
                error={errors.paid_by?.message}
                onChange={onChange}
              />
            )}
          />
          <Controller
            control={form.control}
            name="split"
            render={({ field: { value, onChange } }) => (
              <Select
                label={t('Split [[noun]]')}
                value={value}
                options={ways.map((way) => ({ value: way, text: splitNames[way]() }))}
                error={errors.split?.message}
                onChange={onChange}
              />
            )}
          />
          <Controller
            control={form.control}
            name="every"
            render={({ field: { value, onChange } }) => (
              <Select
                label={t('Repeats')}
                value={value}
                options={[...new Set([...INTERVALS, Number(value)])].map((months) => ({
                  value: String(months),
                  text:
                    months === 0
                      ? t('Never [[repeats]]')
                      : t('{months, plural, one {Every month} other {Every # months}}', { months }),
                }))}
                onChange={onChange}
              />
            )}
          />
          {every !== '0' && <TextField label={t('Until (optional)')} type="date" {...field('until')} />}
          {split === 'person' && (
            <Controller
              control={form.control}
              name="person"
              render={({ field: { value, onChange } }) => (
                <Select
                  label={t('Charged to')}
                  value={value}
                  options={choices}
                  error={errors.person?.message}
                  onChange={onChange}
                />
              )}
            />
          )}
        </div>
      </Disclosure>
      {failure !== null && (
        <p role="alert" className="mb-2 text-[14px] font-medium text-over-text">
          {failure}
        </p>
      )}
      <div className="mt-2 flex flex-wrap gap-2">
        <Button type="submit" size="small" busy={isSubmitting} busyText={t('Saving...')}>
          {cost ? t('Save') : t('Add')}
        </Button>
        <Button look="outline" size="small" onClick={onDone}>
          {t('Cancel')}
        </Button>
      </div>
    </form>
  );
}
