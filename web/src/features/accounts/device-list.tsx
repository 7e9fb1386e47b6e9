import type { SignIn } from '@hourshare/contract/sign-ins';
import { Laptop } from 'lucide-react';
import { useState } from 'react';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { dateTimeText, momentText } from '../../platform/format/time.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { hidden } from '../../ui/hidden-text.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { nameText } from './device-text.ts';
import { NamedRow } from './named-row.tsx';
import { useEndOtherSignIns, useEndSignIn, useNameSignIn, useSignIns } from './sign-ins-api.ts';

/** The user's sign-ins; each can be named and ended. */
export function DeviceList({ labelledBy }: { labelledBy: string }) {
  const signIns = useSignIns();
  return (
    <>
      <p className="text-[14px] text-muted">
        {t(
          "End sign-ins you no longer use. If you don't recognize one, change your password: that ends all the others.",
        )}
      </p>
      {signIns.isPending && <Spinner label={t('Loading sign-ins')} className="py-3" />}
      {signIns.isError && (
        <Banner className="mt-3" onRetry={() => void signIns.refetch()}>
          {t("Couldn't load where you're signed in.")}
        </Banner>
      )}
      {signIns.data && (
        <ul role="list" aria-labelledby={labelledBy} className="mt-3 divide-y divide-line border-y border-line">
          {signIns.data.map((signIn) => (
            <Device key={signIn.id} signIn={signIn} />
          ))}
        </ul>
      )}
      {signIns.data?.some(({ current }) => !current) && <EndOthers />}
    </>
  );
}

function Device({ signIn }: { signIn: SignIn }) {
  const [isEnding, setEnding] = useState(false);
  const end = useEndSignIn();
  const rename = useNameSignIn();
  const name = nameText(signIn);
  return (
    <NamedRow
      icon={Laptop}
      item={signIn}
      badge={signIn.current && <Badge tone="accent">{t('This device')}</Badge>}
      times={t('Last used: {used}. Signed in: {since}.', {
        used: momentText(signIn.last_used_at),
        since: dateTimeText(signIn.created_at),
      })}
      label={t('Name of this device')}
      onRename={(changed) => rename.mutateAsync({ id: signIn.id, name: changed })}
      actions={
        !signIn.current && (
          <Button look="plain" size="small" onClick={() => setEnding(true)}>
            {rich('End<hidden> the sign-in: {name}</hidden>', { name, hidden })}
          </Button>
        )
      }
    >
      {isEnding && (
        <ConfirmDialog
          title={t('End this sign-in?')}
          confirm={t('End sign-in')}
          busyText={t('Ending...')}
          busy={end.isPending}
          failure={end.isError ? errorText(end.error) || t("Couldn't end the sign-in. Please try again.") : null}
          onConfirm={() => end.mutate({ id: signIn.id, name })}
          onCancel={() => setEnding(false)}
        >
          <p>{t("{name} is signed out right away. You'll need to sign in there again.", { name })}</p>
        </ConfirmDialog>
      )}
    </NamedRow>
  );
}

function EndOthers() {
  const [isAsking, setAsking] = useState(false);
  const end = useEndOtherSignIns();
  return (
    <>
      <Button look="outline" size="small" className="mt-4" onClick={() => setAsking(true)}>
        {t('End all other sign-ins')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('End all other sign-ins?')}
          confirm={t('End all others')}
          busyText={t('Ending...')}
          busy={end.isPending}
          failure={end.isError ? errorText(end.error) || t("Couldn't end the sign-ins. Please try again.") : null}
          onConfirm={() => end.mutate()}
          onCancel={() => setAsking(false)}
        >
          <p>{t('All other devices are signed out right away.')}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
