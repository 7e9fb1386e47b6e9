import type { Statement } from '@hourshare/contract/statements';
import { SetPriceRequest } from '@hourshare/contract/periods';
import { Lock } from 'lucide-react';
import { useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { announce } from '../../ui/toasts.ts';
import { decimalText, formatMoney } from '../../platform/format/numbers.ts';
import { markSaved, priceIn, readMoney, requestResolver, showFieldErrors } from '../../platform/forms/request-form.ts';
import { t } from '../../platform/i18n/messages.ts';
import { monthText } from '../../platform/format/months.ts';
import { useUnsaved } from '../../platform/forms/unsaved.ts';
import { Banner } from '../../ui/banner.tsx';
import { Badge } from '../../ui/badge.tsx';
import { EnterSubmits, TextField } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { usePrices, useSetPrice } from './api.ts';
import { monthsToPrice, runningMonth } from './rules.ts';

interface PriceHistoryProps {
  assetId: number;
  currency: string;
  /** Whether prices are those of calendar months. */
  monthly: boolean;
  statements: Statement[];
}

/** The prices of an asset, each with its first month, and the form that sets one. */
export function PriceHistory({ assetId, currency, monthly, statements }: PriceHistoryProps) {
  const prices = usePrices(assetId);
  const running = runningMonth(statements);
  return (
    <section aria-labelledby="prices">
      <h3 id="prices" className="font-semibold">
        {t('Price')}
      </h3>
      {prices.isError && (
        <Banner className="mt-2" onRetry={() => void prices.refetch()}>
          {t("Couldn't load prices")}
        </Banner>
      )}
      {prices.isPending && <Spinner label={t('Loading prices')} className="w-full justify-center py-4" />}
      <ul role="list" className="mt-1 divide-y divide-line">
        {prices.data?.toReversed().map(({ from_month, subscription_cost, open }) => (
          <li key={from_month} className="flex min-h-11 items-center gap-3 py-1.5">
            <span>
              {from_month > running
                ? t('Starting {month}', { month: monthText(from_month) })
                : t('Since {month}', { month: monthText(from_month) })}
            </span>
            {!open && (
              <Badge>
                <Lock aria-hidden size={12} />
                {t('Closed [[month]]')}
              </Badge>
            )}
            <span className="figures ms-auto font-semibold">{formatMoney(subscription_cost, currency)}</span>
          </li>
        ))}
      </ul>
      <PriceForm assetId={assetId} currency={currency} monthly={monthly} months={monthsToPrice(statements)} />
    </section>
  );
}

const EMPTY = { from_month: '', subscription_cost: '' };

interface PriceFormProps {
  assetId: number;
  currency: string;
  monthly: boolean;
  months: string[];
}

function PriceForm({ assetId, currency, monthly, months }: PriceFormProps) {
  const [failure, setFailure] = useState<string | null>(null);
  const set = useSetPrice(assetId);
  // Defaults to the newest month that has begun.
  const first = months[0] ?? '';
  const form = useForm({
    defaultValues: EMPTY,
    reValidateMode: 'onSubmit',
    resolver: requestResolver(
      SetPriceRequest.superRefine(priceIn(currency)),
      ({ from_month, subscription_cost }: typeof EMPTY) => ({
        from_month: from_month || first,
        subscription_cost: readMoney(subscription_cost, currency),
      }),
    ),
  });
  const { errors, isDirty } = form.formState;
  const handleEdit = (name: 'from_month' | 'subscription_cost') => form.clearErrors(name);

  const save = async () => {
    let isSaved = false;
    await form.handleSubmit(async (price) => {
      setFailure(null);
      const { from_month, subscription_cost } = price;
      const sent = form.getValues();
      try {
        await set.mutateAsync(price);
        markSaved(form, sent, EMPTY);
        announce(
          monthly
            ? t('{price} per month starting {month}.', {
                price: formatMoney(subscription_cost, currency),
                month: monthText(from_month),
              })
            : t('Applies from this cycle, or from the next if a month of this one has ended.'),
        );
        isSaved = true;
      } catch (error) {
        if (!showFieldErrors(form, error, ['from_month', 'subscription_cost']))
          setFailure(t("Couldn't change the price. Please try again."));
      }
    })();
    return isSaved;
  };
  const { submit } = useUnsaved(isDirty, { save });

  return (
    <form noValidate onSubmit={submit} className="mt-2 grid gap-3.5">
      {failure !== null && <Banner>{failure}</Banner>}
      <div className="grid items-start gap-3.5 sm:grid-cols-2">
        <Controller
          control={form.control}
          name="from_month"
          render={({ field }) => (
            <Select
              label={t('Starting month')}
              value={field.value || first}
              options={months.map((value) => ({ value, text: monthText(value) }))}
              error={errors.from_month?.message}
              onChange={(month) => {
                field.onChange(month);
                handleEdit('from_month');
              }}
            />
          )}
        />
        <TextField
          label={monthly ? t('New monthly price') : t('New price of each renewal')}
          inputMode="decimal"
          autoComplete="off"
          placeholder={decimalText(0, currency)}
          error={errors.subscription_cost?.message}
          {...form.register('subscription_cost', { onChange: () => handleEdit('subscription_cost') })}
        />
      </div>
      <EnterSubmits />
    </form>
  );
}
