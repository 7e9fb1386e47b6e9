import type { CreatedAccessToken, SharedAsset } from '@hourshare/contract/shares';
import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../platform/i18n/messages.ts';
import { saveFile } from '../../platform/http/save-file.ts';
import { Button } from '../../ui/button.tsx';
import { CopyField } from '../../ui/copy-field.tsx';
import { QrCode, qrFile } from '../../ui/qr-code.tsx';
import { AccessTokenForm } from './access-token-form.tsx';
import { startAddress } from './elsewhere-rules.ts';
import { CurlLines, MadeToken } from './made-token.tsx';

/** Ways to start a session without the dashboard: a page with one button, and shell commands. Load it lazily. */
export function StartElsewhere({ share }: { share: SharedAsset }) {
  const [isCreating, setCreating] = useState(false);
  const [made, setMade] = useState<CreatedAccessToken | null>(null);
  const isAway = isCreating || made !== null;
  const wasAway = useRef(false);
  const createButton = useRef<HTMLButtonElement>(null);
  // The focused element is gone.
  useEffect(() => {
    if (wasAway.current && !isAway) createButton.current?.focus();
    wasAway.current = isAway;
  }, [isAway]);
  const link = startAddress(share.asset.id);
  const download = () =>
    saveFile({
      name: `hourshare-${share.asset.id}.svg`,
      content: new Blob([qrFile(link, share.asset_name)], { type: 'image/svg+xml' }),
    });
  return (
    <div className="grid gap-6">
      <section aria-labelledby="one-button" className="grid gap-3">
        <h4 id="one-button" className="font-semibold">
          {t('A page with one button')}
        </h4>
        <p className="text-[14px] text-muted">
          {t(
            "Opening it doesn't start anything. It works for everyone with access, so you can put the code up next to what you share.",
          )}
        </p>
        <CopyField label={t('Link to the button')} value={link} />
        <div className="flex flex-wrap items-end gap-4">
          <div className="w-44 overflow-clip rounded-control border border-line">
            <QrCode text={link} label={t('QR code of the link')} />
          </div>
          <Button look="outline" size="small" icon={<Download aria-hidden size={16} />} onClick={download}>
            {t('Download QR code')}
          </Button>
        </div>
      </section>
      <section aria-labelledby="scripts" className="grid gap-3">
        <h4 id="scripts" className="font-semibold">
          {t('From a script')}
        </h4>
        <p className="text-[14px] text-muted">
          {t('A script needs an access token. You can revoke it in Settings at any time.')}
        </p>
        {made ? (
          <MadeToken made={made} onDone={() => setMade(null)} />
        ) : isCreating ? (
          <AccessTokenForm
            shares={[share]}
            only={share}
            onCreated={(created) => {
              setCreating(false);
              setMade(created);
            }}
            onCancel={() => setCreating(false)}
          />
        ) : (
          <>
            <CurlLines shareId={share.id} />
            <Button
              ref={createButton}
              look="outline"
              size="small"
              className="justify-self-start"
              onClick={() => setCreating(true)}
            >
              {t('Create access token')}
            </Button>
          </>
        )}
      </section>
    </div>
  );
}
