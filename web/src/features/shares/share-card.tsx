import { lazy, Suspense, type ReactNode } from 'react';
import type { SharedAsset } from '@hourshare/contract/shares';
import { useIsQueued } from '../../platform/offline/queue.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { roundHours } from '../../platform/format/numbers.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classes } from '../../ui/class-names.ts';
import { Clock } from '../../ui/clock.tsx';
import { hidden } from '../../ui/hidden-text.tsx';
import { RoundSessionButton } from '../../ui/session-button.tsx';
import { Tile } from '../../ui/tile.tsx';
import { useSessionControl } from '../sessions/api.ts';
import { ManageLink } from './manage-link.tsx';
import { startsText } from './offer-text.ts';
import { PlainShare } from './plain-share.tsx';
import { countedText, isOffer, leftHours, leftText, usedHours } from './rules.ts';
import { ShareStrip } from './share-strip.tsx';

const OfferStrip = lazy(async () => ({ default: (await import('./offer-strip.tsx')).OfferStrip }));
const AskStrip = lazy(async () => ({ default: (await import('./ask-strip.tsx')).AskStrip }));
const HandoverStrip = lazy(async () => ({ default: (await import('./handover-strip.tsx')).HandoverStrip }));

const figure = (text: ReactNode) => <b className="figures font-semibold text-ink">{text}</b>;
const figureOver = (text: ReactNode) => <b className="figures font-semibold text-over-text">{text}</b>;

interface ShareCardProps {
  share: SharedAsset;
  /** The text of the button that opens the share's usage. */
  action: string;
  onAction: () => void;
  /** What stands below what is left, where there is room. */
  note?: ReactNode;
  /** On the dashboard, where the inbox has what the share asks of the user, and the hero what is left of what runs. */
  brief?: boolean;
}

export function ShareCard({ share, action, onAction, note, brief = false }: ShareCardProps) {
  const headingId = `share-${share.id}`;
  const isOpenOffer = isOffer(share) && !share.accepted;
  return (
    <Card
      as="li"
      className={classes('flex flex-col max-md:p-3', share.active_session && 'border-live! ring-1 ring-live')}
      labelledBy={headingId}
    >
      {/* On a phone, what starts is at the end of the first row; on wider screens, of the last one. */}
      <div className="grid grow grid-cols-[auto_minmax(0,1fr)_auto_auto] content-start items-center gap-x-3 md:gap-x-1.5">
        <Tile name={share.asset_name} size="large" className="max-md:row-span-2 md:me-1.5" />
        <div className="col-span-2 min-w-0 self-end md:col-span-3 md:self-center">
          <h3 id={headingId} className="title-3 line-clamp-2 hyphens-auto [overflow-wrap:anywhere]" dir="auto">
            {share.asset_name}
          </h3>
          <p className="flex min-w-0 items-center gap-2 text-small text-muted">
            {brief ? (
              <>
                <Avatar name={share.owner} hue={share.owner_hue} size="tiny" className="-me-0.5" />
                {hidden(t('Shared by {owner}', { owner: share.owner }))}
                <bdi aria-hidden className="truncate">
                  {share.owner}
                </bdi>
              </>
            ) : (
              <span className="truncate">{t('Shared by {owner}', { owner: share.owner })}</span>
            )}
            <Badge>{t('Shared [[badge]]')}</Badge>
          </p>
          {share.manager_since !== null && <ManageLink share={share} />}
        </div>
        {share.measured && !isOpenOffer && <Measured {...{ share, action, onAction, note, brief, headingId }} />}
      </div>
      {share.offer && (
        <div className="mt-3 grid min-h-[132px]">
          <Suspense fallback={null}>
            <OfferStrip share={share} offer={share.offer} onDetails={onAction} action={action} />
          </Suspense>
        </div>
      )}
      {!brief && share.asked && (
        <div className="mt-3 grid min-h-[128px]">
          <Suspense fallback={null}>
            <AskStrip share={share} />
          </Suspense>
        </div>
      )}
      {(brief ? share.handover?.accepted || share.next_owner : (share.handover ?? share.next_owner)) && (
        <div className="mt-3 grid">
          <Suspense fallback={null}>
            <HandoverStrip share={share} />
          </Suspense>
        </div>
      )}
      {!share.measured && !isOpenOffer && <PlainShare share={share} headingId={headingId} onAction={onAction} />}
    </Card>
  );
}

