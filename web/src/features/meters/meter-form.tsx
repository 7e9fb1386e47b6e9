import {
  METER_GRACE_MINUTES_DEFAULT,
  METER_MERGE_MINUTES_DEFAULT,
  METER_MIN_SECONDS_DEFAULT,
  METER_NAME_MAX_LENGTH,
} from '@hourshare/contract/limits';
import { CreateMeterRequest, UpdateMeterRequest, type Meter } from '@hourshare/contract/meters';
import { useEffect, useState } from 'react';
import { FormProvider, useController, useForm, useFormContext } from 'react-hook-form';
import {
  editedOnly,
  hasEdits,
  markSaved,
  requestResolver,
  showFieldErrors,
} from '../../platform/forms/request-form.ts';
import { useUnsaved } from '../../platform/forms/unsaved.ts';
import { exactDuration } from '../../platform/format/time.ts';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { DialogButtons } from '../../ui/dialog.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { EnterSubmits, TextField } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { announce } from '../../ui/toasts.ts';
import { useCreateMeter, useUpdateMeter, type MeterKey } from './api.ts';

interface TypedSettings {
  name: string;
  grace_minutes: string;
  merge_minutes: string;
  min_seconds: string;
  counted_types: Meter['counted_types'];
  name_attribute: Meter['name_attribute'];
}
type Typed = TypedSettings & { kind: Meter['kind']; per_member: boolean };

const readSettings = ({ grace_minutes: grace, merge_minutes: merge, min_seconds: min, ...others }: TypedSettings) => ({
  ...others,
  grace_minutes: Number(grace),
  merge_minutes: Number(merge),
  min_seconds: Number(min),
});

const createResolver = requestResolver(CreateMeterRequest, ({ kind, per_member: own, ...settings }: Typed) => ({
  ...readSettings(settings),
  kind,
  per_member: own,
}));
// Its own button is the dialog's.
const updateResolver = requestResolver(UpdateMeterRequest, readSettings);

/** Adds a meter. */
export function AddMeter({
  assetId,
  onAdded,
  onCancel,
}: {
  assetId: number;
  onAdded: (meter: Meter, token: string | null) => void;
  onCancel: () => void;
}) {
  const create = useCreateMeter(assetId);
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm<Typed, unknown, CreateMeterRequest>({
    defaultValues: {
      name: '',
      kind: 'sessions',
      per_member: false,
      counted_types: 'all',
      name_attribute: 'user.email',
      grace_minutes: String(METER_GRACE_MINUTES_DEFAULT),
      merge_minutes: String(METER_MERGE_MINUTES_DEFAULT),
      min_seconds: String(METER_MIN_SECONDS_DEFAULT),
    },
    reValidateMode: 'onSubmit',
    resolver: createResolver,
  });
  const { isSubmitting, isDirty } = form.formState;
  const own = useController({ control: form.control, name: 'per_member' }).field;
  const kind = useController({ control: form.control, name: 'kind' }).field;
  useUnsaved(isDirty, { isSaving: isSubmitting });
  const { setFocus } = form;
  // The button that opened this is gone.
  useEffect(() => setFocus('name'), [setFocus]);
  const submit = form.handleSubmit(async (request) => {
    setFailure(null);
    try {
      const { meter, token } = await create.mutateAsync(request);
      onAdded(meter, token);
    } catch (error) {
      if (!showFieldErrors(form, error, ['name']))
        setFailure(errorText(error) || t("Couldn't add the meter. Please try again."));
    }
  });
  return (
    <FormProvider {...form}>
      <form
        noValidate
        aria-label={t('Add a meter')}
        className="mt-3 grid gap-3 rounded-card bg-sunken p-4"
        onSubmit={(event) => void submit(event)}
      >
        {failure !== null && <Banner>{failure}</Banner>}
        <NameField />
        <Select
          label={t('What it reports')}
          value={kind.value}
          options={[
            { value: 'sessions', text: t('When use starts and stops') },
            { value: 'totals', text: t('How long each day') },
          ]}
          onChange={kind.onChange}
        />
        <Checkbox
          label={t('Each member has a token of their own')}
          hint={t('For what runs on their own machines.')}
          checked={own.value}
          onChange={own.onChange}
        />
        <Disclosure summary={<span className="text-[14.5px] font-medium">{t('Advanced')}</span>}>
          <SettingFields kind={kind.value} />
        </Disclosure>
        <DialogButtons>
          <Button look="outline" onClick={onCancel}>
            {t('Cancel')}
          </Button>
          <Button type="submit" busy={isSubmitting} busyText={t('Adding...')}>
            {t('Add a meter')}
          </Button>
        </DialogButtons>
      </form>
    </FormProvider>
  );
}

