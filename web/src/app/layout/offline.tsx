import type { User } from '@hourshare/contract/users';
import type { Session } from '@hourshare/contract/sessions';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { keepPushOn } from '../../features/notifications/push.ts';
import { sendPress, showPresses } from '../../features/sessions/offline-presses.ts';
import { loseEdits } from '../../platform/forms/unsaved.ts';
import { durationText, momentText } from '../../platform/format/time.ts';
import { t } from '../../platform/i18n/messages.ts';
import { announceChange } from '../../platform/live/changes.ts';
import { logError } from '../../platform/log.ts';
import { useNewVersion } from '../../platform/offline/app-updates.ts';
import { startOffline } from '../../platform/offline/offline.ts';
import { askBeforeLosing, type Outcome } from '../../platform/offline/queue.ts';
import { onWorkerMessage } from '../../platform/offline/worker.ts';
import { paths, shareDialog } from '../../platform/paths.ts';
import { importConfirmDialog } from '../../ui/use-question.ts';

/** What the app needs to work without a connection, loaded once the page is usable: it shows nothing most of the time. */
export function Offline({ user }: { user: User }) {
  const { outcomes, forget } = useOfflineData(user.id);
  const newVersion = useNewVersion();
  useOpenedNotices();
  usePush();
  return (
    <>
      <SignOutQuestion />
      {/* Always mounted: a live region inserted together with its text is often not read. */}
      <div role="status" className="grid gap-3 px-3.5 not-empty:pt-4 md:px-6 lg:px-8 print:hidden">
        {outcomes.length > 0 && <Report outcomes={outcomes} onDismiss={forget} />}
        {newVersion && (
          <p className="flex flex-wrap items-center gap-x-3 text-[14px] text-muted">
            {t('A new version is ready.')}
            <button
              type="button"
              onClick={() => loseEdits(newVersion)}
              className="min-h-11 rounded-control px-2 font-semibold text-ink underline underline-offset-3"
            >
              {t('Reload')}
            </button>
          </p>
        )}
      </div>
    </>
  );
}

/** Works offline, and returns what became of the presses that were sent. */
function useOfflineData(userId: number) {
  const client = useQueryClient();
  const [outcomes, setOutcomes] = useState<Outcome<Session>[]>([]);
  const offline = useRef<{ forgetOutcomes: () => Promise<void> }>(null);
  useEffect(() => {
    const stopShowing = showPresses(client);
    const onSent = () => announceChange(client, 'sessions');
    const started = startOffline({ client, userId, send: sendPress, onSent, onOutcomes: setOutcomes });
    offline.current = started;
    return () => {
      stopShowing();
      started.stop();
    };
  }, [client, userId]);
  return { outcomes, forget: () => void offline.current?.forgetOutcomes() };
}

interface Question {
  ConfirmDialog: Awaited<ReturnType<typeof importConfirmDialog>>;
  proceed: () => void;
}

const lossText = () =>
  t("What you started or ended offline hasn't been sent yet. If you sign out now, it won't be recorded.");

/** Asks before a sign-out erases presses that weren't sent. */
function SignOutQuestion() {
  const [question, setQuestion] = useState<Question | null>(null);
  useEffect(
    () =>
      askBeforeLosing((proceed) => {
        importConfirmDialog().then(
          (ConfirmDialog) => setQuestion({ ConfirmDialog, proceed }),
          // Without a connection and a service worker.
          () => {
            // oxlint-disable-next-line no-alert -- all that is there
            if (window.confirm(lossText())) proceed();
          },
        );
      }),
    [],
  );
  if (!question) return null;
  const { ConfirmDialog, proceed } = question;
  return (
    <ConfirmDialog
      title={t('Sign out?')}
      confirm={t('Sign Out')}
      onConfirm={() => {
        setQuestion(null);
        proceed();
      }}
      onCancel={() => setQuestion(null)}
    >
      <p>{lossText()}</p>
    </ConfirmDialog>
  );
}

/** Keeps push messages coming to a device where they are on. */
function usePush(): void {
  useEffect(() => {
    const keep = () => void keepPushOn().catch((error: unknown) => logError('Push could not be kept on', error));
    keep();
    return onWorkerMessage('push', keep);
  }, []);
}

/** Goes where a pressed push message leads; edits are asked about as on any other way. */
function useOpenedNotices(): void {
  const { history } = useRouter();
  useEffect(
    () =>
      onWorkerMessage('open', ({ path }, ports) => {
        if (path === undefined) return;
        ports[0]?.postMessage(true);
        history.push(path);
      }),
    [history],
  );
}

const Report = ({ outcomes, onDismiss }: { outcomes: Outcome<Session>[]; onDismiss: () => void }) => (
  <section aria-labelledby="offline-report" className="rounded-card border border-line bg-surface px-4.5 py-3.5">
    <h2 id="offline-report" className="font-semibold">
      {t('What you did offline')}
    </h2>
    <ul className="mt-1.5 grid gap-1.5 text-[14.5px]">
      {outcomes.map((outcome) => (
        <li key={outcome.id} className="flex gap-2.5">
          {outcome.result ? (
            <CircleCheck aria-hidden size={18} className="mt-0.5 shrink-0 text-accent-text" />
          ) : (
            <CircleAlert aria-hidden size={18} className="mt-0.5 shrink-0 text-over-text" />
          )}
          <p className="min-w-0 flex-1 [overflow-wrap:anywhere]">
            {outcomeText(outcome)}{' '}
            {!outcome.result && (
              <Link
                to={paths.shared}
                search={shareDialog(outcome.shareId, 'usage')}
                state={{ opened: true }}
                className="font-semibold underline underline-offset-3"
              >
                {t('Check your sessions')}
              </Link>
            )}
          </p>
        </li>
      ))}
    </ul>
    <button
      type="button"
      onClick={onDismiss}
      className="mt-1 -ms-2 min-h-11 rounded-control px-2 font-semibold underline underline-offset-3"
    >
      {t('Got it')}
    </button>
  </section>
);

function outcomeText({ asset, verb, at, result: session, reason = '' }: Outcome<Session>): string {
  const when = momentText(at);
  if (!session)
    return verb === 'start'
      ? t("{asset}: the start {when} wasn't recorded. {reason}", { asset, when, reason })
      : t("{asset}: the end {when} wasn't recorded. {reason}", { asset, when, reason });
  if (verb === 'start') return t('{asset}: started {when}', { asset, when: momentText(session.start_time) });
  const duration = durationText(session.duration ?? 0);
  return t('{asset}: ended {when}, after {duration}', { asset, when: momentText(session.end_time ?? at), duration });
}
