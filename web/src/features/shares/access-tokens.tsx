import type { AccessToken } from '@hourshare/contract/shares';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { dateTimeText, momentText } from '../../platform/format/time.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog, DialogBody } from '../../ui/dialog.tsx';
import { hidden } from '../../ui/hidden-text.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { AccessTokenForm } from './access-token-form.tsx';
import { useAccessTokens, useRevokeAccessToken } from './access-tokens-api.ts';
import { useSharedAssets } from './api.ts';
import { MadeToken } from './made-token.tsx';
import { hasAccess } from './rules.ts';

/** The access tokens of the user's scripts, with actions to revoke and create them. */
export function AccessTokens({ labelledBy }: { labelledBy: string }) {
  const tokens = useAccessTokens();
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <p className="text-[14px] text-muted">
        {t(
          'For scripts and smart buttons, instead of your password. They keep working when you change your password, and stop when you reset it with a link.',
        )}
      </p>
      {tokens.isPending && <Spinner label={t('Loading access tokens')} className="py-3" />}
      {tokens.isError && (
        <Banner className="mt-3" onRetry={() => void tokens.refetch()}>
          {t("Couldn't load access tokens.")}
        </Banner>
      )}
      {tokens.data?.length === 0 && <p className="mt-3 text-[14px]">{t('No access tokens.')}</p>}
      {tokens.data && tokens.data.length > 0 && (
        <ul role="list" aria-labelledby={labelledBy} className="mt-3 divide-y divide-line border-y border-line">
          {tokens.data.map((token) => (
            <Token key={token.id} token={token} />
          ))}
        </ul>
      )}
      <Button look="outline" size="small" className="mt-4" onClick={() => setCreating(true)}>
        {t('Create access token')}
      </Button>
      {isCreating && <CreateDialog onClose={() => setCreating(false)} />}
    </>
  );
}

/** What a token can do, in words. */
function abilityOf({ scope, asset_name: asset }: AccessToken): string {
  if (scope === 'events') return t('Hears what happens');
  return scope === 'account' || asset === null
    ? t('Reads everything')
    : t('Starts, ends, and adds sessions of {asset}', { asset });
}

function Token({ token }: { token: AccessToken }) {
  const [isAsking, setAsking] = useState(false);
  const revoke = useRevokeAccessToken();
  const { id, name, last_used_at: used } = token;
  const expiry = dateTimeText(token.expires_at);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5">
      <KeyRound aria-hidden size={20} className="shrink-0 text-muted" />
      <span className="min-w-0 flex-1 basis-48">
        <span className="flex flex-wrap items-center gap-x-2 font-medium [overflow-wrap:anywhere]">
          {name}
          {token.share_ended && <Badge>{t('No longer works: your access ended')}</Badge>}
        </span>
        <span className="figures block text-[13px] text-muted [overflow-wrap:anywhere]">
          <span className="block">{abilityOf(token)}</span>
          {used === null
            ? t('Not used yet. Expires: {expiry}.', { expiry })
            : t('Last used: {used}. Expires: {expiry}.', { used: momentText(used), expiry })}
        </span>
      </span>
      <Button look="plain" size="small" className="-me-3 max-sm:-ms-3" onClick={() => setAsking(true)}>
        {rich('Revoke<hidden> the access token: {name}</hidden>', { name, hidden })}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('Revoke this access token?')}
          confirm={t('Revoke [[access token]]')}
          busyText={t('Revoking...')}
          busy={revoke.isPending}
          failure={
            revoke.isError ? errorText(revoke.error) || t("Couldn't revoke the access token. Please try again.") : null
          }
          onConfirm={() => revoke.mutate({ id, name })}
          onCancel={() => setAsking(false)}
        >
          <p>{t("{name} stops working right away. This can't be undone.", { name })}</p>
        </ConfirmDialog>
      )}
    </li>
  );
}

function CreateDialog({ onClose }: { onClose: () => void }) {
  const shares = useSharedAssets();
  const [made, setMade] = useState<React.ComponentProps<typeof MadeToken>['made'] | null>(null);
  return (
    <Dialog title={made ? t('New access token') : t('Create access token')} onClose={onClose}>
      <DialogBody>
        {made ? (
          <MadeToken made={made} onDone={onClose} />
        ) : shares.isPending ? (
          <Spinner label={t('Loading shared assets')} />
        ) : (
          <AccessTokenForm
            shares={(shares.data ?? []).filter((share) => hasAccess(share) && share.measured)}
            onCreated={setMade}
            onCancel={onClose}
          />
        )}
      </DialogBody>
    </Dialog>
  );
}
