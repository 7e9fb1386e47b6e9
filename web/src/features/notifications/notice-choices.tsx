import type { User } from '@hourshare/contract/users';
import type { NoticeChoice, NoticeKind } from '@hourshare/contract/notifications';
import { useId } from 'react';
import { t } from '../../platform/i18n/messages.ts';
import { useAbout } from '../accounts/about-api.ts';
import { Banner } from '../../ui/banner.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useChooseNotices, useNoticeChoices } from './api.ts';

type Channel = 'bell' | 'mail' | 'push';

const channels: Record<Channel, () => string> = {
  bell: () => t('Bell'),
  mail: () => t('Email [[column]]'),
  push: () => t('Push'),
};
const channelNames: readonly Channel[] = ['bell', 'mail', 'push'];

const kindTexts: Record<NoticeKind, () => string> = {
  access_offered: () => t('Access offered to you'),
  access_accepted: () => t('Access accepted'),
  access_declined: () => t('Access declined'),
  access_changed: () => t('Access changed'),
  access_ended: () => t('Access ended'),
  access_unconfirmed: () => t("Co-manager's addition to confirm"),
  invitation_accepted: () => t('Invitation accepted'),
  allowance_nearly_used: () => t('80% of an allowance used'),
  allowance_used: () => t('All of an allowance used'),
  session_long: () => t('Session running long'),
  session_limit: () => t('Session ended at its limit'),
  session_edited: () => t('Session edited'),
  session_removed: () => t('Session removed'),
  session_objection: () => t('Objection to an edit'),
  session_request: () => t('Edit that someone has to accept'),
  price_changed: () => t('Price changed'),
  terms_changed: () => t('Split changed'),
  month_closing: () => t('Month closes tomorrow'),
  statement_ready: () => t('Statement ready'),
  payment_sent: () => t('Payment sent'),
  payment_confirmed: () => t('Payment confirmed'),
  payment_undone: () => t('Payment undone'),
  balance_old: () => t('Balance older than 30 days'),
  sign_in: () => t('Sign-in from a new device'),
  password_changed: () => t('Password changed'),
  email_changed: () => t('Email address changed'),
};

const groups: readonly { title: () => string; kinds: readonly NoticeKind[] }[] = [
  {
    title: () => t('Access'),
    kinds: [
      ...(['access_offered', 'access_accepted', 'access_declined', 'access_changed', 'access_ended'] as const),
      ...(['access_unconfirmed', 'invitation_accepted'] as const),
    ],
  },
  {
    title: () => t('Use [[noun]]'),
    kinds: [
      ...(['allowance_nearly_used', 'allowance_used', 'session_long', 'session_limit', 'session_edited'] as const),
      ...(['session_removed', 'session_objection', 'session_request'] as const),
    ],
  },
  {
    title: () => t('Costs'),
    kinds: [
      ...(['price_changed', 'terms_changed', 'month_closing', 'statement_ready', 'payment_sent'] as const),
      ...(['payment_confirmed', 'payment_undone', 'balance_old'] as const),
    ],
  },
  { title: () => t('Your account'), kinds: ['sign_in', 'password_changed', 'email_changed'] },
];

/** Whether each kind of notice shows in the bell and comes by email or push. Each choice is saved at once. */
export function NoticeChoices({ user, labelledBy }: { user: User; labelledBy: string }) {
  const { data, isPending, isError, refetch } = useNoticeChoices();
  const choose = useChooseNotices();
  const about = useAbout();
  const reasonId = useId();
  if (isPending) return <Spinner label={t('Loading your choices')} />;
  if (isError && !data) return <Banner onRetry={() => void refetch()}>{t("Couldn't load your choices.")}</Banner>;
  const choices = new Map((data ?? []).map((choice) => [choice.kind, choice]));
  const noMail =
    about?.mail === false
      ? t("This server doesn't send email yet. Your choices are saved for when it does.")
      : user.email_notifications
        ? null
        : t('Email notifications are off, so none of these come by email.');
  return (
    <>
      {choose.isError && <Banner className="mb-2">{t("Couldn't save that setting. Please try again.")}</Banner>}
      {noMail !== null && (
        <p id={reasonId} className="mb-2 text-[14px] text-muted">
          {noMail}
        </p>
      )}
      <table aria-labelledby={labelledBy} className="w-full table-fixed text-[14.5px]">
        <colgroup>
          <col />
          {channelNames.map((name) => (
            <col key={name} className="w-13 sm:w-20" />
          ))}
        </colgroup>
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">{t('Notifications')}</span>
            </th>
            {channelNames.map((name) => (
              <th key={name} scope="col" className="pb-1 text-center text-[13px] font-semibold text-muted">
                {channels[name]()}
              </th>
            ))}
          </tr>
        </thead>
        {groups.map(({ title, kinds }) => (
          <tbody key={kinds[0]}>
            <tr>
              <th scope="rowgroup" colSpan={4} className="pt-3 pb-1 text-start text-[13px] font-semibold text-muted">
                {title()}
              </th>
            </tr>
            {kinds.map((kind) => {
              const choice = choices.get(kind);
              return (
                choice && (
                  <tr key={kind} className="border-t border-line">
                    <th scope="row" className="py-1 pe-2 text-start font-medium [overflow-wrap:anywhere]">
                      {kindTexts[kind]()}
                    </th>
                    {channelNames.map((name) => (
                      <Cell
                        key={name}
                        choice={choice}
                        channel={name}
                        {...(name === 'mail' && noMail !== null && { disabledBy: reasonId })}
                        onChange={(checked) => choose.mutate({ kind, [name]: checked })}
                      />
                    ))}
                  </tr>
                )
              );
            })}
          </tbody>
        ))}
      </table>
      <p className="mt-3 text-[13.5px] text-muted">
        {t('Emails about your password and your email address always come, because they protect your account.')}
      </p>
    </>
  );
}

interface CellProps {
  choice: NoticeChoice;
  channel: Channel;
  /** The id of the text that says why the column can't be changed. */
  disabledBy?: string;
  onChange: (checked: boolean) => void;
}

function Cell({ choice, channel, disabledBy, onChange }: CellProps) {
  const isFixed = channel === 'mail' && choice.mail_always;
  return (
    <td className="text-center">
      <label className="inline-flex size-11 cursor-pointer items-center justify-center has-disabled:cursor-default">
        <input
          type="checkbox"
          aria-label={t('{what}: {channel}', { what: kindTexts[choice.kind](), channel: channels[channel]() })}
          checked={isFixed || choice[channel]}
          disabled={isFixed || disabledBy !== undefined}
          aria-describedby={disabledBy}
          onChange={(event) => onChange(event.target.checked)}
          className="size-5 accent-accent disabled:opacity-50"
        />
      </label>
    </td>
  );
}
