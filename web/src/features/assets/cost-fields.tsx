import { useMemo } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { currencies, currencyLabel } from './currencies.ts';
import { currencySymbol, decimalText } from '../../platform/format/numbers.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Combobox } from '../../ui/combobox.tsx';
import { TextField } from '../../ui/field.tsx';

interface CostFieldsProps {
  cost: UseFormRegisterReturn;
  currency: { value: string; onChange: (currency: string) => void };
  /** Whether the currency can't be changed. */
  isFixed?: boolean;
  /** Offered even if the browser doesn't know it. */
  ownCurrency?: string;
  hints?: { cost: string; currency: string };
  errors: { subscription_cost?: { message?: string }; currency?: { message?: string } };
}

/** The monthly cost of an asset, with the symbol of its currency in the label, and the currency. */
export function CostFields({ cost, currency, isFixed = false, ownCurrency, hints, errors }: CostFieldsProps) {
  const codes = useMemo(() => currencies(...(ownCurrency === undefined ? [] : [ownCurrency])), [ownCurrency]);
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <TextField
        label={t('Monthly Subscription Cost ({symbol})', { symbol: currencySymbol(currency.value) })}
        required
        // A number field refuses the decimal comma of the viewer's locale in some browsers.
        inputMode="decimal"
        autoComplete="off"
        placeholder={decimalText(0, currency.value)}
        min={0}
        step={0.01}
        hint={hints?.cost}
        error={errors.subscription_cost?.message}
        {...cost}
      />
      {!isFixed && (
        <Combobox
          label={t('Currency')}
          value={currency.value}
          options={codes}
          getLabel={currencyLabel}
          hint={hints?.currency}
          error={errors.currency?.message}
          onChange={currency.onChange}
        />
      )}
    </div>
  );
}
