import { UpdateAssetRequest, type OwnedAsset } from '@hourshare/contract/assets';
import { BasePercent, OwnerHours, type SplitMethod } from '@hourshare/contract/fields';
import { ALLOCATION_MAX_HOURS, ALLOCATION_MIN_HOURS, OWNER_HOURS_MAX } from '@hourshare/contract/limits';
import { useMemo, useState } from 'react';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { announce } from '../../ui/toasts.ts';
import { ownerOnlyText } from '../../platform/i18n/error-texts.ts';
import {
  editedOnly,
  hasEdits,
  markSaved,
  readNumber,
  requestResolver,
  showFieldErrors,
} from '../../platform/forms/request-form.ts';
import { t } from '../../platform/i18n/messages.ts';
import { monthText } from '../../platform/format/months.ts';
import { decimalText } from '../../platform/format/numbers.ts';
import { hasBaseShare, methodNames } from '../periods/terms-text.ts';
import { useSettled } from '../../platform/use-settled.ts';
import { useUnsaved } from '../../platform/forms/unsaved.ts';
import { Banner } from '../../ui/banner.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { EnterSubmits, TextField } from '../../ui/field.tsx';
import { RadioCards } from '../../ui/radio-cards.tsx';
import { Stepper } from '../../ui/stepper.tsx';
import { useSaveSplit } from '../periods/api.ts';
import { methodHints } from './rules.ts';
import { allocationProblem, buildTrial } from './split-trial.ts';
import { ComingTerms } from './coming-terms.tsx';
import { WhatIf } from './what-if.tsx';

const NAMES = [
  'split_method',
  'base_percent',
  'owner_hours',
  'max_price_per_hour',
  'owner_takes_part',
  'measured',
] as const;
type Name = (typeof NAMES)[number];

interface Typed {
  split_method: SplitMethod;
  base_percent: string;
  owner_hours: string;
  max_price_per_hour: string;
  owner_takes_part: boolean;
  measured: boolean;
}

/** Reads the form's terms. Hidden fields are sent too, unless they are invalid. */
function readTerms({ base_percent, owner_hours, max_price_per_hour: most, measured, ...typed }: Typed) {
  // What isn't measured is split evenly, and no one takes part in it.
  const split_method = measured ? typed.split_method : 'equal';
  const base = readNumber(base_percent);
  const own = readNumber(owner_hours);
  return {
    split_method,
    base_percent: hasBaseShare(split_method) || BasePercent.safeParse(base).success ? base : undefined,
    owner_hours: split_method !== 'equal' || OwnerHours.safeParse(own).success ? own : undefined,
    max_price_per_hour: split_method !== 'share_of_use' ? undefined : most === '' ? null : readNumber(most),
    owner_takes_part: measured && typed.owner_takes_part,
    measured,
  };
}

const resolver = requestResolver(UpdateAssetRequest, readTerms);

/** Returns the terms to edit: those that start next month, if they differ from the current ones. */
const typedTerms = (asset: OwnedAsset): Typed => {
  const {
    split_method,
    base_percent,
    owner_hours,
    max_price_per_hour: most,
    owner_takes_part,
    measured,
  } = asset.next_terms ?? asset;
  return {
    split_method,
    base_percent: String(base_percent),
    owner_hours: String(owner_hours),
    max_price_per_hour: most === null ? '' : decimalText(most, asset.currency),
    owner_takes_part,
    measured,
  };
};

/** Says when saved terms apply. */
const savedText = ({ next_terms: next }: OwnedAsset): string =>
  next ? t('Saved. Applies starting {month}.', { month: monthText(next.from_month) }) : t('Cost split saved.');

const METHODS = ['usage', 'allocation', 'equal', 'share_of_use'] as const;

