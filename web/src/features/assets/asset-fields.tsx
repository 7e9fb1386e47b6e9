import type { OwnedAsset } from '@hourshare/contract/assets';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useController, useFormContext, useWatch } from 'react-hook-form';
import { currencySymbol, decimalText } from '../../platform/format/numbers.ts';
import { costProblem } from '../../platform/forms/request-form.ts';
import { t, withMessages } from '../../platform/i18n/messages.ts';
import { classes } from '../../ui/class-names.ts';
import { Combobox } from '../../ui/combobox.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import type { PlanValues } from './plan-values.ts';
import { hasPlan } from './rules.ts';
import { currencies, currencyLabel } from '../../platform/format/currencies.ts';

const importPlan = withMessages('plans', () => import('./plan-fields.tsx'));
const PlanFields = lazy(async () => ({ default: (await importPlan()).PlanFields }));

export interface AssetValues extends PlanValues {
  name: string;
  description: string;
  subscription_cost: string;
  currency: string;
}

interface AssetFieldsProps {
  /** The one to edit. */
  asset?: OwnedAsset;
  /** Leaves out the description, which someone's first asset can get later. */
  brief?: boolean;
}

/** The fields of the form around it that an asset is created with, or that edit an existing one. */
export function AssetFields({ asset, brief = false }: AssetFieldsProps) {
  const { clearErrors, control, formState, getValues, register, setError } = useFormContext<AssetValues>();
  const { dirtyFields, errors } = formState;
  const { field: currency } = useController({ control, name: 'currency' });
  // Offered even if the browser doesn't know it.
  const ownCurrency = asset?.currency;
  const codes = useMemo(() => currencies(...(ownCurrency === undefined ? [] : [ownCurrency])), [ownCurrency]);
  // The asset doesn't list former members: after them, the server refuses the change. Read once: a member who accepts
  // while the form is open would move what its owner is about to press.
  const [isFixed] = useState(() => asset?.shared_with.some(({ pending }) => !pending) ?? false);
  const isPlanned = asset !== undefined && hasPlan(asset);
  const [isPlanOpen, setPlanOpen] = useState(isPlanned);
  const isMonthly = useWatch({ control, name: 'cycle_unit' }) === '';
  const isOtherRhythm = Boolean(dirtyFields.cycle_unit) || (!isMonthly && Boolean(dirtyFields.cycle_every));
  const propsOf = (name: 'name' | 'description' | 'subscription_cost') => ({
    error: errors[name]?.message,
    ...register(name, { onChange: () => clearErrors(name) }),
  });
  return (
    <>
      <TextField
        label={t('Asset Name')}
        required
        dir="auto"
        autoComplete="off"
        placeholder={asset ? undefined : t('e.g. Netflix Premium')}
        {...propsOf('name')}
      />
      {!brief && <TextArea label={t('Description')} dir="auto" {...propsOf('description')} />}
      <div className={classes('grid items-start gap-4', !isFixed && 'sm:grid-cols-2')}>
        <TextField
          label={
            isMonthly
              ? t('Monthly Subscription Cost ({symbol})', { symbol: currencySymbol(currency.value) })
              : t('Price of each renewal ({symbol})', { symbol: currencySymbol(currency.value) })
          }
          required
          // A number field refuses the decimal comma of the viewer's locale in some browsers.
          inputMode="decimal"
          autoComplete="off"
          placeholder={decimalText(0, currency.value)}
          min={0}
          step={0.01}
          hint={
            !asset
              ? undefined
              : currency.value !== asset.currency
                ? t('Applies to every month with the current price.')
                : isOtherRhythm
                  ? t('Applies from this month and replaces prices set for later.')
                  : isMonthly
                    ? t("Applies from this month. Earlier months don't change.")
                    : t('Applies from this cycle, or from the next if a month of this one has ended.')
          }
          {...propsOf('subscription_cost')}
        />
        {!isFixed && (
          <Combobox
            label={t('Currency')}
            value={currency.value}
            options={codes}
            getLabel={currencyLabel}
            hint={asset && t('Can be changed until someone else has had access.')}
            error={errors.currency?.message}
            onChange={(code) => {
              currency.onChange(code);
              clearErrors(['currency', 'subscription_cost']);
              const message = costProblem(getValues('subscription_cost'), code);
              if (message !== undefined) setError('subscription_cost', { message });
            }}
          />
        )}
      </div>
      {!brief && asset?.your_role !== 'manager' && (
        <Disclosure
          className="-my-1"
          open={isPlanned}
          summary={<span className="text-[14.5px] font-medium">{t('Payment plan')}</span>}
          onOpen={() => setPlanOpen(true)}
        >
          {isPlanOpen && (
            <Suspense fallback={<Spinner label={t('Loading')} className="py-4" />}>
              <PlanFields />
            </Suspense>
          )}
        </Disclosure>
      )}
    </>
  );
}
