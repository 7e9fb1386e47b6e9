import { TrustOwnerRequest, type TrustedOwner } from '@hourshare/contract/shares';
import { useMemo, useState } from 'react';
import { useController, useForm } from 'react-hook-form';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { currencies, currencyLabel, localCurrency } from '../../platform/format/currencies.ts';
import { decimalText, formatMoney } from '../../platform/format/numbers.ts';
import { markSaved, readMoney, requestResolver, showFieldErrors } from '../../platform/forms/request-form.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import { TextField } from '../../ui/field.tsx';
import { hidden } from '../../ui/hidden-text.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useDistrustOwner, useTrustedOwners, useTrustOwner } from './changes-api.ts';

type Offers = TrustedOwner['offers'];

/** The owners whose offers are accepted without asking, and a form that adds one. */
export const TrustedOwners = () => <OwnerChoices offers="accept" labelledBy="trusted-owners" />;

/** The owners whose offers are refused, and a form that adds one. */
export const BlockedOwners = () => <OwnerChoices offers="refuse" labelledBy="blocked-owners" />;

function OwnerChoices({ offers, labelledBy }: { offers: Offers; labelledBy: string }) {
  const owners = useTrustedOwners();
  const distrust = useDistrustOwner();
  const chosen = owners.data?.filter((owner) => owner.offers === offers) ?? [];
  return (
    <>
      <p className="text-[14px] text-muted">
        {offers === 'accept'
          ? t(
              'You get access right away to what these people share, up to an amount for each offer, and charges start.',
            )
          : t("These people can't offer you anything. What you already use stays.")}
      </p>
      {owners.isPending && <Spinner label={t('Loading people')} className="py-3" />}
      {owners.isError && (
        <Banner className="mt-3" onRetry={() => void owners.refetch()}>
          {t("Couldn't load these people.")}
        </Banner>
      )}
      {distrust.isError && <Banner className="mt-3">{t("Couldn't save that setting. Please try again.")}</Banner>}
      {chosen.length > 0 && (
        <ul role="list" aria-labelledby={labelledBy} className="mt-3 divide-y divide-line border-y border-line">
          {chosen.map(({ username: name, monthly_amount: amount, currency }) => (
            <li key={name} className="flex min-h-13 items-center gap-3 py-1">
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium">{name}</span>
                {amount !== null && currency !== null && (
                  <span className="figures block text-[13.5px] text-muted">
                    {t('Up to {amount} a month', { amount: formatMoney(amount, currency) })}
                  </span>
                )}
              </span>
              <Button
                look="plain"
                size="small"
                className="-me-3"
                busy={distrust.isPending && distrust.variables === name}
                onClick={() => distrust.mutate(name)}
              >
                {rich('Remove<hidden> {name}</hidden>', { name, hidden })}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <OwnerForm offers={offers} />
    </>
  );
}

interface Typed {
  username: string;
  monthly_amount: string;
  currency: string;
}
const NAMES = ['username', 'monthly_amount', 'currency'] as const;

function OwnerForm({ offers }: { offers: Offers }) {
  const trust = useTrustOwner();
  const [failure, setFailure] = useState<string | null>(null);
  const isLimited = offers === 'accept';
  const empty = useMemo(() => ({ username: '', monthly_amount: '', currency: localCurrency() }), []);
  const codes = useMemo(() => (isLimited ? currencies() : []), [isLimited]);
  const resolver = useMemo(
    () =>
      requestResolver(TrustOwnerRequest, ({ username, monthly_amount: amount, currency }: Typed) => ({
        username,
        offers,
        ...(isLimited && { monthly_amount: readMoney(amount, currency), currency }),
      })),
    [offers, isLimited],
  );
  const form = useForm({ defaultValues: empty, reValidateMode: 'onSubmit', resolver });
  const { field: currency } = useController({ control: form.control, name: 'currency' });
  const { errors, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async (request) => {
    setFailure(null);
    const sent = form.getValues();
    try {
      await trust.mutateAsync(request);
      markSaved(form, sent, { ...empty, currency: sent.currency });
    } catch (error) {
      if (error instanceof ApiError && error.status === 404)
        form.setError('username', {
          message: errorText(error) || t('User "{name}" not found', { name: request.username }),
        });
      else if (!showFieldErrors(form, error, NAMES))
        setFailure(errorText(error) || t("Couldn't save that setting. Please try again."));
    }
  });
  return (
    <form noValidate className="mt-4 grid max-w-md gap-3" onSubmit={(event) => void submit(event)}>
      {failure !== null && <Banner>{failure}</Banner>}
      <TextField
        label={offers === 'accept' ? t('Always accept from') : t('Never accept from')}
        hint={t('Enter a username.')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        error={errors.username?.message}
        {...form.register('username', { onChange: () => form.clearErrors() })}
      />
      {isLimited && (
        <div className="grid items-start gap-3 sm:grid-cols-2">
          <TextField
            label={t('Up to this amount a month')}
            inputMode="decimal"
            autoComplete="off"
            placeholder={decimalText(0, currency.value)}
            hint={t('For everything one offer includes. Offers that cost more wait for your answer.')}
            error={errors.monthly_amount?.message}
            {...form.register('monthly_amount', { onChange: () => form.clearErrors() })}
          />
          <Combobox
            label={t('Currency')}
            value={currency.value}
            options={codes}
            getLabel={currencyLabel}
            error={errors.currency?.message}
            onChange={(code) => {
              currency.onChange(code);
              form.clearErrors();
            }}
          />
        </div>
      )}
      <Button type="submit" look="outline" busy={isSubmitting} busyText={t('Adding...')} className="justify-self-start">
        {offers === 'accept' ? t('Add [[trusted person]]') : t('Block [[a person]]')}
      </Button>
    </form>
  );
}
