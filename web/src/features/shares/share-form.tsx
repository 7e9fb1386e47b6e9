import type { OwnedAsset } from '@hourshare/contract/assets';
import { ALLOCATION_MAX_HOURS, ALLOCATION_MIN_HOURS, OFFER_DAYS } from '@hourshare/contract/limits';
import { issue } from '@hourshare/contract/sentences';
import {
  AddPersonRequest,
  type InvitedAsset,
  MonthlyHours,
  ShareFields,
  TrustOwnerRequest,
} from '@hourshare/contract/shares';
import { Link2, UserPlus } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { useForm, useWatch, type FieldErrors, type Resolver } from 'react-hook-form';
import {
  markSaved,
  readMoney,
  readNumber,
  requestResolver,
  showFieldErrors,
} from '../../platform/forms/request-form.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { errorText, fieldText } from '../../platform/i18n/error-texts.ts';
import { formatMoney } from '../../platform/format/numbers.ts';
import { announce } from '../../ui/toasts.ts';
import { t } from '../../platform/i18n/messages.ts';
import { useUnsaved } from '../../platform/forms/unsaved.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { useAddPerson, useCreateInvitation, useShareAsset } from './changes-api.ts';
import { InvitationLink } from './invitation-link.tsx';
import { ownPartText } from './own-part.ts';
import { withFirstTerms } from './first-terms.ts';
import { shareFailureText } from './rules.ts';
import { useStartChoice } from './start-choice.tsx';
import { isFirstShare, WhoseIsIt } from './whose-is-it.tsx';

const EMPTY = { username: '', monthly_hours_allocated: '', extra_cost_limit: '' };
type Typed = typeof EMPTY;
type Name = keyof Typed;
const NAMES: Name[] = ['username', 'monthly_hours_allocated'];

/** To a user, to whoever opens a link first, or to someone without an account, who has a name. */
type Way = 'share' | 'link' | 'person';

interface Given {
  username: string;
  monthly_hours_allocated?: number | undefined;
}

const read = ({ username, monthly_hours_allocated: hours }: Typed) => ({
  username,
  monthly_hours_allocated: hours.trim() === '' ? undefined : readNumber(hours),
});
const readName = ({ username }: Typed) => ({ username });

const named = ShareFields.extend({ username: AddPersonRequest.shape.name });
const unnamed = ShareFields.omit({ username: true });
const withHours = { monthly_hours_allocated: MonthlyHours };

const resolvers: Record<Way, Resolver<Typed, unknown, Given>> = {
  share: requestResolver(
    ShareFields.extend({
      monthly_hours_allocated: MonthlyHours.optional().refine(
        (hours) => hours !== undefined,
        issue('username_and_hours_required'),
      ),
    }),
    read,
  ),
  link: requestResolver(
    unnamed.extend(withHours).transform((given) => ({ ...given, username: '' })),
    ({ monthly_hours_allocated: hours }) => ({ monthly_hours_allocated: readNumber(hours) }),
  ),
  person: requestResolver(named.extend(withHours), ({ username, monthly_hours_allocated: hours }) => ({
    username,
    monthly_hours_allocated: readNumber(hours),
  })),
};

/** For an asset that isn't measured: its members have no hours, and the errors don't ask for them. */
const plainResolvers: typeof resolvers = {
  share: requestResolver(ShareFields.extend({ username: TrustOwnerRequest.shape.username }), readName),
  link: requestResolver(
    unnamed.transform((given) => ({ ...given, username: '' })),
    () => ({}),
  ),
  person: requestResolver(named, readName),
};

