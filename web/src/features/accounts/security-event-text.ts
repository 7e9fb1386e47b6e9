import type { AccountEventKind, AdminAction, SecurityEvent } from '@hourshare/contract/security-events';
import { t } from '../../platform/i18n/messages.ts';

type Event = Pick<SecurityEvent, 'detail' | 'count'>;

const actions: Record<AdminAction, () => string> = {
  registration: () => t('Administration: chose who can create an account'),
  invite: () => t('Administration: made an invitation'),
  'test-mail': () => t('Administration: sent a test message'),
  backup: () => t('Administration: made a backup'),
  disable: () => t('Administration: disabled an account'),
  enable: () => t('Administration: enabled an account'),
  'reset-password': () => t('Administration: made a reset link'),
};

const isAction = (detail: string): detail is AdminAction => detail in actions;

const texts: Record<AccountEventKind, (event: Event) => string> = {
  account_created: () => t('Account created'),
  account_disabled: () => t('Account disabled'),
  account_enabled: () => t('Account re-enabled'),
  signed_in: ({ detail }) => {
    if (detail === 'passkey') return t('Signed in with a passkey');
    return detail === 'provider' ? t('Signed in with a connected account') : t('Signed in with a password');
  },
  sign_in_failed: ({ count }) => t('{count, plural, one {Failed sign-in} other {# failed sign-ins}}', { count }),
  sign_in_blocked: () => t('Sign-in temporarily blocked after too many attempts'),
  second_step_failed: ({ count }) => t('{count, plural, one {Wrong code} other {# wrong codes}}', { count }),
  recovery_code_used: () => t('Recovery code used'),
  passkey_used: () => t('Identity confirmed with a passkey'),
  passkey_refused: ({ count }) => t('{count, plural, one {Passkey rejected} other {# passkeys rejected}}', { count }),
  password_check_failed: ({ count }) =>
    t('{count, plural, one {Failed identity check} other {# failed identity checks}}', { count }),
  password_check_blocked: () => t('Identity checks temporarily blocked after too many attempts'),
  two_step_on: () => t('Two-step sign-in turned on'),
  two_step_off: () => t('Two-step sign-in turned off'),
  recovery_codes_made: () => t('New recovery codes created'),
  passkey_added: () => t('Passkey added'),
  passkey_removed: () => t('Passkey removed'),
  provider_connected: () => t('Sign-in provider connected'),
  provider_disconnected: () => t('Sign-in provider disconnected'),
  password_changed: () => t('Password changed'),
  password_removed: () => t('Password removed'),
  password_reset_requested: ({ count }) =>
    t('{count, plural, one {Password reset link requested} other {# password reset links requested}}', { count }),
  password_reset: () => t('New password set with a reset link'),
  email_change_requested: () => t('Email address change requested'),
  email_changed: () => t('Email address changed'),
  sign_ins_ended: ({ detail, count }) =>
    detail === 'sign_out'
      ? t('Signed out')
      : t('{count, plural, one {Sign-in ended} other {# sign-ins ended}}', { count }),
  refresh_token_reused: () => t('Signed out because the sign-in may have been stolen'),
  access_token_created: () => t('Access token created'),
  access_tokens_revoked: ({ count }) =>
    t('{count, plural, one {Access token revoked} other {# access tokens revoked}}', { count }),
  notice_target_added: () => t('Notifications sent elsewhere'),
  notice_target_removed: () => t('Notifications no longer sent elsewhere'),
  calendar_address_made: () => t('Calendar address made'),
  calendar_address_removed: () => t('Calendar address removed'),
  data_exported: () => t('Account data exported'),
  handover_offered: () => t('Asset handover offered'),
  handover_accepted: () => t('Asset handover accepted'),
  manager_named: () => t('Co-manager added'),
  manager_removed: () => t('Co-manager removed'),
  administrator_named: () => t('Made an administrator'),
  administrator_removed: () => t('No longer an administrator'),
  admin_command: ({ detail }) => (detail !== null && isAction(detail) ? actions[detail]() : t('Administration')),
};

/** Returns what happened, in a few words. A newer server may list kinds that this page, loaded earlier, doesn't know. */
export const securityEventText = ({ event, ...about }: SecurityEvent): string =>
  texts[event]?.(about) ?? t('Security event');
