import type { OwnedAsset, SharedWithEntry } from '@hourshare/contract/assets';
import { useEffect, useRef, useState } from 'react';
import { announce } from '../../lib/announcements.ts';
import { formatHours, hoursInWords } from '../../lib/formatting.ts';
import { LiveDot } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Tile } from '../../ui/tile.tsx';
import { useEndShare } from './api.ts';
import { HoursForm } from './hours-form.tsx';

/** One member. An entry without a name or hours is pending. */
export function AccessEntry({ asset, entry }: { asset: OwnedAsset; entry: SharedWithEntry }) {
  const [mode, setMode] = useState<'changing' | 'ending' | null>(null);
  const changeButton = useRef<HTMLButtonElement>(null);
  const shouldRestoreFocus = useRef(false);
  const name = entry.shared_with_username ?? 'User';
  const hours = entry.monthly_hours_allocated;

  // The focused field is gone; return the focus to the button that opened the form.
  useEffect(() => {
    if (mode !== null || !shouldRestoreFocus.current) return;
    shouldRestoreFocus.current = false;
    changeButton.current?.focus();
  }, [mode]);
  const closeForm = () => {
    shouldRestoreFocus.current = true;
    setMode(null);
  };

  return (
    <li className="flex min-h-13 flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <Tile name={name} shape="small-disc" />
      <span className="min-w-0 flex-1 basis-32">
        <span className="block truncate font-medium">{name}</span>
        {entry.usage_this_month !== null && (
          <span className="figures flex flex-wrap items-center gap-x-1.5 text-[13px] text-muted">
            {formatHours(entry.usage_this_month)} used this month
            {entry.active_session && (
              <span className="inline-flex items-center gap-1.5 text-live-text">
                <LiveDot />
                in use now
              </span>
            )}
          </span>
        )}
      </span>
      {mode === 'changing' && hours !== null ? (
        <HoursForm assetId={asset.id} shareId={entry.id} name={name} hours={hours} onDone={closeForm} />
      ) : (
        <span className="-mr-3 flex items-center justify-between gap-x-1 max-sm:basis-full max-sm:pl-11 max-[359px]:pl-0">
          <span className="figures text-[14px] text-muted sm:mr-2">
            {hours === null ? 'Hours pending' : `${hoursInWords(hours)}/month`}
          </span>
          <span className="flex shrink-0">
            {hours !== null && (
              <Button ref={changeButton} look="quiet" size="small" onClick={() => setMode('changing')}>
                Change<span className="sr-only"> the hours of {name}</span>
              </Button>
            )}
            <Button look="quiet" size="small" className="text-over-text!" onClick={() => setMode('ending')}>
              End share<span className="sr-only"> with {name}</span>
            </Button>
          </span>
        </span>
      )}
      {mode === 'ending' && <EndShare asset={asset} entry={entry} name={name} onCancel={() => setMode(null)} />}
    </li>
  );
}

interface EndShareProps {
  asset: OwnedAsset;
  entry: SharedWithEntry;
  name: string;
  onCancel: () => void;
}

function EndShare({ asset, entry, name, onCancel }: EndShareProps) {
  const end = useEndShare(asset.id);
  const confirmed = () => end.mutate(entry.id, { onSuccess: () => announce(`The share with ${name} has ended.`) });
  return (
    <ConfirmDialog
      title={`End the share with ${name}?`}
      confirm="End share"
      busyText="Ending..."
      busy={end.isPending}
      failure={end.isError ? 'Failed to end the share. Please try again.' : null}
      onConfirm={confirmed}
      onCancel={onCancel}
    >
      <p>
        {name} can no longer use <span dir="auto">{asset.name}</span>.{' '}
        {entry.active_session
          ? 'The session that runs now ends with it.'
          : 'A session that is running then ends with it.'}
      </p>
      <p>The history stays: what {name} used this month still counts.</p>
    </ConfirmDialog>
  );
}
