import type { AdministeredAccount } from '@hourshare/contract/administration';
import { useState } from 'react';
import { pastDateText } from '../../platform/format/months.ts';
import { readResults } from '../../platform/http/lists.ts';
import { rich, t } from '../../platform/i18n/messages.ts';
import { useSettled } from '../../platform/use-settled.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { hidden } from '../../ui/hidden-text.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { AccountDialog } from './account-dialog.tsx';
import { useAccounts } from './api.ts';

interface AccountListProps {
  labelledBy: string;
  canChange: boolean;
}

/** All accounts, or those with a text in their names, with a dialog for each. */
export function AccountList({ labelledBy, canChange }: AccountListProps) {
  const [text, setText] = useState('');
  const search = useSettled(text.trim());
  const accounts = useAccounts(search);
  const [openId, setOpenId] = useState<number | null>(null);
  const found = accounts.data?.pages.flatMap((page) => readResults(page));
  const open = found?.find(({ id }) => id === openId);
  return (
    <>
      <div className="sm:w-80">
        <TextField
          type="search"
          label={t('Search usernames')}
          autoComplete="off"
          maxLength={30}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      {accounts.isPending && <Spinner label={t('Loading accounts')} className="mt-2 min-h-16" />}
      {accounts.isError && !accounts.isFetchNextPageError && (
        <Banner className="mt-3" onRetry={() => void accounts.refetch()}>
          {t("Couldn't load the accounts.")}
        </Banner>
      )}
      <p role="status" className="text-[14px] text-muted not-empty:mt-3">
        {found?.length === 0 && t('Nothing here matches “{text}”.', { text: search })}
      </p>
      {found && found.length > 0 && (
        <ul role="list" aria-labelledby={labelledBy} className="mt-3 divide-y divide-line border-t border-line">
          {found.map((account) => (
            <Account key={account.id} account={account} onOpen={() => setOpenId(account.id)} />
          ))}
        </ul>
      )}
      <LoadMore query={accounts} failure={t("Couldn't load more accounts.")} />
      {open && <AccountDialog account={open} canChange={canChange} onClose={() => setOpenId(null)} />}
    </>
  );
}

function Account({ account, onOpen }: { account: AdministeredAccount; onOpen: () => void }) {
  const { username, assets, disabled, administrator, last_used_on: used } = account;
  return (
    <li className="flex items-center gap-3 py-2.5">
      <Avatar name={username} hue={account.id} />
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-center gap-x-2 font-medium [overflow-wrap:anywhere]">
          {username}
          {administrator && <Badge tone="accent">{t('Administrator')}</Badge>}
          {disabled && <Badge tone="over">{t('Disabled')}</Badge>}
        </span>
        <span className="figures block text-[13px] leading-snug text-muted">
          {t('Created {date}', { date: pastDateText(account.created_on) })}
          {' · '}
          {used === null ? t('Not signed in') : t('Last used {date}', { date: pastDateText(used) })}
          {' · '}
          {t('{count, plural, one {# asset} other {# assets}}', { count: assets })}
        </span>
      </span>
      <Button look="quiet" size="small" className="-me-3 shrink-0" onClick={onOpen}>
        {rich('Manage<hidden> {name}</hidden>', { name: username, hidden })}
      </Button>
    </li>
  );
}
