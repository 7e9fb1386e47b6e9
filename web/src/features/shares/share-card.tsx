import { hoursInWords } from '../../lib/formatting.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { Tile } from '../../ui/tile.tsx';
import { usedHours, usedPart } from './rules.ts';
import { SessionActions, type SessionActionsProps } from './session-actions.tsx';
import { ShareStrip } from './share-strip.tsx';

export function ShareCard({ share, ...actions }: Omit<SessionActionsProps, 'headingId'>) {
  const headingId = `share-${share.id}`;
  const over = usedPart(share) > 1;
  return (
    <Card as="li" className="flex flex-col" labelledBy={headingId}>
      <div className="flex items-start gap-3">
        <Tile name={share.asset_name} />
        <div className="flex min-h-10 min-w-0 flex-1 flex-col justify-center">
          <h3
            id={headingId}
            className="line-clamp-2 text-left leading-snug font-semibold [overflow-wrap:anywhere]"
            dir="auto"
          >
            {share.asset_name}
          </h3>
          <p className="truncate text-[13.5px] text-muted">Shared by {share.owner}</p>
        </div>
        <Badge>Shared</Badge>
      </div>
      <div className="mt-3.5 mb-2 flex flex-wrap justify-between gap-x-4 text-[14px]">
        <p className="text-muted">
          Monthly: <b className="figures font-semibold text-ink">{hoursInWords(share.monthly_hours_allocated)}</b>
        </p>
        <p className="text-muted">
          Used:{' '}
          <b className={`figures font-semibold ${over ? 'text-over-text' : 'text-ink'}`}>
            {hoursInWords(usedHours(share))}
          </b>
        </p>
      </div>
      <ShareStrip share={share} />
      <SessionActions share={share} headingId={headingId} {...actions} />
    </Card>
  );
}
