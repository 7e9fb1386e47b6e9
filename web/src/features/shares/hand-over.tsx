import type { OwnedAsset } from '@hourshare/contract/assets';
import { ALLOCATION_MAX_HOURS } from '@hourshare/contract/limits';
import { OfferHandoverRequest } from '@hourshare/contract/shares';
import { useState, type ReactNode } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { announce } from '../../ui/toasts.ts';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { readNumber, requestResolver, showFieldErrors } from '../../platform/forms/request-form.ts';
import { formatHours } from '../../platform/format/numbers.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { monthText } from '../../platform/format/months.ts';
import { dayShort } from '../../platform/format/time.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { useCallOffHandover, useOfferHandover } from './changes-api.ts';

/** Lets the owner offer an asset to a member, and call the handover off. */
export function HandOver({ asset }: { asset: OwnedAsset }) {
  const [asking, setAsking] = useState(false);
  const callOff = useCallOffHandover(asset.id);
  const names = membersWithAccount(asset);
  const { handover } = asset;
  return (
    <section aria-labelledby="hand-over" className="mt-8 border-t border-line pt-5">
      <h3 id="hand-over" className="font-semibold">
        {t('Hand over')}
      </h3>
      {callOff.isError && <Banner className="mt-3">{errorText(callOff.error) || t('Failed to update asset.')}</Banner>}
      <div className="mt-3 flex flex-wrap items-center justify-between gap-x-5 gap-y-3">
        <p className="min-w-0 flex-1 basis-60 text-[14px] text-muted [overflow-wrap:anywhere]">{stateText(asset)}</p>
        {handover ? (
          <Button
            look="outline"
            busy={callOff.isPending}
            onClick={() =>
              callOff.mutate(undefined, {
                onSuccess: () => announce(t('{asset} stays yours.', { asset: asset.name })),
              })
            }
          >
            {t('Call off')}
          </Button>
        ) : (
          names.length > 0 && (
            <Button look="outline" onClick={() => setAsking(true)}>
              {t('Hand over…')}
            </Button>
          )
        )}
      </div>
      {asking && <Question asset={asset} names={names} onClose={() => setAsking(false)} />}
    </section>
  );
}

const membersWithAccount = ({ shared_with: entries }: OwnedAsset): string[] =>
  entries.flatMap(({ pending, person, shared_with_username: name }) =>
    pending || person || name === null ? [] : [name],
  );

function stateText(asset: OwnedAsset): string {
  const { handover } = asset;
  if (!handover)
    return membersWithAccount(asset).length > 0
      ? t('A member becomes the owner next month. Earlier months stay yours.')
      : t('To hand this over, first share it with someone who has an account.');
  const { username: name, stay_hours: stay, expires_at: expiresAt } = handover;
  const month = monthText(handover.from_month);
  const who =
    expiresAt === null
      ? t('{name} becomes the owner in {month}.', { name, month })
      : t('{name} has until {day} to accept and become the owner next month.', { name, day: dayShort(expiresAt) });
  const you =
    stay === null
      ? t('Your access ends then.')
      : asset.measured
        ? t("You'll stay as a member with {hours}.", { hours: formatHours(stay) })
        : t("You'll stay as a member.");
  return `${who} ${you}`;
}

interface Typed {
  username: string;
  stays: boolean;
  stay_hours: string;
}

const resolver = requestResolver(OfferHandoverRequest, ({ username, stays, stay_hours: hours }: Typed) => ({
  username,
  stay_hours: stays ? readNumber(hours) : null,
}));

const ownDirection = (text: ReactNode) => <span dir="auto">{text}</span>;

function Question({ asset, names, onClose }: { asset: OwnedAsset; names: string[]; onClose: () => void }) {
  const [failure, setFailure] = useState<string | null>(null);
  const offer = useOfferHandover(asset.id);
  const form = useForm<Typed, unknown, OfferHandoverRequest>({
    defaultValues: {
      username: names[0] ?? '',
      stays: true,
      stay_hours: String(asset.measured ? Math.max(asset.owner_hours, 10) : ALLOCATION_MAX_HOURS),
    },
    reValidateMode: 'onSubmit',
    resolver,
  });
  const [username, stays] = useWatch({ control: form.control, name: ['username', 'stays'] });
  const submit = form.handleSubmit(async (request) => {
    setFailure(null);
    try {
      await offer.mutateAsync(request);
      announce(t('Offered to {name}. Nothing changes unless they accept.', { name: request.username }));
      onClose();
    } catch (error) {
      if (showFieldErrors(form, error, ['stay_hours'])) return;
      setFailure(errorText(error) || t('Failed to update asset.'));
    }
  });
  return (
    <ConfirmDialog
      title={rich('Hand over <name>{asset}</name>?', { asset: asset.name, name: ownDirection })}
      confirm={t('Offer')}
      look="primary"
      busyText={t('Offering...')}
      busy={offer.isPending}
      failure={failure}
      onConfirm={() => void submit()}
      onCancel={onClose}
      form={
        <form
          noValidate
          className="grid gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          <Select
            label={t('New owner')}
            value={username}
            options={names.map((name) => ({ value: name, text: name }))}
            onChange={(name) => form.setValue('username', name)}
          />
          <Checkbox
            label={t('Stay as a member')}
            checked={stays}
            onChange={(checked) => form.setValue('stays', checked)}
          />
          {stays && asset.measured && (
            <TextField
              label={t('Your monthly hours')}
              inputMode="numeric"
              hint={t('Maximum {hours} hours per month (31 days)', { hours: ALLOCATION_MAX_HOURS })}
              error={form.formState.errors.stay_hours?.message}
              {...form.register('stay_hours', { onChange: () => form.clearErrors() })}
            />
          )}
        </form>
      }
    >
      <p>
        {t('If they accept, they become the owner when next month starts: they pay the price and bill the members.')}
      </p>
      <p>
        {t(
          "This month and earlier ones stay yours, including what you're still owed. Open invitations end, and people without an account lose access.",
        )}
      </p>
    </ConfirmDialog>
  );
}
