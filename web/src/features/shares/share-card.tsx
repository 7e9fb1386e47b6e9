import { lazy, Suspense, type ReactNode } from 'react';
import { rich, t } from '../../platform/i18n/messages.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { classes } from '../../ui/class-names.ts';
import { Tile } from '../../ui/tile.tsx';
import { ManageLink } from './manage-link.tsx';
import { PlainShare } from './plain-share.tsx';
import { usedHours, usedPart } from './rules.ts';
import { SessionActions, type SessionActionsProps } from './session-actions.tsx';
import { ShareStrip } from './share-strip.tsx';

const OfferStrip = lazy(async () => ({ default: (await import('./offer-strip.tsx')).OfferStrip }));
const AskStrip = lazy(async () => ({ default: (await import('./ask-strip.tsx')).AskStrip }));
const HandoverStrip = lazy(async () => ({ default: (await import('./handover-strip.tsx')).HandoverStrip }));

const figure = (text: ReactNode) => <b className="figures font-semibold text-ink">{text}</b>;
const figureOver = (text: ReactNode) => <b className="figures font-semibold text-over-text">{text}</b>;

export function ShareCard({ share, ...actions }: Omit<SessionActionsProps, 'headingId'>) {
  const headingId = `share-${share.id}`;
  const over = usedPart(share) > 1;
  return (
    <Card
      as="li"
      className={classes('flex flex-col', share.active_session && 'border-live! ring-1 ring-live')}
      labelledBy={headingId}
    >
      <div className="flex items-start gap-3">
        <Tile name={share.asset_name} />
        <div className="flex min-h-10 min-w-0 flex-1 flex-col justify-center">
          <h3
            id={headingId}
            className="line-clamp-3 leading-snug font-semibold hyphens-auto [overflow-wrap:anywhere]"
            dir="auto"
          >
            {share.asset_name}
          </h3>
          <p className="truncate text-[13.5px] text-muted">{t('Shared by {owner}', { owner: share.owner })}</p>
          {share.manager_since !== null && <ManageLink share={share} />}
        </div>
        <Badge>{t('Shared [[badge]]')}</Badge>
      </div>
      {share.offer && (
        <div className="mt-3.5 grid min-h-[216px]">
          <Suspense fallback={null}>
            <OfferStrip share={share} offer={share.offer} />
          </Suspense>
        </div>
      )}
      {share.asked && (
        <div className="mt-3.5 grid min-h-[128px]">
          <Suspense fallback={null}>
            <AskStrip share={share} />
          </Suspense>
        </div>
      )}
      {(share.handover ?? share.next_owner) && (
        <div className="mt-3.5 grid">
          <Suspense fallback={null}>
            <HandoverStrip share={share} />
          </Suspense>
        </div>
      )}
      {share.measured ? (
        <>
          <div className="mt-3.5 mb-2 flex flex-wrap justify-between gap-x-4 text-[14px]">
            <p className="text-muted">
              {rich('Monthly: <b>{hours, plural, one {# hour} other {# hours}}</b>', {
                hours: share.monthly_hours_allocated,
                b: figure,
              })}
            </p>
            <p className="text-muted">
              {rich('Used: <b>{hours, plural, one {# hour} other {# hours}}</b>', {
                hours: usedHours(share),
                b: over ? figureOver : figure,
              })}
            </p>
          </div>
          <ShareStrip share={share} />
          <SessionActions share={share} headingId={headingId} {...actions} />
        </>
      ) : (
        <PlainShare share={share} headingId={headingId} onAction={actions.onAction} />
      )}
    </Card>
  );
}
