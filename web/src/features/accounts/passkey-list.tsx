import type { Passkey } from '@hourshare/contract/sign-ins';
import { PASSKEYS_MAX } from '@hourshare/contract/limits';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { dateTimeText, momentText } from '../../platform/format/time.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { hidden } from '../../ui/hidden-text.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { nameText } from './device-text.ts';
import { NamedRow } from './named-row.tsx';
import { useAddPasskey, useNamePasskey, usePasskeys, useRemovePasskey } from './passkeys-api.ts';
import { passkeyFailureText } from './rules.ts';
import { usePasskeySupport } from './use-passkey-support.ts';

/** The user's passkeys; each can be named and removed. */
export function PasskeyList({ labelledBy }: { labelledBy: string }) {
  const passkeys = usePasskeys();
  const support = usePasskeySupport();
  const add = useAddPasskey();
  const failure = add.isError ? passkeyFailureText(add.error) : null;
  return (
    <>
      {passkeys.isPending && <Spinner label={t('Loading passkeys')} className="py-3" />}
      {passkeys.isError && (
        <Banner className="mt-3" onRetry={() => void passkeys.refetch()}>
          {t("Couldn't load your passkeys.")}
        </Banner>
      )}
      {passkeys.data?.length === 0 && <p className="mt-3 text-[14px]">{t('You have no passkeys.')}</p>}
      {passkeys.data && passkeys.data.length > 0 && (
        <ul role="list" aria-labelledby={labelledBy} className="mt-3 divide-y divide-line border-y border-line">
          {passkeys.data.map((passkey) => (
            <Item key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      {failure !== null && <Banner className="mt-4">{failure}</Banner>}
      {support === 'yes'
        ? passkeys.data &&
          passkeys.data.length < PASSKEYS_MAX && (
            <Button
              look="outline"
              className="mt-4"
              busy={add.isPending}
              busyText={t('Adding...')}
              onClick={() => add.mutate()}
            >
              {t('Add a passkey')}
            </Button>
          )
        : passkeys.data && <p className="mt-3 text-[14px] text-muted">{unsupportedTexts[support]()}</p>}
    </>
  );
}

const unsupportedTexts = {
  browser: () => t("This browser doesn't support passkeys."),
  address: () => t('Passkeys need a server with a domain name and HTTPS.'),
  elsewhere: () => t("Passkeys don't work at this address."),
};

function Item({ passkey }: { passkey: Passkey }) {
  const [isRemoving, setRemoving] = useState(false);
  const rename = useNamePasskey();
  const remove = useRemovePasskey();
  const name = nameText(passkey);
  const created = dateTimeText(passkey.created_at);
  return (
    <NamedRow
      icon={KeyRound}
      item={passkey}
      times={
        passkey.last_used_at === null
          ? t('Not used yet. Created: {created}.', { created })
          : t('Last used: {used}. Created: {created}.', { used: momentText(passkey.last_used_at), created })
      }
      label={t('Name of this passkey')}
      onRename={(changed) => rename.mutateAsync({ id: passkey.id, name: changed })}
      actions={
        <Button look="plain" size="small" onClick={() => setRemoving(true)}>
          {rich('Remove<hidden> {name}</hidden>', { name, hidden })}
        </Button>
      }
    >
      {isRemoving && (
        <ConfirmDialog
          title={t('Remove this passkey?')}
          confirm={t('Remove passkey')}
          busyText={t('Removing...')}
          busy={remove.isPending}
          failure={
            remove.isError ? errorText(remove.error) || t("Couldn't remove the passkey. Please try again.") : null
          }
          onConfirm={() => remove.mutate({ id: passkey.id })}
          onCancel={() => setRemoving(false)}
        >
          <p>{t('{name} will stop working, and other devices that signed in with it are signed out.', { name })}</p>
          <p>{t('Your device may still offer it. You can delete it there.')}</p>
        </ConfirmDialog>
      )}
    </NamedRow>
  );
}
