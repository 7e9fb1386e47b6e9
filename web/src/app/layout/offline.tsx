import type { User } from '@hourshare/contract/accounts';
import { useIsMutating, useQueryClient } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { keepPushOn } from '../../features/notifications/push.ts';
import { Holder, type Held, type Outcome } from '../../features/sessions/offline-presses.ts';
import { followUpdates, keepVersion, loadNewVersion, ownScript } from '../../platform/offline/app-updates.ts';
import { onConnectionChange } from '../../platform/http/connection.ts';
import { askBeforeLosing } from '../../platform/offline/queue.ts';
import { keptPresses, keptState } from '../../platform/offline/storage.ts';
import { keepState, type LastState } from '../../platform/offline/query-persistence.ts';
import { logError } from '../../platform/log.ts';
import { t } from '../../platform/i18n/messages.ts';
import { paths, shareDialog } from '../../platform/paths.ts';
import { serviceWorkerReady, serviceWorkers } from '../../platform/offline/worker.ts';
import { durationText, momentText } from '../../platform/format/time.ts';
import { forgetUnsaved, hasUnsaved, loseEdits, useUnsavedForms } from '../../platform/forms/unsaved.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

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
              onClick={() => loseEdits(() => reload(newVersion))}
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

/** Keeps what was last read and what was pressed offline. Returns what became of the presses that were sent. */
function useOfflineData(userId: number) {
  const client = useQueryClient();
  const [outcomes, setOutcomes] = useState<Outcome[]>([]);
  const holder = useRef<Holder>(null);
  useEffect(() => {
    const held = new Holder({ client, userId, kept: keptPresses<Held>(userId), onOutcomes: setOutcomes });
    holder.current = held;
    const state = { client, kept: keptState<LastState>(userId), build: ownScript() };
    const stops = [
      keepState(state, () => held.showPresses()),
      onConnectionChange(() => void held.send()),
      () => held.stop(),
    ];
    // Without storage, the app works as it did without this.
    held.start().catch(() => undefined);
    return () => stops.forEach((stop) => stop());
  }, [client, userId]);
  return { outcomes, forget: () => void holder.current?.forgetOutcomes() };
}

/** Text in a dialog may not count as an edit yet, and its other parts may not be loaded. */
const hasDialog = () => document.querySelector('[role$=dialog]') !== null;

function onDialogChange(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => observer.disconnect();
}

/** Returns the registration in which a new version of the app waits. */
function useNewVersion(): ServiceWorkerRegistration | null {
  const client = useQueryClient();
  const [waiting, setWaiting] = useState<ServiceWorkerRegistration | null>(null);
  const hasEdits = useUnsavedForms().forms.length > 0;
  const isChanging = useIsMutating() > 0;
  const isBusy = useSyncExternalStore(onDialogChange, hasDialog) || hasEdits || isChanging;
  useEffect(() => {
    let stop = () => {};
    let isGone = false;
    const isIdle = () => !hasUnsaved() && client.isMutating() === 0 && !hasDialog();
    void serviceWorkerReady().then((registration) => {
      if (!registration || isGone) return;
      stop = followUpdates({ registration, isIdle, onReady: () => setWaiting(registration) });
    });
    return () => {
      isGone = true;
      stop();
    };
  }, [client]);
  useEffect(() => (isBusy && (navigator as Partial<Navigator>).locks ? keepVersion() : undefined), [isBusy]);
  return waiting;
}

/** Asks before a sign-out erases presses that weren't sent. */
function SignOutQuestion() {
  const [action, setAction] = useState<{ proceed: () => void } | null>(null);
  useEffect(() => askBeforeLosing((proceed) => setAction({ proceed })), []);
  if (!action) return null;
  return (
    <ConfirmDialog
      title={t('Sign out?')}
      confirm={t('Sign Out')}
      onConfirm={() => {
        setAction(null);
        action.proceed();
      }}
      onCancel={() => setAction(null)}
    >
      <p>{t("What you started or ended offline hasn't been sent yet. If you sign out now, it won't be recorded.")}</p>
    </ConfirmDialog>
  );
}

/** Loads a new version, whatever was typed. */
function reload(newVersion: ServiceWorkerRegistration): void {
  forgetUnsaved();
  void loadNewVersion(newVersion);
}

/** Keeps push messages coming to a device where they are on. */
function usePush(): void {
  useEffect(() => {
    const keep = () => void keepPushOn().catch((error: unknown) => logError('Push could not be kept on', error));
    const workers = serviceWorkers();
    const changed = ({ data }: MessageEvent<{ type?: string } | null>) => {
      if (data?.type === 'push') keep();
    };
    keep();
    workers?.addEventListener('message', changed);
    return () => workers?.removeEventListener('message', changed);
  }, []);
}

/** Goes where a pressed push message leads; edits are asked about as on any other way. */
function useOpenedNotices(): void {
  const { history } = useRouter();
  useEffect(() => {
    const workers = serviceWorkers();
    const open = ({ data, ports }: MessageEvent<{ type?: string; path?: string } | null>) => {
      if (data?.type !== 'open' || data.path === undefined) return;
      ports[0]?.postMessage(true);
      history.push(data.path);
    };
    workers?.addEventListener('message', open);
    return () => workers?.removeEventListener('message', open);
  }, [history]);
}

const Report = ({ outcomes, onDismiss }: { outcomes: Outcome[]; onDismiss: () => void }) => (
  <section aria-labelledby="offline-report" className="rounded-card border border-line bg-surface px-4.5 py-3.5">
    <h2 id="offline-report" className="font-semibold">
      {t('What you did offline')}
    </h2>
    <ul className="mt-1.5 grid gap-1.5 text-[14.5px]">
      {outcomes.map((outcome) => (
        <li key={outcome.id} className="flex gap-2.5">
          {outcome.session ? (
            <CircleCheck aria-hidden size={18} className="mt-0.5 shrink-0 text-accent-text" />
          ) : (
            <CircleAlert aria-hidden size={18} className="mt-0.5 shrink-0 text-over-text" />
          )}
          <p className="min-w-0 flex-1 [overflow-wrap:anywhere]">
            {outcomeText(outcome)}{' '}
            {!outcome.session && (
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

function outcomeText({ asset, verb, at, session, reason = '' }: Outcome): string {
  const when = momentText(at);
  if (!session)
    return verb === 'start'
      ? t("{asset}: the start {when} wasn't recorded. {reason}", { asset, when, reason })
      : t("{asset}: the end {when} wasn't recorded. {reason}", { asset, when, reason });
  if (verb === 'start') return t('{asset}: started {when}', { asset, when: momentText(session.start_time) });
  const duration = durationText(session.duration ?? 0);
  return t('{asset}: ended {when}, after {duration}', { asset, when: momentText(session.end_time ?? at), duration });
}
