import type { CreatedAccessToken } from '@hourshare/contract/shares';
import { useEffect, useRef } from 'react';
import { t } from '../../platform/i18n/messages.ts';
import { dateTimeText } from '../../platform/format/time.ts';
import { Button } from '../../ui/button.tsx';
import { CopyField } from '../../ui/copy-field.tsx';
import { curlLine, TOKEN_PLACEHOLDER } from './elsewhere-rules.ts';

/** A new access token, which is shown only once. */
export function MadeToken({ made, onDone }: { made: CreatedAccessToken; onDone: () => void }) {
  const box = useRef<HTMLDivElement>(null);
  // The form that created it is gone.
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} tabIndex={-1} role="group" aria-label={t('New access token')} className="grid gap-4 outline-none">
      <CopyField
        label={t('Access token: {name}', { name: made.name })}
        value={made.token}
        hint={t('Copy it now: it is shown only once. Expires {when}.', { when: dateTimeText(made.expires_at) })}
      />
      {made.share_id !== null && <CurlLines shareId={made.share_id} token={made.token} />}
      <Button look="outline" size="small" className="justify-self-start" onClick={onDone}>
        {t('Done [[access token]]')}
      </Button>
    </div>
  );
}

/** The two shell commands that start and end a session. */
export const CurlLines = ({ shareId, token = TOKEN_PLACEHOLDER }: { shareId: number; token?: string }) => (
  <>
    <CopyField label={t('To start, run')} value={curlLine('start', { shareId, token })} />
    <CopyField label={t('To end, run')} value={curlLine('end', { shareId, token })} />
  </>
);