/** What is typed into a ShareForm, and the link it made. They can be kept while the form isn't shown. */
export function useShareForm({ measured }: Pick<OwnedAsset, 'measured'>) {
  const way = useRef<Way>('share');
  const form = useForm<Typed, unknown, Given>({
    defaultValues: EMPTY,
    reValidateMode: 'onSubmit',
    shouldFocusError: false,
    resolver: (...typed) => (measured ? resolvers : plainResolvers)[way.current](...typed),
  });
  const submitAs = (
    chosen: Way,
    done: (given: Given) => Promise<void>,
    wrong: (errors: FieldErrors<Typed>) => void,
  ) => {
    way.current = chosen;
    void form.handleSubmit(done, wrong)();
  };
  const [made, setMade] = useState<InvitedAsset['invitation'] | null>(null);
  return { form, submitAs, made, setMade };
}

interface ShareFormProps {
  asset: OwnedAsset;
  sharing: ReturnType<typeof useShareForm>;
}

/** Gives access: to a user, by a link, or to someone without an account, for whom the owner records sessions and settles up. */
export function ShareForm({ asset, sharing: { form, submitAs, made, setMade } }: ShareFormProps) {
  const [failure, setFailure] = useState<string | null>(null);
  const [isUnknown, setUnknown] = useState(false);
  const share = useShareAsset(asset.id);
  const invite = useCreateInvitation(asset.id);
  const add = useAddPerson(asset.id);
  const linkId = useId();
  const typedHours = MonthlyHours.safeParse(
    readNumber(useWatch({ control: form.control, name: 'monthly_hours_allocated' })),
  );
  const { startsOn, startChoice } = useStartChoice(asset);
  const { errors, isSubmitting, isDirty } = form.formState;
  useUnsaved(isDirty, { isSaving: isSubmitting });
  const clearOnEdit = (name: Name) => ({ onChange: () => form.clearErrors(name) });
  const isOwner = asset.your_role === 'owner';

  // What is missing for a user shares one message in the banner; other errors appear under their fields.
  const showErrors = (way: Way, errors: FieldErrors<Typed>) => {
    const names = asset.measured ? NAMES : NAMES.slice(0, 1);
    const empty = way === 'share' ? names.find((name) => form.getValues(name).trim() === '') : undefined;
    const wrong = empty ?? names.find((name) => errors[name]);
    setFailure(empty === undefined ? null : (errors[empty]?.message ?? null));
    if (empty !== undefined) form.clearErrors();
    if (wrong !== undefined) form.setFocus(wrong);
  };

  const sharedText = (entries: OwnedAsset['shared_with'], username: string): string =>
    entries.some(({ pending, shared_with_username: name }) => pending && name?.toLowerCase() === username.toLowerCase())
      ? t('Offered to {name}. They can accept it for {days, number} days.', { name: username, days: OFFER_DAYS })
      : t('Shared with {name}.', { name: username });

  const send = async (way: Way, { username, monthly_hours_allocated: hours }: Given) => {
    const given = {
      ...(hours !== undefined && { monthly_hours_allocated: hours }),
      ...startsOn,
      ...withFirstTerms(
        asset,
        hours,
        isOwner ? readMoney(form.getValues('extra_cost_limit'), asset.currency) : undefined,
      ),
    };
    if (way === 'share') {
      const { shared_with: entries } = await share.mutateAsync({ username, ...given });
      announce(sharedText(entries, username));
    } else if (way === 'link') {
      const { invitation } = await invite.mutateAsync(given);
      // Before the fields are empty, because without either the form may leave the page.
      setMade(invitation);
    } else {
      await add.mutateAsync({ name: username, ...given });
      announce(t('{name} was added.', { name: username }));
    }
  };

  const showFailure = (way: Way, error: unknown, username: string) => {
    setUnknown(error instanceof ApiError && error.code === 'user_not_found');
    const limitProblem = fieldText(error, 'extra_cost_limit');
    if (limitProblem) form.setError('extra_cost_limit', { type: 'server', message: limitProblem });
    const nameProblem = fieldText(error, 'name');
    if (nameProblem) form.setError('username', { type: 'server', message: nameProblem }, { shouldFocus: true });
    const hasFieldErrors = showFieldErrors(form, error, NAMES) || Boolean(nameProblem);
    // The general message adds nothing to the messages under the fields.
    const isShown = hasFieldErrors && error instanceof ApiError && error.code === 'validation_failed';
    if (!isShown) setFailure(failureText(way, error, username));
  };

  const submit = (way: Way) => {
    if (isSubmitting) return;
    submitAs(
      way,
      async (given) => {
        setFailure(null);
        setUnknown(false);
        const sent = form.getValues();
        try {
          await send(way, given);
          markSaved(form, sent, EMPTY);
          if (way !== 'link') form.setFocus('username');
        } catch (error) {
          showFailure(way, error, given.username);
        }
      },
      (errors) => showErrors(way, errors),
    );
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
    <>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit('share');
        }}
      >
        {failure !== null && <Banner className="mb-4">{failure}</Banner>}
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label={t('Username')}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder={isOwner ? t('Username, or any name') : undefined}
            error={errors.username?.message}
            {...form.register('username', clearOnEdit('username'))}
          />
          {hours}
        </div>
        {startChoice}
        {isFirstShare(asset) && (
          <div className="mt-4">
            <WhoseIsIt asset={asset} />
          </div>
        )}
        {isOwner && isFirstShare(asset) && (
          <div className="mt-4 max-w-[440px]">
            <TextField
              label={t('Extra costs without asking, a month')}
              inputMode="decimal"
              autoComplete="off"
              placeholder={formatMoney(asset.extra_cost_limit, asset.currency)}
              hint={t('Fuel or repairs above this need a yes from each person.')}
              error={errors.extra_cost_limit?.message}
              {...form.register('extra_cost_limit', clearOnEdit('extra_cost_limit'))}
            />
          </div>
        )}
        {isOwner && asset.subscription_cost > 0 && (
          <p className="figures mt-4 text-[14px] font-medium">
            {ownPartText(asset, asset.measured ? (typedHours.data ?? null) : 0)}
          </p>
        )}
        <div className="mt-4 flex flex-wrap items-center gap-x-1 gap-y-2">
          <Button type="submit" busy={share.isPending} busyText={t('Sharing...')} className="max-sm:w-full sm:me-2">
            {t('Share Asset')}
          </Button>
          {!asset.archived && !made && (
            <>
              <Button
                look={isUnknown ? 'outline' : 'quiet'}
                size="small"
                icon={<Link2 aria-hidden size={16} />}
                busy={invite.isPending}
                busyText={t('Creating link...')}
                onClick={() => submit('link')}
              >
                {t('Invite by link')}
              </Button>
              {isOwner && (
                <Button
                  look={isUnknown ? 'outline' : 'quiet'}
                  size="small"
                  icon={<UserPlus aria-hidden size={16} />}
                  busy={add.isPending}
                  busyText={t('Adding...')}
                  onClick={() => submit('person')}
                >
                  {t('Add without an account')}
                </Button>
              )}
            </>
          )}
        </div>
        {isUnknown && !asset.archived && !made && (
          <p className="mt-2 text-small text-muted">
            {!isOwner
              ? t('With a link, the first person who opens it joins.')
              : asset.measured
                ? t(
                    'With a link, the first person who opens it joins. Without an account, you record and settle up for them.',
                  )
                : t('With a link, the first person who opens it joins. Without an account, you settle up for them.')}
          </p>
        )}
      </form>
      {made && (
        <>
          <h4 id={linkId} className="mt-5 font-semibold">
            {t('Invite by link')}
          </h4>
          <InvitationLink
            headingId={linkId}
            asset={asset}
            invitation={made}
            onDone={() => {
              setMade(null);
              form.setFocus('username');
            }}
          />
        </>
      )}
    </>
  );
}

function failureText(way: Way, error: unknown, username: string): string {
  if (way === 'share') return shareFailureText(error, username);
  if (way === 'person' && error instanceof ApiError && error.code === 'already_shared')
    return t('Someone with this name already has access.');
  return (
    errorText(error) ||
    (way === 'link'
      ? t("Couldn't create the link. Please try again.")
      : t("Couldn't add this person. Please try again."))
  );
}
