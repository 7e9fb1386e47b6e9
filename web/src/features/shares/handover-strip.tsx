import type { SharedAsset } from '@hourshare/contract/shares';
import { useEffect, type ReactNode } from 'react';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { keepFocusInPage } from '../../ui/focus.ts';
import { formatHours } from '../../platform/format/numbers.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { monthText } from '../../platform/format/months.ts';
import { offeredPriceText } from '../periods/cycle-text.ts';
import { laterTexts, termsText } from '../periods/terms-text.ts';
import { dayShort } from '../../platform/format/time.ts';
import { Button, type ButtonLook } from '../../ui/button.tsx';
import { hidden } from '../../ui/hidden-text.tsx';
import { useAnswerHandover } from './changes-api.ts';

const b = (text: ReactNode) => <b className="figures font-semibold">{text}</b>;

interface HandoverStripProps {
  share: SharedAsset;
  /** Of the button that takes over. */
  look?: ButtonLook;
  className?: string;
}

/** Shows a handover: asks the member who would be the new owner, and tells the other members. */
export function HandoverStrip({
  share,
  look = 'primary',
  className = 'rounded-control bg-accent-soft p-3.5',
}: HandoverStripProps) {
  const { handover, next_owner: next } = share;
  // Answering removes the buttons.
  useEffect(() => keepFocusInPage, []);
  if (handover) return <Question share={share} handover={handover} look={look} className={className} />;
  return (
    next && (
      <p className="rounded-control bg-sunken p-3.5 text-[14px] [overflow-wrap:anywhere]">
        {t('{name} becomes the owner in {month}. Until then, nothing changes.', {
          name: next.username,
          month: monthText(next.from_month),
        })}
      </p>
    )
  );
}

interface QuestionProps extends Required<HandoverStripProps> {
  handover: NonNullable<SharedAsset['handover']>;
}

function Question({ share, handover, look, className }: QuestionProps) {
  const answer = useAnswerHandover(share);
  const { asset_name: asset, owner } = share;
  const { accepted, stay_hours: stay, expires_at: expiresAt } = handover;
  const month = monthText(handover.from_month);
  return (
    <div
      role="group"
      aria-label={t('Handover from {owner}', { owner })}
      className={`text-[14px] [overflow-wrap:anywhere] ${className}`}
    >
      <p className="text-[15px] font-semibold">
        {accepted
          ? t('You become the owner in {month}.', { month })
          : t('{owner} wants to hand this over to you, starting {month}.', { owner, month })}
      </p>
      <p className="mt-1">
        {rich("You'll pay <b>{price}</b> and bill {count, plural, =0 {no one} one {# member} other {# members}}.", {
          price: offeredPriceText(handover),
          count: handover.members,
          b,
        })}
      </p>
      {[
        t('Terms: {terms}.', { terms: termsText(handover, handover.currency) }),
        ...laterTexts({ ...handover, next_terms: null }),
      ].map((text) => (
        <p key={text} className="figures mt-1">
          {text}
        </p>
      ))}
      <p className="mt-1">
        {stay === null
          ? t('{owner} loses access then.', { owner })
          : share.measured
            ? t('{owner} stays as a member with {hours}.', { owner, hours: formatHours(stay) })
            : t('{owner} stays as a member.', { owner })}{' '}
        {t('Earlier months stay with {owner}.', { owner })}
      </p>
      {answer.isError && (
        <p role="alert" className="mt-2 font-medium text-over-text">
          {errorText(answer.error) || t("Couldn't save your answer. Please try again.")}
        </p>
      )}
      <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-2">
        {expiresAt !== null && (
          <p className="grow text-muted">{t('Offer expires on {day}', { day: dayShort(expiresAt) })}</p>
        )}
        <span className="flex grow justify-end gap-2">
          <Button
            look="outline"
            size="small"
            busy={answer.isPending && answer.variables.accept === null}
            onClick={() => answer.mutate({ accept: null })}
          >
            {accepted
              ? rich('Call off<hidden> the handover of {asset}</hidden>', { asset, hidden })
              : rich('Decline<hidden> the handover of {asset}</hidden>', { asset, hidden })}
          </Button>
          {!accepted && (
            <Button
              look={look}
              size="small"
              busy={answer.isPending && answer.variables.accept !== null}
              onClick={() => answer.mutate({ accept: handover.version })}
            >
              {rich('Take over<hidden> {asset}</hidden>', { asset, hidden })}
            </Button>
          )}
        </span>
      </div>
    </div>
  );
}
