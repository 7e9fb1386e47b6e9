import type { SharedAsset } from '@hourshare/contract/shares';
import { useIsQueued } from '../../platform/offline/queue.ts';
import { t } from '../../platform/i18n/messages.ts';
import { joinSentences } from '../../platform/i18n/sentences.ts';
import { Banner } from '../../ui/banner.tsx';
import { Card } from '../../ui/card.tsx';
import { Clock } from '../../ui/clock.tsx';
import { SessionButton } from '../../ui/session-button.tsx';
import { useSessionControl } from '../sessions/api.ts';
import { offerText } from './offer-text.ts';
import { countedText, isOffer } from './rules.ts';
import { ShareRing } from './share-ring.tsx';

/** A share's remaining hours, its clock, and one large button. */
export function StartPanel({ share }: { share: SharedAsset }) {
  const session = useSessionControl(share);
  const isQueued = useIsQueued(share.id);
  const counted = countedText(share);
  return (
    <Card className="mx-auto flex max-w-md flex-col items-center gap-5 py-8 text-center">
      {session.failure !== null && <Banner className="w-full text-start">{session.failure}</Banner>}
      <ShareRing share={share} />
      <div className="flex min-h-11 items-center">
        {share.active_session && share.active_since ? (
          <Clock
            since={share.active_since}
            className="font-display text-[44px] leading-none font-bold text-live-text"
          />
        ) : (
          <p className="text-[14px] text-muted">
            {isOffer(share)
              ? joinSentences(offerText(share), t('Starting a session accepts the offer.'))
              : (counted ?? t('No session is running.'))}
          </p>
        )}
      </div>
      {isQueued && <p className="text-[14px] font-medium">{t("Will be sent when you're back online.")}</p>}
      {counted === null && (
        <SessionButton running={share.active_session} session={session} size="large" className="w-full" />
      )}
    </Card>
  );
}
