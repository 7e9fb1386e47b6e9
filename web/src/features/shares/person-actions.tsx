import type { OwnedAsset, SharedWithEntry } from '@hourshare/contract/assets';
import type { AssetToClaim } from '@hourshare/contract/shares';
import { useEffect, useRef, useState } from 'react';
import { announce } from '../../ui/toasts.ts';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { takeFocus } from '../../ui/focus.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { momentText } from '../../platform/format/time.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { hidden } from '../../ui/hidden-text.tsx';
import { useCreateClaim, useRevokeClaim } from './changes-api.ts';
import { MadeLink } from './made-link.tsx';
import { useRecordSession } from '../sessions/log-api.ts';
import { RecordForm } from './record-form.tsx';
import { RevokeQuestion } from './revoke-question.tsx';

interface PersonActionsProps {
  asset: OwnedAsset;
  entry: SharedWithEntry;
  name: string;
}

interface RecordSessionProps {
  assetId: number;
  shareId: number;
  name: string;
  onDone: () => void;
}

const RecordSession = ({ assetId, shareId, name, onDone }: RecordSessionProps) => (
  <RecordForm
    label={t('Record a session of {name}', { name })}
    verb={t('Record [[session]]')}
    record={useRecordSession(assetId, shareId)}
    onDone={onDone}
  />
);

/** What an owner does for someone without an account: records sessions, if the asset is measured, and passes on the link with which they join. */
export function PersonActions({ asset, entry, name }: PersonActionsProps) {
  const [isRecording, setRecording] = useState(false);
  const [isRevoking, setRevoking] = useState(false);
  const [made, setMade] = useState<AssetToClaim['claim'] | null>(null);
  const create = useCreateClaim(asset.id);
  const revoke = useRevokeClaim(asset.id);
  const recordButton = useRef<HTMLButtonElement>(null);
  const linkButton = useRef<HTMLButtonElement>(null);
  const returnTo = useRef<'record' | 'link' | null>(null);
  // The focused form or link is gone; return the focus to the button that opened it.
  useEffect(() => {
    if (isRecording || made) return;
    if (returnTo.current) takeFocus((returnTo.current === 'record' ? recordButton : linkButton).current);
    returnTo.current = null;
  }, [isRecording, made]);
  const headingId = `join-${entry.id}`;
  const { claim_expires_at: expiry } = entry;
  const makeLink = () => {
    // The other form would hide behind the link.
    create.mutate(entry.id, { onSuccess: ({ claim }) => setMade(claim) });
  };
  const confirmed = () =>
    revoke.mutate(entry.id, {
      onSuccess: () => {
        setMade(null);
        setRevoking(false);
        announce(t('Link revoked.'));
      },
    });

  return (
    <div className="basis-full ps-11 max-[359px]:ps-0">
      <div className="-ms-3 flex flex-wrap items-center gap-x-1">
        {asset.measured && !isRecording && (
          <Button ref={recordButton} look="quiet" size="small" onClick={() => setRecording(true)}>
            {rich('Record a session<hidden> of {name}</hidden>', { name, hidden })}
          </Button>
        )}
        {!made && (
          <Button ref={linkButton} look="quiet" size="small" busy={create.isPending} onClick={makeLink}>
            {expiry === null
              ? rich('Link to join<hidden> for {name}</hidden>', { name, hidden })
              : rich('New link to join<hidden> for {name}</hidden>', { name, hidden })}
          </Button>
        )}
        {expiry !== null && (
          <Button look="plain" size="small" onClick={() => setRevoking(true)}>
            {rich('Revoke link<hidden> for {name}</hidden>', { name, hidden })}
          </Button>
        )}
      </div>
      {expiry !== null && !made && (
        <p className="figures text-[13px] text-muted">{t('Link open until {when}.', { when: momentText(expiry) })}</p>
      )}
      {create.isError && (
        <Banner className="mt-2">{errorText(create.error) || t("Couldn't create the link. Please try again.")}</Banner>
      )}
      {made && (
        <>
          <h4 id={headingId} className="mt-2 text-[14px] font-semibold">
            {t('Link for {name} to join', { name })}
          </h4>
          <MadeLink
            headingId={headingId}
            link={made.link}
            title={t('Link for {name} to join', { name })}
            label={t('Link that works once')}
            expiresAt={made.expires_at}
            onDone={() => {
              returnTo.current = 'link';
              setMade(null);
            }}
          />
        </>
      )}
      {isRecording && (
        <RecordSession
          assetId={asset.id}
          shareId={entry.id}
          name={name}
          onDone={() => {
            returnTo.current = 'record';
            setRecording(false);
          }}
        />
      )}
      {isRevoking && <RevokeQuestion change={revoke} onConfirm={confirmed} onCancel={() => setRevoking(false)} />}
    </div>
  );
}
