import type { SharedAsset } from '@hourshare/contract/shares';
import { useEffect, useState, type ReactNode } from 'react';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { keepFocusInPage } from '../../ui/focus.ts';
import { dateText } from '../../platform/format/months.ts';
import { formatMoney } from '../../platform/format/numbers.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { laterTexts } from '../periods/terms-text.ts';
import { dayShort } from '../../platform/format/time.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { hidden } from '../../ui/hidden-text.tsx';
import { useAcceptOffer, useDeclineOffer } from './changes-api.ts';
import { offerText, startsText } from './offer-text.ts';
import { offerSplitText } from './rules.ts';

const ownDirection = (text: ReactNode) => <span dir="auto">{text}</span>;

interface OfferStripProps {
  share: SharedAsset;
  offer: NonNullable<SharedAsset['offer']>;
  /** Called before a declined offer leaves the list. */
  onGone?: () => void;
}

/** What an offered asset costs and how it is split, with the buttons to accept and decline it. Starting a session accepts it, too. */
export function OfferStrip({ share, offer, onGone = () => {} }: OfferStripProps) {
  const [trusts, setTrusts] = useState(false);
  const [asking, setAsking] = useState(false);
  const accept = useAcceptOffer(share, { trusts });
  const decline = useDeclineOffer(share, onGone);
  // Accepting and declining remove the buttons.
  useEffect(() => keepFocusInPage, []);
  const { asset_name: asset, owner, accepted, starts_on: startsOn, cost_of_all: cost } = share;
  return (
    <div
      role="group"
      aria-label={t('Offer from {owner}', { owner })}
      className="rounded-control bg-accent-soft p-3.5 text-[14px]"
    >
      <p className="figures text-[15px] font-semibold">{offerText(share)}</p>
      {startsOn !== null && (
        <p className="mt-1">
          {accepted
            ? t('You accepted. Your access starts on {day}.', { day: dateText(startsOn) })
            : startsText(startsOn)}
        </p>
      )}
      <p className="mt-1">{offerSplitText(offer)}</p>
      {laterTexts({ ...share, ...offer }).map((text) => (
        <p key={text} className="figures mt-1">
          {text}
        </p>
      ))}
      {!accepted && cost !== null && cost > 0 && (
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
      <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-2">
        {!accepted && (
          <p className="grow text-muted">{t('Offer expires on {day}', { day: dayShort(offer.expires_at) })}</p>
        )}
        <span className="flex grow justify-end gap-2">
          <Button look="plain" size="small" onClick={() => setAsking(true)}>
            {rich('Decline<hidden> {asset}</hidden>', { asset, hidden })}
          </Button>
          {!accepted && (
            <Button look="outline" size="small" busy={accept.isPending} onClick={() => accept.mutate()}>
              {rich('Accept<hidden> {asset}</hidden>', { asset, hidden })}
            </Button>
          )}
        </span>
      </div>
      {asking && (
        <ConfirmDialog
          title={rich('Decline <name>{asset}</name>?', { asset, name: ownDirection })}
          confirm={t('Decline')}
          busyText={t('Declining...')}
          busy={decline.isPending}
          failure={
            decline.isError ? errorText(decline.error) || t("Couldn't decline the offer. Please try again.") : null
          }
          onConfirm={() => decline.mutate()}
          onCancel={() => setAsking(false)}
        >
          <p>{t("You won't be charged. {owner} can offer it to you again.", { owner })}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
