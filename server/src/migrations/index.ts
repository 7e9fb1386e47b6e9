import type { Migration } from 'kysely';
import * as initial from './0001-initial.ts';
import * as costs from './0002-costs.ts';
import * as corrections from './0003-corrections.ts';
import * as timeZones from './0004-time-zones.ts';
import * as whoseMonths from './0005-whose-months.ts';
import * as periods from './0006-periods.ts';
import * as secretFingerprint from './0007-secret-fingerprint.ts';
import * as comments from './0008-comments.ts';
import * as languages from './0009-languages.ts';
import * as consent from './0010-consent.ts';
import * as hoursByDay from './0011-hours-by-day.ts';
import * as payments from './0012-payments.ts';
import * as invitations from './0013-invitations.ts';
import * as terms from './0014-terms.ts';
import * as windows from './0015-windows.ts';
import * as objections from './0016-objections.ts';
import * as deletion from './0017-deletion.ts';
import * as people from './0018-people.ts';
import * as joining from './0019-joining.ts';
import * as mail from './0020-mail.ts';
import * as devices from './0021-devices.ts';
import * as administration from './0022-administration.ts';
import * as leaving from './0023-leaving.ts';
import * as checks from './0024-checks.ts';
import * as twoStep from './0025-two-step.ts';
import * as passkeys from './0026-passkeys.ts';
import * as accessTokens from './0027-access-tokens.ts';
import * as handovers from './0028-handovers.ts';
import * as managers from './0029-managers.ts';
import * as providers from './0030-providers.ts';
import * as securityEvents from './0031-security-events.ts';
import * as backups from './0032-backups.ts';
import * as notifications from './0033-notifications.ts';
import * as lateSessions from './0034-late-sessions.ts';
import * as largeInstallations from './0035-large-installations.ts';

/** Every migration, in order. Forward only: a released one never changes. */
export const migrations: Record<string, Migration> = {
  '0001-initial': initial,
  '0002-costs': costs,
  '0003-corrections': corrections,
  '0004-time-zones': timeZones,
  '0005-whose-months': whoseMonths,
  '0006-periods': periods,
  '0007-secret-fingerprint': secretFingerprint,
  '0008-comments': comments,
  '0009-languages': languages,
  '0010-consent': consent,
  '0011-hours-by-day': hoursByDay,
  '0012-payments': payments,
  '0013-invitations': invitations,
  '0014-terms': terms,
  '0015-windows': windows,
  '0016-objections': objections,
  '0017-deletion': deletion,
  '0018-people': people,
  '0019-joining': joining,
  '0020-mail': mail,
  '0021-devices': devices,
  '0022-administration': administration,
  '0023-leaving': leaving,
  '0024-checks': checks,
  '0025-two-step': twoStep,
  '0026-passkeys': passkeys,
  '0027-access-tokens': accessTokens,
  '0028-handovers': handovers,
  '0029-managers': managers,
  '0030-providers': providers,
  '0031-security-events': securityEvents,
  '0032-backups': backups,
  '0033-notifications': notifications,
  '0034-late-sessions': lateSessions,
  '0035-large-installations': largeInstallations,
};