const typedSettings = (meter: Meter): TypedSettings => ({
  name: meter.name,
  grace_minutes: String(meter.grace_minutes),
  merge_minutes: String(meter.merge_minutes),
  min_seconds: String(meter.min_seconds),
  counted_types: meter.counted_types,
  name_attribute: meter.name_attribute,
});

/** Changes a meter, together with the other forms of the dialog. */
export function MeterSettings({ meter, meterKey }: { meter: Meter; meterKey: MeterKey }) {
  const update = useUpdateMeter(meterKey);
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm<TypedSettings, unknown, UpdateMeterRequest>({
    values: typedSettings(meter),
    resetOptions: { keepDirtyValues: true },
    reValidateMode: 'onSubmit',
    resolver: updateResolver,
  });
  const { dirtyFields } = form.formState;
  const save = async () => {
    let isSaved = false;
    await form.handleSubmit(async (request) => {
      const sent = form.getValues();
      setFailure(null);
      try {
        const changed = await update.mutateAsync(editedOnly(request, dirtyFields));
        markSaved(form, sent, typedSettings(changed));
        announce(t('Changes saved.'));
        isSaved = true;
      } catch (error) {
        if (!showFieldErrors(form, error, ['name'])) setFailure(errorText(error) || t("Couldn't save your changes."));
      }
    })();
    return isSaved;
  };
  const { submit } = useUnsaved(hasEdits(dirtyFields), { save });
  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={submit} className="grid gap-3">
        {failure !== null && <Banner>{failure}</Banner>}
        <NameField />
        <SettingFields kind={meter.kind} />
        <EnterSubmits />
      </form>
    </FormProvider>
  );
}

function NameField() {
  const { register, formState, clearErrors } = useFormContext<TypedSettings>();
  return (
    <TextField
      label={t('Name [[meter]]')}
      autoComplete="off"
      maxLength={METER_NAME_MAX_LENGTH}
      error={formState.errors.name?.message}
      {...register('name', { onChange: () => clearErrors('name') })}
    />
  );
}

const GRACE_MINUTES = [2, 5, 10, 15, 30, 60];
const MERGE_MINUTES = [0, 1, 2, 5, 10, 15, 30];
const MIN_SECONDS = [0, 30, 60, 120, 300, 600];

const SettingFields = ({ kind }: Pick<Meter, 'kind'>) => (kind === 'totals' ? <TotalFields /> : <SessionFields />);

/** What is read of telemetry. */
function TotalFields() {
  const types = useController<TypedSettings, 'counted_types'>({ name: 'counted_types' }).field;
  const name = useController<TypedSettings, 'name_attribute'>({ name: 'name_attribute' }).field;
  const attributes = ['user.email', 'user.account_uuid', 'user.id'];
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Select
        label={t('Count [[telemetry]]')}
        value={types.value}
        options={[
          { value: 'all', text: t('All activity') },
          { value: 'user', text: t("Only the person's own activity") },
        ]}
        onChange={types.onChange}
      />
      <Select
        label={t('Identify people by')}
        value={name.value}
        options={attributes.map((value) => ({ value, text: value }))}
        onChange={name.onChange}
      />
    </div>
  );
}

const SessionFields = () => (
  <div className="grid gap-3 sm:grid-cols-2">
    <DurationSelect name="grace_minutes" label={t('Ends after a silence of')} choices={GRACE_MINUTES} seconds={60} />
    <DurationSelect name="merge_minutes" label={t('Joins gaps of up to')} choices={MERGE_MINUTES} seconds={60} />
    <DurationSelect
      name="min_seconds"
      label={t('Leaves out anything shorter than')}
      choices={MIN_SECONDS}
      seconds={1}
    />
  </div>
);

interface DurationSelectProps {
  name: 'grace_minutes' | 'merge_minutes' | 'min_seconds';
  label: string;
  choices: readonly number[];
  /** Of the unit. */
  seconds: number;
}

function DurationSelect({ name, label, choices, seconds }: DurationSelectProps) {
  const { field } = useController<TypedSettings, DurationSelectProps['name']>({ name });
  // A script may have set another one.
  const all = [...new Set([...choices, Number(field.value)])].toSorted((one, other) => one - other);
  return (
    <Select
      label={label}
      value={field.value}
      options={all.map((count) => ({ value: String(count), text: exactDuration(count * seconds) }))}
      onChange={field.onChange}
    />
  );
}
