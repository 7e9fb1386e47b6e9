import type { OwnedAsset } from '@hourshare/contract/assets';
import { ALLOCATION_MAX_HOURS, ALLOCATION_MIN_HOURS } from '@hourshare/contract/limits';
import { CreateInvitationRequest, type InvitedAsset, MonthlyHours } from '@hourshare/contract/shares';
import { Link2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { markSaved, readNumber, requestResolver, showFieldErrors } from '../../platform/forms/request-form.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { t } from '../../platform/i18n/messages.ts';
import { useUnsaved } from '../../platform/forms/unsaved.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/class-names.ts';
import { TextField } from '../../ui/field.tsx';
import { useCreateInvitation } from './changes-api.ts';
import { MadeLink } from './made-link.tsx';
import { withFirstTerms } from './first-terms.ts';
import { useStartChoice } from './start-choice.tsx';

type Made = InvitedAsset['invitation'];

const EMPTY = { monthly_hours_allocated: '' };

const resolver = requestResolver(
  CreateInvitationRequest.extend({ monthly_hours_allocated: MonthlyHours }),
  ({ monthly_hours_allocated: hours }: typeof EMPTY) => ({ monthly_hours_allocated: readNumber(hours) }),
);

const plainResolver = requestResolver<typeof EMPTY, CreateInvitationRequest>(CreateInvitationRequest, () => ({}));

/** What is typed into an InviteForm, and the link it made. They can be kept while the form isn't shown. */
export function useInviteForm({ measured }: Pick<OwnedAsset, 'measured'>) {
  const form = useForm<typeof EMPTY, unknown, CreateInvitationRequest>({
    defaultValues: EMPTY,
    reValidateMode: 'onSubmit',
    resolver: measured ? resolver : plainResolver,
  });
  const [made, setMade] = useState<Made | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  return { form, made, setMade, button };
}

interface InviteFormProps {
  asset: OwnedAsset;
  invite: ReturnType<typeof useInviteForm>;
}

/** Makes a link that gives access to whoever accepts it first. It is shown once. */
export function InviteForm({ asset, invite: { form, made, setMade, button } }: InviteFormProps) {
  const [failure, setFailure] = useState<string | null>(null);
  const create = useCreateInvitation(asset.id);
  const { startsOn, startChoice } = useStartChoice(asset);
  const { errors, isSubmitting, isDirty } = form.formState;
  useUnsaved(isDirty, { isSaving: isSubmitting });

  const submit = form.handleSubmit(async (request) => {
    setFailure(null);
    const sent = form.getValues();
    try {
      const { invitation } = await create.mutateAsync({
        ...request,
        ...startsOn,
        ...withFirstTerms(asset, request.monthly_hours_allocated),
      });
      setMade(invitation);
      markSaved(form, sent, EMPTY);
    } catch (error) {
      if (showFieldErrors(form, error, ['monthly_hours_allocated'])) return;
      const text = error instanceof ApiError ? errorText(error) : '';
      setFailure(text || t("Couldn't create the link. Please try again."));
    }
  });

  return (
    <section aria-labelledby="invite-heading" className="mt-7">
      <h3 id="invite-heading" className="flex items-center gap-2 font-semibold">
        <Link2 aria-hidden size={18} className="text-accent-text" />
        {t('Invite by link')}
      </h3>
      {made ? (
        <MadeLink
          headingId="invite-heading"
          link={made.link}
          title={t('Invitation to {asset}', { asset: asset.name })}
          label={
            asset.measured
              ? t('Link for one person, {hours, plural, one {# hour} other {# hours}} a month', {
                  hours: made.monthly_hours_allocated,
                })
              : t('Link for one person')
          }
          expiresAt={made.expires_at}
          onDone={() => setMade(null)}
        />
      ) : (
        <>
          <p className="mt-1 text-[14px] text-muted">
            {t(
              "For someone without an account, or whose username you don't know. The first person to use it gets access.",
            )}
          </p>
          <form noValidate onSubmit={(event) => void submit(event)} className="mt-3">
            {failure !== null && <Banner className="mb-4">{failure}</Banner>}
            <div className="grid items-start gap-x-4 gap-y-3 sm:grid-cols-2">
              {asset.measured && (
                <TextField
                  label={t('Hours per month for the link')}
                  type="number"
                  inputMode="numeric"
                  min={ALLOCATION_MIN_HOURS}
                  max={ALLOCATION_MAX_HOURS}
                  step={1}
                  error={errors.monthly_hours_allocated?.message}
                  {...form.register('monthly_hours_allocated', {
                    onChange: () => form.clearErrors('monthly_hours_allocated'),
                  })}
                />
              )}
              <Button
                ref={button}
                type="submit"
                look="outline"
                busy={isSubmitting}
                busyText={t('Creating link...')}
                className={classes('sm:justify-self-start', asset.measured && 'sm:mt-[27px]')}
              >
                {t('Create link')}
              </Button>
            </div>
            {startChoice}
          </form>
        </>
      )}
    </section>
  );
}
