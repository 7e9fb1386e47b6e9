import type { SharedAsset } from '@hourshare/contract/shares';
import type { Statement } from '@hourshare/contract/statements';
import { useEffect } from 'react';
import { useSessionControl } from '../../../features/sessions/api.ts';
import { sessionCost } from '../../../features/sessions/rules.ts';
import { leftText } from '../../../features/shares/rules.ts';
import { ShareRing } from '../../../features/shares/share-ring.tsx';
import { formatMoney } from '../../../platform/format/numbers.ts';
import { serverNow } from '../../../platform/http/server-clock.ts';
import { rich, t } from '../../../platform/i18n/messages.ts';
import { LiveDot } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Clock } from '../../../ui/clock.tsx';
import { PlayStop } from '../../../ui/play-stop.tsx';
import { keepFocusInPage } from '../../../ui/focus.ts';
import { ignoreHeldEnter } from '../../../ui/session-button.tsx';
import { Tile } from '../../../ui/tile.tsx';

interface RunningHeroProps {
  /** The user's running sessions. */
  running: SharedAsset[];
  /** This month's statements; undefined until they are known. */
  statements: Statement[] | undefined;
}

/** What runs now, as the largest thing on the page; nothing while nothing runs. */
export const RunningHero = ({ running, statements }: RunningHeroProps) =>
  running.length > 0 && (
    <section
      aria-label={t('Running now')}
      className="mb-4 grid grid-cols-1 gap-3 rounded-[24px] bg-live-soft p-4 transition-[opacity,scale] duration-[220ms] md:rounded-paper md:p-5 md:pe-7 starting:scale-95 starting:opacity-0"
    >
      {running.map((share) => (
        <Row key={share.id} share={share} statement={statements?.find(({ asset_id: id }) => id === share.asset.id)} />
      ))}
    </section>
  );

function Row({ share, statement }: { share: SharedAsset; statement: Statement | undefined }) {
  const session = useSessionControl(share);
  const { asset_name: asset, active_since: since } = share;
  // The row leaves with its session.
  useEffect(() => keepFocusInPage, []);
  if (since === null) return null;
  const cost =
    statement && sessionCost(statement, { start_time: since, end_time: new Date(serverNow()).toISOString() });
  const left = share.monthly_hours_allocated > 0 ? leftText(share) : null;
  return (
    <div className="flex items-center gap-3.5 md:gap-6">
      {/* The clock and the button come first where not everything fits. */}
      <div className="shrink-0 max-[359px]:hidden">
        <ShareRing share={share} size="medium">
          <Tile name={asset} size="disc" className="max-md:scale-68" />
        </ShareRing>
      </div>
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2 font-semibold">
          <LiveDot />
          <span className="truncate" dir="auto">
            {asset}
          </span>
        </p>
        <Clock
          since={since}
          className="block font-display text-[30px] leading-tight font-bold tracking-tight text-live-text md:text-clock [&>span]:opacity-80"
        />
        <p className="figures truncate text-small text-live-text">
          {session.failure !== null ? (
            <span role="alert" className="font-medium text-over-text">
              {session.failure}
            </span>
          ) : (
            <>
              {typeof cost === 'number' && (
                <span className="max-md:hidden">
                  {t('about {amount}', { amount: formatMoney(cost, statement?.currency ?? '') })}
                  {left !== null && ' · '}
                </span>
              )}
              {left}
            </>
          )}
        </p>
      </div>
      <Button
        look="live"
        size="large"
        icon={
          <span className="inline-flex max-md:hidden">
            <PlayStop running />
          </span>
        }
        busy={session.busy}
        onKeyDown={ignoreHeldEnter}
        onClick={session.end}
        className="shrink-0 opacity-100! max-md:min-h-13! max-md:px-4!"
      >
        <span className="inline-block first-letter:uppercase">
          {rich('End<wide> Session</wide><name> {asset}</name>', { asset, wide, name })}
        </span>
      </Button>
    </div>
  );
}

const wide = (text: React.ReactNode) => <span className="max-md:sr-only">{text}</span>;
const name = (text: React.ReactNode) => <span className="sr-only">{text}</span>;