interface MeasuredProps extends ShareCardProps {
  /** The card's heading, which distinguishes its buttons from those of other cards. */
  headingId: string;
}

/** What is left, from what, and the control: cells of the card's grid. One press starts or ends a session. */
function Measured({ share, action, onAction, note, brief, headingId }: MeasuredProps) {
  const session = useSessionControl(share);
  const isQueued = useIsQueued(share.id);
  const isOver = leftHours(share) < 0;
  const isRunning = share.active_session && share.active_since !== null;
  const counted = countedText(share);
  const problem = session.failure ?? (isQueued ? t("Will be sent when you're back online.") : counted);
  const canStart = share.starts_on === null && counted === null;
  return (
    <>
      <div className="order-1 col-span-2 min-w-0 self-start text-small md:order-4 md:mt-3.5 md:self-center">
        {share.starts_on !== null ? (
          <p className="text-muted">{startsText(share.starts_on)}</p>
        ) : (
          <div className="flex gap-x-1.5 max-md:items-baseline md:flex-col">
            {isRunning && <Clock since={share.active_since ?? ''} className={`${large} text-live-text`} />}
            <p
              className={classes(
                'figures truncate text-balance md:whitespace-normal',
                isRunning ? 'text-muted' : large,
                isOver ? 'text-over-text' : !isRunning && 'text-ink',
                isRunning && brief && 'sr-only',
              )}
            >
              {leftText(share)}
            </p>
            {note !== undefined && !isRunning && (
              <p className="figures truncate text-muted max-md:before:me-1.5 max-md:before:content-['·']">{note}</p>
            )}
          </div>
        )}
      </div>
      {canStart && (
        <RoundSessionButton
          running={share.active_session}
          session={session}
          aria-describedby={headingId}
          className="col-start-4 row-span-2 row-start-1 max-md:-my-1 md:order-6 md:row-span-1 md:row-start-auto md:mt-3.5"
        />
      )}
      <div className="order-2 col-span-4 mt-2 md:order-3">
        <ShareStrip share={share} />
      </div>
      <div className="order-3 col-span-2 mt-1.5 flex flex-wrap justify-between gap-x-3 text-small text-muted max-md:min-w-0 max-md:gap-x-2 max-md:text-[12.5px] md:order-2 md:col-span-4 md:mt-3.5">
        <p>
          {rich('Monthly: <b>{hours, plural, one {# hour} other {# hours}}</b>', {
            hours: share.monthly_hours_allocated,
            b: figure,
          })}
        </p>
        <p>
          {rich('Used: <b>{hours, plural, one {# hour} other {# hours}}</b>', {
            hours: roundHours(usedHours(share)),
            b: isOver ? figureOver : figure,
          })}
        </p>
      </div>
      <Button
        look="quiet"
        size="small"
        onClick={onAction}
        aria-describedby={headingId}
        className={classes(
          'relative order-4 col-span-2 mt-1.5 px-0! before:absolute before:-inset-x-2 before:-inset-y-1 max-md:-mb-2.5 max-md:-mt-1 max-md:text-small md:order-5 md:mt-3.5 md:max-w-28 md:text-end md:leading-tight md:whitespace-normal',
          canStart ? 'md:col-span-1 md:px-1!' : 'md:ms-auto',
        )}
      >
        {action}
      </Button>
      {problem !== null && (
        <p
          role={session.failure === null ? undefined : 'alert'}
          className={classes(
            'order-7 col-span-4 mt-2.5 text-small',
            problem === counted ? 'text-muted' : 'font-medium',
            session.failure !== null && 'text-over-text',
          )}
        >
          {problem}
        </p>
      )}
    </>
  );
}

/** What answers the question. On a phone it is one line with the rest. */
const large = 'font-semibold md:font-display md:text-[21px] md:leading-tight md:font-bold md:tracking-tight';
