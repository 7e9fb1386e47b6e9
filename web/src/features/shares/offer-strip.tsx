import type { SharedAsset } from '@hourshare/contract/shares';
import { useEffect, useState, type ReactNode } from 'react';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { keepFocusInPage } from '../../ui/focus.ts';
import { formatHours, formatMoney } from '../../platform/format/numbers.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { laterTexts } from '../periods/terms-text.ts';
import { dayShort } from '../../platform/format/time.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { hidden } from '../../ui/hidden-text.tsx';
import { useOfferEstimate } from '../statements/api.ts';
import { useAcceptOffer, useDeclineOffer } from './changes-api.ts';
import { estimateText, offerSplitText } from './rules.ts';

const b = (text: ReactNode) => <b className="figures font-semibold">{text}</b>;
const ownDirection = (text: ReactNode) => <span dir="auto">{text}</span>;

interface OfferStripProps {
  share: SharedAsset;
  offer: NonNullable<SharedAsset['offer']>;
  /** Called before a declined offer leaves the list. */
  onGone?: () => void;
}

/** What an offered asset costs and how it is split, with the buttons to accept and decline it. */
export function OfferStrip({ share, offer, onGone = () => {} }: OfferStripProps) {
  const [trusts, setTrusts] = useState(false);
  const [asking, setAsking] = useState(false);
  const accept = useAcceptOffer(share, { trusts });
  const decline = useDeclineOffer(share, onGone);
  const estimate = useOfferEstimate(share.id);
  // Accepting and declining remove the buttons.
  useEffect(() => keepFocusInPage, []);
  const { asset_name: asset, owner } = share;
  return (
    <div
      role="group"
      aria-label={t('Offer from {owner}', { owner })}
      className="rounded-control bg-accent-soft p-3.5 text-[14px]"
    >
      <p className="text-[15px]">
        {rich('<b>{price}</b> a month in total, <b>{hours}</b> for you', {
          price: formatMoney(offer.price, offer.currency),
          hours: formatHours(share.monthly_hours_allocated),
          b,
        })}
      </p>
      <p className="mt-1">{offerSplitText(offer)}</p>
      {laterTexts({ ...share, ...offer }).map((text) => (
        <p key={text} className="figures mt-1">
          {text}
        </p>
      ))}
      {/* Two lines high, so that nothing moves when it has loaded. */}
      <p className="figures mt-1 min-h-[2lh]">{estimate.data && estimateText(estimate.data)}</p>
      <Checkbox
        label={t('Accept everything {owner} shares, without asking', { owner })}
        checked={trusts}
        onChange={setTrusts}
      />
      {accept.isError && (
        <p role="alert" className="mb-2 font-medium text-over-text">
          {errorText(accept.error) || t("Couldn't accept the offer. Please try again.")}
        </p>
      )}
      <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-2">
        <p className="grow text-muted">{t('Offer expires on {day}', { day: dayShort(offer.expires_at) })}</p>
        <span className="flex grow justify-end gap-2">
          <Button look="outline" size="small" onClick={() => setAsking(true)}>
            {rich('Decline<hidden> {asset}</hidden>', { asset, hidden })}
          </Button>
          <Button size="small" busy={accept.isPending} onClick={() => accept.mutate()}>
            {rich('Accept<hidden> {asset}</hidden>', { asset, hidden })}
          </Button>
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
