import type { QueryClient } from '@tanstack/react-query';
import { refreshUserInBackground } from '../../features/accounts/api.ts';
import { applyChanges, hasJustMade, type Change } from '../../platform/live/changes.ts';
import type { ServerEvent } from '../../platform/live/event-stream.ts';
import { readSince } from '../../platform/live/stream-state.ts';
import { currentSignIn } from '../../platform/auth/sign-in.ts';

/** What each kind of event changes; the server's names of them. A change of the user's own account reads that again, too. */
const changesOf: Record<string, readonly Change[]> = {
  // An owner's cards show who is using what.
  'session.started': ['sessions', 'shares'],
  'session.ended': ['sessions', 'shares'],
  'session.edited': ['sessions', 'shares'],
  'session.removed': ['sessions', 'shares'],
  'session.recorded': ['sessions', 'shares'],
  'objection.changed': ['sessions', 'shares'],
  'request.changed': ['sessions', 'shares'],
  'share.offered': ['shares'],
  'share.accepted': ['shares'],
  'share.declined': ['shares'],
  'share.begun': ['shares'],
  'share.agreed': ['shares', 'periods'],
  'share.confirmed': ['shares', 'periods'],
  'share.changed': ['shares'],
  'share.ended': ['shares', 'sessions'],
  'invitation.changed': ['shares'],
  'invitation.accepted': ['shares'],
  'handover.changed': ['assets', 'periods', 'shares'],
  'manager.changed': ['assets', 'shares'],
  'person.changed': ['shares', 'deposits'],
  'meter.changed': ['meters', 'shares'],
  'meter.heard': ['meters'],
  'meter.answered': ['meters', 'shares'],
  'asset.added': ['assets'],
  'asset.changed': ['assets', 'sessions'],
  'asset.deleted': ['assets', 'periods', 'sessions', 'shares'],
  'price.changed': ['assets', 'periods', 'shares'],
  'terms.changed': ['assets', 'periods', 'shares'],
  'cost.changed': ['costs'],
  'renewal.changed': ['renewals'],
  'period.confirmed': ['periods', 'shares'],
  'period.closed': ['assets', 'periods', 'shares'],
  'lines.marked': ['marks', 'settlements'],
  'settlement.changed': ['settlements', 'marks'],
  'deposit.changed': ['deposits'],
  'account.changed': [
    'accessTokens',
    'calendar',
    'identities',
    'noticeChoices',
    'noticeTargets',
    'passkeys',
    'signIns',
    'trustedOwners',
    'twoStep',
  ],
  'account.signed_in': ['signIns'],
  'account.password_changed': ['passkeys', 'signIns'],
  'account.email_changed': ['signIns'],
  'tokens.revoked': ['accessTokens'],
  'account.deleted': ['assets', 'deposits', 'periods', 'settlements', 'shares'],
  'notices.changed': ['notices'],
};

/** Long enough for the events of one action, short enough that no one notices. */
const GATHER_MS = 60;
/** A slow server isn't asked again meanwhile, and a request that hangs doesn't delay later ones. */
const READING_MAX_MS = 5_000;
/** Answers to what the user is doing come first, but don't delay others' changes for long. */
const OWN_ACTION_MAX_MS = 2_000;
const OWN_ACTION_STEP_MS = 100;
/** How long after the user marked charges an event is taken for that of the mark. */
const OWN_MARK_SECONDS = 10;

const wait = (milliseconds: number) => new Promise<void>((resolve) => void setTimeout(resolve, milliseconds));

/**
 * Returns what takes the server's events: it reads again what they change, once for many, and only while the page is shown. A page
 * that is hidden catches up when it is shown again.
 */
export function eventApplier(client: QueryClient): { take: (event: ServerEvent) => void; stop: () => void } {
  let kinds = new Set<string>();
  let isEverything = false;
  let running = false;
  let stopped = false;
  let hasBegun = false;
  // Off after a second reset, which may mean another database: its ids say nothing about what was read before.
  let canSkip = true;
  /** Whether all that this page has read is as new as an event. */
  const isRead = ({ id }: ServerEvent) => canSkip && id !== undefined && Number(id) <= Number(readSince());

  async function readAgain(): Promise<void> {
    const [taken, all] = [kinds, isEverything];
    kinds = new Set();
    isEverything = false;
    if (all || [...taken].some((kind) => kind.startsWith('account.') && kind !== 'account.deleted')) {
      refreshUserInBackground();
    }
    const reading = all ? client.invalidateQueries() : applyChanges(client, changesAfter(taken));
    await Promise.race([reading, wait(READING_MAX_MS)]);
  }

  async function run(): Promise<void> {
    if (running) return;
    running = true;
    while ((kinds.size > 0 || isEverything) && !document.hidden) {
      await wait(GATHER_MS);
      for (let waited = 0; client.isMutating() > 0 && waited < OWN_ACTION_MAX_MS; waited += OWN_ACTION_STEP_MS)
        await wait(OWN_ACTION_STEP_MS);
      // Signing out clears the cache, and nothing must be read after it.
      if (stopped || currentSignIn() === null) break;
      await readAgain();
    }
    running = false;
  }

  const catchUp = () => void run();
  document.addEventListener('visibilitychange', catchUp);
  return {
    take: (event) => {
      const { name } = event;
      const isFirst = !hasBegun;
      hasBegun ||= name === 'ready' || name === 'reset';
      if (name === 'reset') {
        if (isFirst && isRead(event)) refreshUserInBackground();
        else {
          isEverything = true;
          canSkip = isFirst;
        }
        // The user isn't read with a page.
      } else if (name !== 'ready' && (!isRead(event) || name.startsWith('account.'))) kinds.add(name);
      void run();
    },
    stop: () => {
      stopped = true;
      document.removeEventListener('visibilitychange', catchUp);
    },
  };
}

function changesAfter(kinds: ReadonlySet<string>): ReadonlySet<Change> {
  const changes = new Set<Change>();
  for (const kind of kinds)
    for (const change of changesOf[kind] ?? []) {
      // Balances that are read again don't show a charge that the user has just marked as paid, with which it is undone.
      const isOwnMark = kind === 'lines.marked' && change === 'settlements' && hasJustMade('marks', OWN_MARK_SECONDS);
      if (!isOwnMark) changes.add(change);
    }
  return changes;
}
