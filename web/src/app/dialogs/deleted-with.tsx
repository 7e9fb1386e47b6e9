import type { OwnedAsset } from '@hourshare/contract/assets';
import { SessionCount } from '../../features/sessions/session-count.tsx';
import { countOf } from '../../lib/formatting.ts';

/** What a deletion takes along. */
export function DeletedWith({ asset }: { asset: OwnedAsset }) {
  const members = asset.shared_with.length;
  return (
    <>
      <p>
        {members === 0 ? 'It goes with ' : `It goes for ${countOf(members, 'member')} too, with `}
        <SessionCount assetId={asset.id} /> and the hours they count.
      </p>
      <p>What months gone by have cost stays with everybody; this month will not be billed to anybody.</p>
      <p>This cannot be undone. Archiving keeps everything.</p>
    </>
  );
}
