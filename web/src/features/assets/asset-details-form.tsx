import { UpdateAssetRequest, type OwnedAsset } from '@hourshare/contract/assets';
import { Currency, SubscriptionCost } from '@hourshare/contract/fields';
import { MAX_SESSION_HOURS_MAX } from '@hourshare/contract/limits';
import { useMemo, useRef, useState } from 'react';
import { Controller, FormProvider, useForm, useFormContext } from 'react-hook-form';
import { announce } from '../../ui/toasts.ts';
import { fieldText, ownerOnlyText } from '../../platform/i18n/error-texts.ts';
import { decimalText } from '../../platform/format/numbers.ts';
import {
  editedOnly,
  hasEdits,
  markSaved,
  priceIn,
  readMoney,
  readNumber,
  requestResolver,
  showFieldErrors,
} from '../../platform/forms/request-form.ts';
import { t } from '../../platform/i18n/messages.ts';
import { timeZones, zoneText } from '../../platform/format/time.ts';
import { useUnsaved } from '../../platform/forms/unsaved.ts';
import { Banner } from '../../ui/banner.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { EnterSubmits, TextField } from '../../ui/field.tsx';
import { useUpdateAsset } from './api.ts';
import { AssetFields } from './asset-fields.tsx';
import { editedPlan, PLAN_NAMES, readPlan, typedPlan, type PlanValues } from './plan-values.ts';
import { timeZoneHint } from './rules.ts';

const OWN_NAMES = ['name', 'description', 'subscription_cost', 'currency', 'max_session_hours', 'time_zone'] as const;
const NAMES = [...OWN_NAMES, ...PLAN_NAMES] as const;
type Name = (typeof OWN_NAMES)[number];
type Typed = Record<Name, string> & PlanValues;
/** Rarely changed, so they show only when asked for, or if they are wrong. */
const ADVANCED: Name[] = ['max_session_hours', 'time_zone'];

// A request without a cost leaves it unchanged, but in the form the field is required.
const resolver = requestResolver(
  UpdateAssetRequest.extend({ subscription_cost: SubscriptionCost, currency: Currency }).superRefine((asset, context) =>
    priceIn(asset.currency)(asset, context),
  ),
  (typed: Typed) => ({
    name: typed.name,
    description: typed.description,
    currency: typed.currency,
    time_zone: typed.time_zone,
    ...readPlan(typed),
    subscription_cost: readMoney(typed.subscription_cost, typed.currency),
    max_session_hours: readNumber(typed.max_session_hours),
  }),
);

const typedDetails = (asset: OwnedAsset): Typed => ({
  ...typedPlan(asset),
  name: asset.name,
  description: asset.description,
  subscription_cost: decimalText(asset.subscription_cost, asset.currency),
  currency: asset.currency,
  max_session_hours: String((asset.next_terms ?? asset).max_session_hours),
  time_zone: asset.next_time_zone?.time_zone ?? asset.time_zone,
});

interface AssetDetailsFormProps {
  asset: OwnedAsset;
  onSaved: () => void;
}

export function AssetDetailsForm({ asset, onSaved }: AssetDetailsFormProps) {
  const [failure, setFailure] = useState<string | null>(null);
  const advanced = useRef<HTMLDetailsElement>(null);
  // At once, because only what is shown can take the focus.
  const showAdvanced = (isWrong: (name: Name) => boolean) => {
    if (advanced.current && ADVANCED.some(isWrong)) advanced.current.open = true;
  };
  const hasMembers = asset.shared_with.some(({ pending }) => !pending);
  const update = useUpdateAsset(asset.id);
  const { time_zone: zone } = typedDetails(asset);
  const zones = useMemo(() => timeZones(asset.time_zone, zone), [asset.time_zone, zone]);
  const form = useForm({
    // A change from elsewhere updates the fields that aren't being edited.
    values: typedDetails(asset),
    resetOptions: { keepDirtyValues: true },
    reValidateMode: 'onSubmit',
    resolver,
  });
  const { errors, dirtyFields } = form.formState;

  const save = async () => {
    let isSaved = false;
    await form.handleSubmit(
      async (details) => {
        const sent = form.getValues();
        setFailure(null);
        try {
          const changed = await update.mutateAsync(editedOnly(details, editedPlan(dirtyFields)));
          markSaved(form, sent, typedDetails(changed));
          announce(t('Changes saved.'));
          isSaved = true;
        } catch (error) {
          showAdvanced((name) => fieldText(error, name) !== undefined);
          if (!showFieldErrors(form, error, NAMES)) setFailure(ownerOnlyText(error) ?? t('Failed to update asset.'));
        }
      },
      (wrong) => showAdvanced((name) => name in wrong),
    )();
    return isSaved;
  };
  const { submit } = useUnsaved(hasEdits(dirtyFields), { save, onSaved });

  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={submit} className="grid gap-4">
        {failure !== null && <Banner>{failure}</Banner>}
        <AssetFields asset={asset} />
        <Disclosure
          ref={advanced}
          className="-my-1"
          summary={<span className="text-[14.5px] font-medium">{t('Advanced')}</span>}
        >
          <div className="grid gap-4">
            {asset.measured && <SessionLimit hasMembers={hasMembers} />}
            <Controller
              control={form.control}
              name="time_zone"
              render={({ field }) => (
                <Combobox
                  label={t('Time zone')}
                  value={field.value}
                  options={zones}
                  getLabel={zoneText}
                  hint={timeZoneHint(asset)}
                  error={errors.time_zone?.message}
                  onChange={(next) => {
                    field.onChange(next);
                    form.clearErrors('time_zone');
                  }}
                />
              )}
            />
          </div>
        </Disclosure>
        <EnterSubmits />
      </form>
    </FormProvider>
  );
}

/** A component of its own, so that it registers after the fields above it: the first one that is wrong gets the focus. */
function SessionLimit({ hasMembers }: { hasMembers: boolean }) {
  const { clearErrors, formState, register } = useFormContext<Typed>();
  return (
    <TextField
      label={t('Session limit (hours)')}
      required
      type="number"
      inputMode="numeric"
      min={1}
      max={MAX_SESSION_HOURS_MAX}
      step={1}
      hint={
        hasMembers
          ? t('Sessions end automatically after this long. Changes apply next month.')
          : t('Sessions end automatically after this long.')
      }
      error={formState.errors.max_session_hours?.message}
      {...register('max_session_hours', { onChange: () => clearErrors('max_session_hours') })}
    />
  );
}