/** The form for the split terms, with a preview of other terms before they are saved. */
export function SplitForm({ asset }: { asset: OwnedAsset }) {
  const [failure, setFailure] = useState<string | null>(null);
  /** Allowances in the preview, as typed, by username. Never saved. */
  const [trialAllowances, setTrialAllowances] = useState<Record<string, string>>({});
  const change = useSaveSplit(asset.id);
  const form = useForm({
    // A change from elsewhere updates the fields that aren't being edited.
    values: typedTerms(asset),
    resetOptions: { keepDirtyValues: true },
    reValidateMode: 'onSubmit',
    resolver,
  });
  const { errors, dirtyFields } = form.formState;
  const members = asset.shared_with.flatMap(
    ({ pending, shared_with_username: name, monthly_hours_allocated: hours }) =>
      pending || name === null || hours === null ? [] : [{ name, hours }],
  );
  const isOwner = asset.your_role === 'owner';
  // Tried allowances can't be saved, but they were typed.
  useUnsaved(members.some(({ name, hours }) => (trialAllowances[name] ?? String(hours)) !== String(hours)));
  const typed = useWatch({ control: form.control });
  const measured = typed.measured ?? asset.measured;
  const method = measured ? (typed.split_method ?? asset.split_method) : 'equal';
  const trial = useSettled(useMemo(() => buildTrial(asset, typed, trialAllowances), [asset, typed, trialAllowances]));
  const handleEdit = (name: Name) => form.clearErrors(name);
  const save = async () => {
    let isSaved = false;
    await form.handleSubmit(async (terms) => {
      setFailure(null);
      const sent = form.getValues();
      try {
        const changed = await change.mutateAsync(editedOnly(terms, dirtyFields));
        markSaved(form, sent, typedTerms(changed));
        setTrialAllowances((now) => (now === trialAllowances ? {} : now));
        announce(savedText(changed));
        isSaved = true;
      } catch (error) {
        if (!showFieldErrors(form, error, NAMES))
          setFailure(ownerOnlyText(error) ?? t("Couldn't save the split. Please try again."));
      }
    })();
    return isSaved;
  };
  const { submit } = useUnsaved(hasEdits(dirtyFields), { save });

  return (
    <section aria-labelledby="split">
      <h3 id="split" className="font-semibold">
        {t('Cost split')}
      </h3>
      <ComingTerms asset={asset} />
      <form noValidate onSubmit={submit} className="mt-2.5 grid gap-4">
        {failure !== null && <Banner>{failure}</Banner>}
        {isOwner && (
          <Controller
            control={form.control}
            name="measured"
            render={({ field }) => (
              <Checkbox
                label={t('Measure use')}
                {...(!field.value && { hint: t('Everyone pays the same, and there is nothing to track.') })}
                checked={field.value}
                onChange={(value) => {
                  field.onChange(value);
                  handleEdit('split_method');
                }}
              />
            )}
          />
        )}
        {measured && (
          <Controller
            control={form.control}
            name="split_method"
            render={({ field }) => (
              <RadioCards
                legend={t('Method [[cost split]]')}
                value={field.value}
                options={METHODS.map((value) => ({ value, text: methodNames[value](), hint: methodHints[value]() }))}
                error={errors.split_method?.message}
                onChange={(value) => {
                  field.onChange(value);
                  handleEdit('split_method');
                }}
              />
            )}
          />
        )}
        {/* Fields the method does not use are hidden; their values stay. */}
        {method !== 'equal' && (
          <div className="grid items-start gap-4 sm:grid-cols-2">
            <Stepper
              label={isOwner ? t('Your own hours') : t("{owner}'s own hours", { owner: asset.owner })}
              min={0}
              max={OWNER_HOURS_MAX}
              hint={isOwner ? t('Monthly hours reserved for you.') : t('Monthly hours reserved for the owner.')}
              error={errors.owner_hours?.message}
              {...form.register('owner_hours', { onChange: () => handleEdit('owner_hours') })}
            />
            {hasBaseShare(method) && (
              <Stepper
                label={t('Base share (%)')}
                min={0}
                max={100}
                hint={t('Portion of the price split by allowance.')}
                error={errors.base_percent?.message}
                {...form.register('base_percent', { onChange: () => handleEdit('base_percent') })}
              />
            )}
            {method === 'share_of_use' && (
              <TextField
                label={t('Maximum price per hour ({currency})', { currency: asset.currency })}
                inputMode="decimal"
                hint={t('Leave empty to use the price divided by all hours.')}
                error={errors.max_price_per_hour?.message}
                {...form.register('max_price_per_hour', { onChange: () => handleEdit('max_price_per_hour') })}
              />
            )}
          </div>
        )}
        {measured && isOwner && (
          <Controller
            control={form.control}
            name="owner_takes_part"
            render={({ field }) => (
              <Checkbox
                label={t('I use it, too')}
                {...(method === 'share_of_use' &&
                  !field.value && { hint: t("You aren't measured, so the others pay.") })}
                checked={field.value}
                onChange={field.onChange}
              />
            )}
          />
        )}
        {measured && members.length > 0 && (
          <Disclosure
            className="-my-1"
            summary={<span className="text-[14.5px] font-medium">{t('Try different allowances')}</span>}
          >
            <p className="mb-3 text-[13.5px] text-muted">{t('Preview only. Change allowances on the Share tab.')}</p>
            <div className="grid grid-cols-[repeat(auto-fill,minmax(150px,1fr))] items-start gap-3.5">
              {members.map(({ name, hours }) => (
                <Stepper
                  key={name}
                  label={name}
                  min={ALLOCATION_MIN_HOURS}
                  max={ALLOCATION_MAX_HOURS}
                  value={trialAllowances[name] ?? String(hours)}
                  error={allocationProblem(trialAllowances[name])}
                  onChange={({ target }) => setTrialAllowances((before) => ({ ...before, [name]: target.value }))}
                />
              ))}
            </div>
          </Disclosure>
        )}
        <WhatIf assetId={asset.id} isOwner={isOwner} trial={trial} />
        <p className="text-[13.5px] text-muted">
          {!isOwner
            ? t('Applies from next month. In the last 72 hours of a month, only the owner can change it.')
            : members.length > 0
              ? t('Applies from next month.')
              : t('Applies from this month, or from the next one if someone else was part of this month.')}
        </p>
        <EnterSubmits />
      </form>
    </section>
  );
}
