import type { SharedAsset } from '@hourshare/contract/shares';
import { useEffect } from 'react';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { keepFocusInPage } from '../../ui/focus.ts';
import { hidden } from '../../ui/hidden-text.tsx';
import { useSessionControl } from '../sessions/api.ts';
import { countedText } from './rules.ts';
import { askText } from './ask-text.ts';
import { useAgree } from './changes-api.ts';

interface AskStripProps {
  share: SharedAsset;
  className?: string;
}

/** Asks a member to agree to terms that cost them more, also by starting. Until they do, the owner covers the difference. */
export function AskStrip({ share, className = 'rounded-control bg-accent-soft p-3.5' }: AskStripProps) {
  const agree = useAgree(share);
  const session = useSessionControl(share, { announceFailure: true });
  // Agreeing removes the button.
  useEffect(() => keepFocusInPage, []);
  const { asset_name: asset, owner, terms, agreed } = share;
  if (terms === null || agreed === null) return null;
  return (
    <div role="group" aria-label={t('Question about {asset}', { asset })} className={`text-[14px] ${className}`}>
      <p className="figures text-[15px] font-semibold">{askText(terms, agreed)}</p>
      <p className="mt-1 text-muted">{t('Until you agree, {owner} covers the difference.', { owner })}</p>
      {agree.isError && (
        <p role="alert" className="mt-1 font-medium text-over-text">
          {errorText(agree.error) || t("Couldn't save your answer. Please try again.")}
        </p>
      )}
      <div className="mt-2 flex flex-wrap justify-end gap-2">
        {share.measured && !share.active_session && countedText(share) === null && (
          <Button look="plain" size="small" busy={session.busy} onClick={() => session.agreeAndStart(terms)}>
            {rich('Agree and start<hidden> {asset}</hidden>', { asset, hidden })}
          </Button>
        )}
        <Button look="outline" size="small" busy={agree.isPending} onClick={() => agree.mutate(terms)}>
          {rich('Agree<hidden> to the new terms of {asset}</hidden>', { asset, hidden })}
        </Button>
      </div>
    </div>
  );
}
