import type { SharedAsset } from '@hourshare/contract/shares';
import { useEffect, useState, type ReactNode } from 'react';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { keepFocusInPage } from '../../ui/focus.ts';
import { dateText } from '../../platform/format/months.ts';
import { formatMoney } from '../../platform/format/numbers.ts';
import { listFormat } from '../../platform/i18n/language.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { laterTexts } from '../periods/terms-text.ts';
import { dayShort } from '../../platform/format/time.ts';
import { Button, type ButtonLook } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { hidden } from '../../ui/hidden-text.tsx';
import { ignoreHeldEnter } from '../../ui/session-button.tsx';
import { textLink } from '../../ui/text-link.ts';
import { useQuestion } from '../../ui/use-question.ts';
import { useSessionControl } from '../sessions/api.ts';
import { useAcceptOffer, useDeclineOffer } from './changes-api.ts';
import { offerText, startsText } from './offer-text.ts';
import { offerSplitText } from './rules.ts';

const ownDirection = (text: ReactNode) => <span dir="auto">{text}</span>;

interface OfferStripProps {
  share: SharedAsset;
  offer: NonNullable<SharedAsset['offer']>;
  /** Called before a declined offer leaves the list. */
  onGone?: () => void;
  /** On a card, which has only what decides: opens the rest, and is named `action`. */
  onDetails?: () => void;
  action?: string;
  /** Of the main button. */
  look?: ButtonLook;
  className?: string;
}

/** What an offered asset costs and how it is split, with the buttons that answer. On a card, one accepts and starts a session. */
export function OfferStrip({
  share,
  offer,
  onGone = () => {},
  onDetails,
  action,
  look = 'primary',
  className = 'rounded-tile bg-accent-soft p-3.5',
}: OfferStripProps) {
  const session = useSessionControl(share);
  const [trusts, setTrusts] = useState(false);
  const { loading, asked, ask, close } = useQuestion<'decline'>();
  const accept = useAcceptOffer(share, { trusts });
  const decline = useDeclineOffer(share, onGone);
  // Accepting and declining remove the buttons.
  useEffect(() => keepFocusInPage, []);
  const { asset_name: asset, owner, accepted, starts_on: startsOn, cost_of_all: cost } = share;
  const { meters } = offer;
  const canStart = share.measured && startsOn === null && !meters.some(({ kind }) => kind === 'totals');
  return (
    <div role="group" aria-label={t('Offer from {owner}', { owner })} className={`text-[14px] ${className}`}>
      <p className="figures text-[15px] font-semibold">{offerText(share)}</p>
      {startsOn !== null && (
        <p className="mt-1">
          {accepted
            ? t('You accepted. Your access starts on {day}.', { day: dateText(startsOn) })
            : startsText(startsOn)}
        </p>
      )}
      {!onDetails && <p className="mt-1">{offerSplitText(offer)}</p>}
      {laterTexts({ ...share, ...offer }).map((text) => (
        <p key={text} className="figures mt-1">
          {text}
        </p>
      ))}
      {!accepted && meters.length > 0 && (
        <p className="mt-1 [overflow-wrap:anywhere]">
          {t('Accepting lets {meters} record your use. You can stop it anytime.', {
            meters: listFormat().format(meters.map(({ name }) => name)),
          })}
        </p>
      )}
      {!onDetails && !accepted && cost !== null && cost > 0 && (
        <Checkbox
          label={t('Also accept other offers from {owner} that cost up to {amount} a month', {
            owner,
            amount: formatMoney(cost, offer.currency),
          })}
          checked={trusts}
          onChange={setTrusts}
        />
      )}
      {accept.isError && (
        <p role="alert" className="mb-2 font-medium text-over-text">
          {errorText(accept.error) || t("Couldn't accept the offer. Please try again.")}
        </p>
      )}
      {onDetails && session.failure !== null && (
        <p role="alert" className="mt-1 font-medium text-over-text">
          {session.failure}
        </p>
      )}
      {!accepted && (
        <p className="mt-1 text-muted">
          {t('Offer expires on {day}', { day: dayShort(offer.expires_at) })}
          {onDetails && (
            <>
              {' '}
              <span aria-hidden>·</span>{' '}
              <button
                type="button"
                className={`${textLink} relative before:absolute before:-inset-3`}
                onClick={onDetails}
              >
                {action}
              </button>
            </>
          )}
        </p>
      )}
      <div className="mt-2.5 flex flex-wrap items-center gap-1.5">
        {onDetails && canStart && (
          <Button look={look} size="small" busy={session.busy} onClick={session.start} onKeyDown={ignoreHeldEnter}>
            {rich('Accept and start<hidden> {asset}</hidden>', { asset, hidden })}
          </Button>
        )}
        {!accepted && (
          <Button
            look={onDetails && canStart ? 'quiet' : look}
            size="small"
            busy={accept.isPending}
            onClick={() => accept.mutate()}
          >
            {rich('Accept<hidden> {asset}</hidden>', { asset, hidden })}
          </Button>
        )}
        <Button look="plain" size="small" busy={loading !== null} onClick={() => ask('decline')}>
          {rich('Decline<hidden> {asset}</hidden>', { asset, hidden })}
        </Button>
      </div>
      {asked && (
        <asked.Dialog
          title={rich('Decline <name>{asset}</name>?', { asset, name: ownDirection })}
          confirm={t('Decline')}
          busyText={t('Declining...')}
          busy={decline.isPending}
          failure={
            decline.isError ? errorText(decline.error) || t("Couldn't decline the offer. Please try again.") : null
          }
          onConfirm={() => decline.mutate()}
          onCancel={close}
        >
          <p>{t("You won't be charged. {owner} can offer it to you again.", { owner })}</p>
        </asked.Dialog>
      )}
    </div>
  );
}
