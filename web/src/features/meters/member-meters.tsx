import type { MemberMeter } from '@hourshare/contract/meters';
import type { SharedAsset } from '@hourshare/contract/shares';
import { lazy, Suspense, useEffect, useState } from 'react';
import { formatHours, formatMoney } from '../../platform/format/numbers.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { listFormat } from '../../platform/i18n/language.ts';
import { rich, t, withMessages } from '../../platform/i18n/messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { keepFocusInPage } from '../../ui/focus.ts';
import { hidden } from '../../ui/hidden-text.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { announce } from '../../ui/toasts.ts';
import { useAnswerMeter, useMakeOwnToken, useMemberMeters } from './api.ts';

const importSetUp = withMessages('meters', () => import('./meter-set-up.tsx'));
const MeterSetUp = lazy(async () => ({ default: (await importSetUp()).MeterSetUp }));

const isGone = (error: Error | null) => error instanceof ApiError && error.status === 404;

/** The meters that may record the user: a question for each that they haven't answered, and what they said to the others. Load it lazily. */
export function MemberMeters({ share }: { share: SharedAsset }) {
  const { data: meters, error, refetch } = useMemberMeters(share.id);
  if (!meters)
    // Without access there are none.
    return error === null || isGone(error) ? null : (
      <Banner className="mt-4" onRetry={() => void refetch()}>
        {t("Couldn't load meters.")}
      </Banner>
    );
  const answered = meters.filter(({ agreed }) => agreed !== null);
  return (
    <>
      {meters.map((meter) => meter.agreed === null && <MeterQuestion key={meter.id} share={share} meter={meter} />)}
      {answered.length > 0 && (
        <ul
          role="list"
          aria-label={t('Meters')}
          className="mt-4 divide-y divide-line rounded-card border border-line px-3.5 text-[14px]"
        >
          {answered.map((meter) => (
            <Answered key={meter.id} share={share} meter={meter} />
          ))}
        </ul>
      )}
    </>
  );
}

interface OfMeterProps {
  share: SharedAsset;
  meter: MemberMeter;
}

/** Answers a meter, and says what that means. */
function useAnswer({ share, meter: { id, name, agreed: before, beyond_allowance: beyond } }: OfMeterProps) {
  const answer = useAnswerMeter(share.id, id);
  return {
    isPending: answer.isPending,
    /** What was chosen, also while it is saved. */
    beyond: answer.isPending ? answer.variables.beyond_allowance : beyond,
    failure: answer.isError ? errorText(answer.error) || t("Couldn't save your answer. Please try again.") : null,
    say: (agreed: boolean, more: boolean) =>
      answer.mutate(
        { agreed, beyond_allowance: more },
        {
          onSuccess: () =>
            announce(
              agreed === before
                ? t('Changes saved.')
                : agreed
                  ? t('{meter} records your use.', { meter: name })
                  : t("{meter} doesn't record your use.", { meter: name }),
            ),
        },
      ),
  };
}

function MeterQuestion({ share, meter }: OfMeterProps) {
  const { name, kind, per_member: own } = meter;
  const [beyond, setBeyond] = useState(false);
  const { isPending, failure, say } = useAnswer({ share, meter });
  // Answering removes the buttons.
  useEffect(() => keepFocusInPage, []);
  return (
    <div
      role="group"
      aria-label={t('Question about {asset}', { asset: name })}
      className="mt-4 rounded-control bg-accent-soft p-3.5 text-[14px]"
    >
      <p className="text-[15px] font-semibold">{t('Let {meter} record your use?', { meter: name })}</p>
      <p className="mt-1 text-muted">
        {kind === 'totals'
          ? t("It counts your hours each day, so there's nothing to start. You can stop it anytime.")
          : own
            ? t('Its sessions count like those you start. You can stop it anytime.')
            : t('Its sessions count like those you start, including the last 7 days. You can stop it anytime.')}
      </p>
      <KnownAs meter={meter} />
      <Failure text={failure} />
      <div className="mt-1 flex flex-wrap items-center gap-x-4">
        <Beyond share={share} checked={beyond} onChange={setBeyond} />
        <div className="ms-auto flex gap-2">
          <Button look="plain" size="small" busy={isPending} onClick={() => say(false, false)}>
            {rich('No<hidden> to {meter} recording my use</hidden>', { meter: name, hidden })}
          </Button>
          <Button look="outline" size="small" busy={isPending} onClick={() => say(true, beyond)}>
            {rich('Yes<hidden> to {meter} recording my use</hidden>', { meter: name, hidden })}
          </Button>
        </div>
      </div>
    </div>
  );
}

