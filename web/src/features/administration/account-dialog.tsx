import type { AdministeredAccount } from '@hourshare/contract/administration';
import { KeyRound, UserCheck, UserX } from 'lucide-react';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { t } from '../../platform/i18n/messages.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogBody } from '../../ui/dialog.tsx';
import { useMakeResetLink, useSetDisabled } from './api.ts';
import { MadeLink } from './made-link.tsx';
import { StateRow } from './state-row.tsx';

interface AccountDialogProps {
  account: AdministeredAccount;
  canChange: boolean;
  onClose: () => void;
}

/** What an administrator can do to an account, each with its consequences. */
export const AccountDialog = ({ account, canChange, onClose }: AccountDialogProps) => (
  <Dialog title={account.username} onClose={onClose}>
    <DialogBody>
      {account.administrator ? (
        <p className="text-muted">
          {t("Accounts of administrators can be changed only on the server's command line.")}
        </p>
      ) : (
        <div className="grid divide-y divide-line">
          {!account.disabled && <ResetLink id={account.id} canChange={canChange} />}
          <Disable account={account} canChange={canChange} />
        </div>
      )}
    </DialogBody>
  </Dialog>
);

function ResetLink({ id, canChange }: { id: number; canChange: boolean }) {
  const make = useMakeResetLink();
  return (
    <StateRow
      Icon={KeyRound}
      title={t('New password')}
      action={
        <Button look="outline" size="small" disabled={!canChange} busy={make.isPending} onClick={() => make.mutate(id)}>
          {t('Create reset link')}
        </Button>
      }
      below={
        <>
          {make.isError && (
            <Banner className="mt-3">{errorText(make.error) || t("Couldn't make a link. Please try again.")}</Banner>
          )}
          {make.data && <MadeLink label={t('Reset link')} made={make.data} />}
        </>
      }
    >
      {t('Give the link only to this person. Two-step sign-in stays on.')}
    </StateRow>
  );
}

function Disable({ account, canChange }: Omit<AccountDialogProps, 'onClose'>) {
  const set = useSetDisabled();
  const { id, username, disabled } = account;
  return (
    <StateRow
      Icon={disabled ? UserCheck : UserX}
      title={disabled ? t('Disabled') : t('Disable account')}
      action={
        <Button
          look="outline"
          size="small"
          className={disabled ? '' : 'text-over-text!'}
          disabled={!canChange}
          busy={set.isPending}
          onClick={() => set.mutate({ id, username, disabled: !disabled })}
        >
          {disabled ? t('Enable') : t('Disable')}
        </Button>
      }
      below={
        set.isError && (
          <Banner className="mt-3">
            {errorText(set.error) || t("Couldn't change the account. Please try again.")}
          </Banner>
        )
      }
    >
      {disabled
        ? t("This person can't sign in. Nothing was deleted.")
        : t('Signs this person out everywhere and ends their running sessions. Nothing is deleted.')}
    </StateRow>
  );
}
