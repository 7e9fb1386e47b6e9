import { CreateAssetRequest } from '@hourshare/contract/assets';
import { useForm } from 'react-hook-form';
import { localCurrency } from '../../platform/format/currencies.ts';
import { readMoney, requestResolver, showFieldErrors } from '../../platform/forms/request-form.ts';
import { t } from '../../platform/i18n/messages.ts';
import { sendTimeZone } from '../../platform/i18n/browser-time-zone.ts';
import { useUser } from '../../platform/auth/use-user.ts';
import { useCreateAsset } from './api.ts';
import type { AssetValues } from './asset-fields.tsx';
import { newPlan, NO_PLAN, PLAN_NAMES } from './plan-values.ts';
import { changedTerms, readTerms, typedPreset, type TypedTerms } from './presets.ts';

const NAMES = ['name', 'description', 'subscription_cost', 'currency', 'base_percent', ...PLAN_NAMES] as const;

const resolver = requestResolver(
  CreateAssetRequest,
  ({ name, description, subscription_cost: cost, currency, ...terms }: AssetValues & TypedTerms) => ({
    name,
    description,
    subscription_cost: readMoney(cost, currency),
    currency,
    ...newPlan(terms),
    ...changedTerms(readTerms(terms)),
  }),
);

/** The form that adds an asset, what sends it, and what its failure says that isn't said under a field. */
export function useNewAsset() {
  const create = useCreateAsset();
  const user = useUser();
  const form = useForm({
    defaultValues: {
      name: '',
      description: '',
      subscription_cost: '',
      currency: localCurrency(),
      ...NO_PLAN,
      ...typedPreset('other'),
    },
    reValidateMode: 'onSubmit',
    resolver,
  });
  const add = (asset: CreateAssetRequest) =>
    sendTimeZone((zone) => create.mutateAsync({ ...asset, time_zone: zone }), user?.time_zone);
  const failureText = (error: unknown): string | null =>
    showFieldErrors(form, error, NAMES) ? null : t('Failed to create asset. Please try again.');
  return { form, add, failureText };
}
