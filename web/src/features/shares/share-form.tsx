import type { OwnedAsset } from '@hourshare/contract/assets';
import { ALLOCATION_MAX_HOURS, ALLOCATION_MIN_HOURS, OFFER_DAYS } from '@hourshare/contract/limits';
import { issue } from '@hourshare/contract/sentences';
import { MonthlyHours, ShareFields, TrustOwnerRequest } from '@hourshare/contract/shares';
import { useState } from 'react';
import { useForm, useWatch, type FieldErrors } from 'react-hook-form';
import { markSaved, readNumber, requestResolver, showFieldErrors } from '../../platform/forms/request-form.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { announce } from '../../ui/toasts.ts';
import { t } from '../../platform/i18n/messages.ts';
import { useUnsaved } from '../../platform/forms/unsaved.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { useShareAsset } from './changes-api.ts';
import { ownPartText } from './own-part.ts';
import { withFirstTerms } from './first-terms.ts';
import { shareFailureText } from './rules.ts';
import { useStartChoice } from './start-choice.tsx';
import { isFirstShare, WhoseIsIt } from './whose-is-it.tsx';

const EMPTY = { username: '', monthly_hours_allocated: '' };
type Typed = typeof EMPTY;
type Name = keyof Typed;
const NAMES: Name[] = ['username', 'monthly_hours_allocated'];

const hoursRequired = issue('username_and_hours_required');

const resolver = requestResolver(
  ShareFields.extend({
    monthly_hours_allocated: MonthlyHours.optional().refine((hours) => hours !== undefined, hoursRequired),
  }),
  ({ username, monthly_hours_allocated: hours }: Typed) => ({
    username,
    monthly_hours_allocated: hours.trim() === '' ? undefined : readNumber(hours),
  }),
);

/** For an asset that isn't measured: its members have no hours, and the error doesn't ask for them. */
const plainResolver = requestResolver(
  ShareFields.extend({ username: TrustOwnerRequest.shape.username }),
  ({ username }: Typed) => ({ username }),
);

/** What is typed into a ShareForm. It can be kept while the form isn't shown. */
export const useShareForm = ({ measured }: Pick<OwnedAsset, 'measured'>) =>
  useForm({
    defaultValues: EMPTY,
    reValidateMode: 'onSubmit',
    shouldFocusError: false,
    resolver: measured ? resolver : plainResolver,
  });

interface ShareFormProps {
  asset: OwnedAsset;
  form: ReturnType<typeof useShareForm>;
  /** Asks for the hours first: someone who shares for the first time may not expect them. */
  hoursFirst?: boolean;
  /** Invites by link instead, with the hours as typed, after an unknown username. */
  onInvite?: (hours: string) => void;
}

export function ShareForm({ asset, form, hoursFirst = false, onInvite }: ShareFormProps) {
  const [failure, setFailure] = useState<string | null>(null);
  const [isUnknown, setUnknown] = useState(false);
  const share = useShareAsset(asset.id);
  const typedHours = MonthlyHours.safeParse(
    readNumber(useWatch({ control: form.control, name: 'monthly_hours_allocated' })),
  );
  const { startsOn, startChoice } = useStartChoice(asset);
  const { errors, isSubmitting, isDirty } = form.formState;
  useUnsaved(isDirty, { isSaving: isSubmitting });
  const clearOnEdit = (name: Name) => ({ onChange: () => form.clearErrors(name) });

  // Missing fields share one message in the banner; other errors appear under their fields.
  const showErrors = (errors: FieldErrors<Typed>) => {
    const shown = asset.measured ? NAMES : NAMES.slice(0, 1);
    const names = hoursFirst ? shown.toReversed() : shown;
    const empty = names.find((name) => form.getValues(name).trim() === '');
    const wrong = empty ?? names.find((name) => errors[name]);
    setFailure(empty === undefined ? null : (errors[empty]?.message ?? null));
    if (empty !== undefined) form.clearErrors();
    if (wrong !== undefined) form.setFocus(wrong);
  };

  const submit = form.handleSubmit(async (request) => {
    setFailure(null);
    setUnknown(false);
    const { username } = request;
    const sent = form.getValues();
    try {
      const changed = await share.mutateAsync({
        ...request,
        ...startsOn,
        ...withFirstTerms(asset, request.monthly_hours_allocated),
      });
      markSaved(form, sent, EMPTY);
      form.setFocus('username');
      const isOffered = changed.shared_with.some(
        ({ pending, shared_with_username: name }) => pending && name?.toLowerCase() === username.toLowerCase(),
      );
      announce(
        isOffered
          ? t('Offered to {name}. They can accept it for {days, number} days.', { name: username, days: OFFER_DAYS })
          : t('Shared with {name}.', { name: username }),
      );
    } catch (error) {
      setUnknown(error instanceof ApiError && error.code === 'user_not_found');
      const hasFieldErrors = showFieldErrors(form, error, NAMES);
      // The general message adds nothing to the messages under the fields.
      const isShown = hasFieldErrors && error instanceof ApiError && error.code === 'validation_failed';
      if (!isShown) setFailure(shareFailureText(error, username));
    }
  }, showErrors);

  const startInvite = () => {
    onInvite?.(form.getValues('monthly_hours_allocated'));
    setFailure(null);
    setUnknown(false);
  };

  const hours = asset.measured && (
    <TextField
      label={t('Monthly Hours')}
      type="number"
      inputMode="numeric"
      min={ALLOCATION_MIN_HOURS}
      max={ALLOCATION_MAX_HOURS}
      step={1}
      hint={t('Maximum {hours} hours per month (31 days)', { hours: ALLOCATION_MAX_HOURS })}
      error={errors.monthly_hours_allocated?.message}
      {...form.register('monthly_hours_allocated', clearOnEdit('monthly_hours_allocated'))}
    />
  );
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      {failure !== null && <Banner className="mb-4">{failure}</Banner>}
      {isUnknown && onInvite && (
        <p className="-mt-1 mb-4 flex flex-wrap items-center gap-x-2 text-[14px] text-muted">
          {t('No account yet? Send a link instead.')}
          <Button look="quiet" size="small" onClick={startInvite}>
            {t('Invite by link')}
          </Button>
        </p>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        {hoursFirst && hours}
        <TextField
          label={t('Username')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          error={errors.username?.message}
          {...form.register('username', clearOnEdit('username'))}
        />
        {!hoursFirst && hours}
      </div>
      {startChoice}
      {isFirstShare(asset) && (
        <div className="mt-4">
          <WhoseIsIt asset={asset} />
        </div>
      )}
      {asset.your_role === 'owner' && asset.subscription_cost > 0 && (
        <p className="figures mt-4 text-[14px] font-medium">
          {ownPartText(asset, asset.measured ? (typedHours.data ?? null) : 0)}
        </p>
      )}
      <Button type="submit" busy={isSubmitting} busyText={t('Sharing...')} className="mt-4 max-sm:w-full">
        {t('Share Asset')}
      </Button>
    </form>
  );
}
