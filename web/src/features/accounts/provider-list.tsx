import type { Identity, ProviderName } from '@hourshare/contract/sign-ins';
import { useState } from 'react';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { paths } from '../../platform/paths.ts';
import { dateTimeText, momentText } from '../../platform/format/time.ts';
import { useAbout } from './about-api.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { hidden } from '../../ui/hidden-text.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { goToProvider, useDisconnect, useIdentities } from './providers-api.ts';

/** The providers that the user signs in with or could connect. */
export function ProviderList() {
  const identities = useIdentities();
  const providers = useAbout()?.providers ?? [];
  const connected = identities.data ?? [];
  const missing = providers.filter(
    ({ name }) => !connected.some((identity) => identity.available && identity.provider === name),
  );
  return (
    <>
      {identities.isPending && <Spinner label={t('Loading')} className="py-3" />}
      {identities.isError && (
        <Banner className="mt-3" onRetry={() => void identities.refetch()}>
          {t("Couldn't load how you sign in.")}
        </Banner>
      )}
      {identities.data && (
        <ul role="list" aria-labelledby="providers" className="mt-3 divide-y divide-line border-y border-line">
          {connected.map((identity) => (
            <Connected key={identity.id} identity={identity} />
          ))}
          {missing.map(({ name, label }) => (
            <Missing key={name} provider={name} label={label} />
          ))}
        </ul>
      )}
    </>
  );
}

const row = 'flex flex-wrap items-center justify-between gap-x-3 gap-y-1 py-2.5';

function Connected({ identity }: { identity: Identity }) {
  const [isAsking, setAsking] = useState(false);
  const disconnect = useDisconnect();
  const { label: provider } = identity;
  return (
    <li className={row}>
      <span className="min-w-0 [overflow-wrap:anywhere]">
        <span className="block font-medium">{provider}</span>
        <span className="figures block text-[13px] text-muted">
          {identity.name !== null && <span className="block">{identity.name}</span>}
          {identity.available
            ? t('Last used: {used}. Connected: {since}.', {
                used: momentText(identity.last_used_at),
                since: dateTimeText(identity.created_at),
              })
            : t('This server no longer supports it.')}
        </span>
      </span>
      <Button look="outline" size="small" onClick={() => setAsking(true)}>
        {rich('Disconnect<hidden> {provider}</hidden>', { provider, hidden })}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('Disconnect {provider}?', { provider })}
          confirm={t('Disconnect')}
          busyText={t('Disconnecting...')}
          busy={disconnect.isPending}
          failure={
            disconnect.isError ? errorText(disconnect.error) || t("Couldn't disconnect it. Please try again.") : null
          }
          onConfirm={() => disconnect.mutate(identity)}
          onCancel={() => setAsking(false)}
        >
          <p>{t('You can no longer sign in with it. Signed-in devices stay signed in.')}</p>
        </ConfirmDialog>
      )}
    </li>
  );
}

function Missing({ provider, label }: { provider: ProviderName; label: string }) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const connect = async () => {
    setBusy(true);
    setFailure(null);
    try {
      await goToProvider({ provider, purpose: 'link', from: `${paths.profile}#providers` });
    } catch (error) {
      setFailure(
        errorText(error) || t("Couldn't start signing in with {provider}. Please try again.", { provider: label }),
      );
      setBusy(false);
    }
  };
  return (
    <li className={row}>
      <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{label}</span>
      <Button look="outline" size="small" busy={isBusy} onClick={() => void connect()}>
        {rich('Connect<hidden> {provider}</hidden>', { provider: label, hidden })}
      </Button>
      {failure !== null && <Banner className="basis-full">{failure}</Banner>}
    </li>
  );
}