function Answered({ share, meter }: OfMeterProps) {
  const { name, agreed, per_member: own, told_hours: told, counted_hours: counted, list_price: cost } = meter;
  const { isPending, beyond, failure, say } = useAnswer({ share, meter });
  return (
    <li className="py-2">
      <div className="flex flex-wrap items-center gap-x-3">
        <span className="min-w-0 flex-1 basis-48 font-medium [overflow-wrap:anywhere]">
          {agreed === true
            ? t('{meter} records your use', { meter: name })
            : t("{meter} doesn't record your use", { meter: name })}
        </span>
        <Button
          look="plain"
          size="small"
          className="-me-3"
          busy={isPending}
          onClick={() => say(agreed !== true, false)}
        >
          {agreed === true
            ? rich('Stop<hidden> {meter} from recording my use</hidden>', { meter: name, hidden })
            : rich('Let it<hidden> record my use: {meter}</hidden>', { meter: name, hidden })}
        </Button>
      </div>
      <Failure text={failure} />
      {agreed === true && (
        <>
          <KnownAs meter={meter} />
          {told > counted && (
            <p className="text-muted">
              {t('{hours} not counted this month: beyond your allowance, or in other sessions', {
                hours: formatHours(told - counted),
              })}
            </p>
          )}
          {cost !== null && (
            <p className="text-muted">
              {t('{amount} at list prices this month', { amount: formatMoney(cost, 'USD') })}
            </p>
          )}
          <Beyond share={share} checked={beyond} onChange={(checked) => say(true, checked)} />
          {own && <OwnToken share={share} meter={meter} />}
        </>
      )}
    </li>
  );
}

const Failure = ({ text }: { text: string | null }) =>
  text !== null && (
    <p role="alert" className="mt-1 font-medium text-over-text">
      {text}
    </p>
  );

const KnownAs = ({ meter: { names } }: { meter: MemberMeter }) =>
  names.length > 0 && (
    <p className="text-muted [overflow-wrap:anywhere]">
      {t('It calls you {names}.', { names: listFormat({ type: 'conjunction' }).format(names) })}
    </p>
  );

/** The owner's own use has no allowance. */
const Beyond = ({
  share,
  checked,
  onChange,
}: {
  share: SharedAsset;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) =>
  !share.own && (
    <Checkbox
      label={t('Also beyond my {hours}', { hours: formatHours(share.monthly_hours_allocated) })}
      checked={checked}
      onChange={onChange}
    />
  );

/** The member's own token. */
function OwnToken({ share, meter: { id, name, kind, has_token: hasToken } }: OfMeterProps) {
  const make = useMakeOwnToken(share.id, id);
  const [first, setFirst] = useState<string | null>(null);
  const [wasOpened, setOpened] = useState(false);
  if (!hasToken && first === null)
    return (
      <>
        <Failure text={make.isError ? errorText(make.error) || t("Couldn't make a token. Please try again.") : null} />
        <Button
          look="outline"
          size="small"
          className="my-1.5"
          busy={make.isPending}
          onClick={() => make.mutate(undefined, { onSuccess: setFirst })}
        >
          {rich('Make a token<hidden> for {meter}</hidden>', { meter: name, hidden })}
        </Button>
      </>
    );
  const isOpen = wasOpened || first !== null;
  return (
    <Disclosure
      className="-mb-2"
      open={isOpen}
      onOpen={() => setOpened(true)}
      summary={<span className="font-medium">{t('My token')}</span>}
    >
      {isOpen && (
        <Suspense fallback={<Spinner label={t('Loading meters')} className="py-3" />}>
          <MeterSetUp name={name} kind={kind} first={first} own make={make} />
        </Suspense>
      )}
    </Disclosure>
  );
}
