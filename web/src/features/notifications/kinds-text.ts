import type { NoticeKind } from '@hourshare/contract/notifications';
import { t } from '../../platform/i18n/messages.ts';

/** What each kind of notice is called. */
export const kindTexts: Record<NoticeKind, () => string> = {
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
  cost: () => t('Extra cost'),
  month_closing: () => t('Month closes tomorrow'),
  statement_ready: () => t('Statement ready'),
  payment_sent: () => t('Payment sent'),
  payment_confirmed: () => t('Payment confirmed'),
  payment_undone: () => t('Payment undone'),
  renewal: () => t('A renewal is near'),
  balance_old: () => t('Balance older than 30 days'),
  target_off: () => t('Sending elsewhere stopped'),
  sign_in: () => t('Sign-in from a new device'),
  password_changed: () => t('Password changed'),
  email_changed: () => t('Email address changed'),
};

/** The kinds by what they are about. */
export const kindGroups: readonly { title: () => string; hint: () => string; kinds: readonly NoticeKind[] }[] = [
  {
    title: () => t('People and access'),
    hint: () => t('Offers, changes, endings'),
    kinds: [
      ...(['access_offered', 'access_accepted', 'access_declined', 'access_changed', 'access_ended'] as const),
      ...(['access_unconfirmed', 'invitation_accepted'] as const),
    ],
  },
  {
    title: () => t('Hours'),
    hint: () => t('Allowances, sessions, edits'),
    kinds: [
      ...(['allowance_nearly_used', 'allowance_used', 'session_long', 'session_limit', 'session_edited'] as const),
      ...(['session_removed', 'session_objection', 'session_request'] as const),
    ],
  },
  {
    title: () => t('Money'),
    hint: () => t('Prices, statements, payments'),
    kinds: [
      ...(['price_changed', 'terms_changed', 'cost', 'renewal', 'month_closing', 'statement_ready'] as const),
      ...(['payment_sent', 'payment_confirmed', 'payment_undone', 'balance_old'] as const),
    ],
  },
  {
    title: () => t('Sign-ins and password'),
    hint: () => t('Email about your password always comes.'),
    kinds: ['sign_in', 'password_changed', 'email_changed', 'target_off'],
  },
];
