import type { Deps } from '../../../deps.ts';
import { coalesced } from '../../../platform/coalesced.ts';
import { repeat } from '../../../platform/jobs.ts';
import { oncePerMinute } from '../../../platform/throttle.ts';
import { deleteOldUpdates, dispatchAll, dispatchWaiting } from '../dispatch/service.ts';
import { checkStreams, sendNewUpdates } from './service.ts';

const PAUSE_MIN_MILLISECONDS = 50;
const PAUSE_MAX_MILLISECONDS = 250;
/** For what a server that was killed left behind. */
const DISPATCH_EVERY_MILLISECONDS = 3000;
const TICK_EVERY_MILLISECONDS = 1000;
const CHECK_EVERY_MILLISECONDS = 60_000;
const CLEANUP_EVERY_MILLISECONDS = 3_600_000;

/**
 * Passing on takes about ten statements even for one message, so the messages of a burst share them. The pause grows with the
 * pass: under load, passing on would otherwise slow those who press Start and End.
 */
const pauseAfter = (milliseconds: number): number =>
  Math.min(PAUSE_MAX_MILLISECONDS, Math.max(PAUSE_MIN_MILLISECONDS, 3 * milliseconds));

/** Tells of new live updates that other servers added; `works` is false while it doesn't, so that they are looked for. */
interface OtherServers {
  works: () => boolean;
  stop: () => Promise<void>;
}

/**
 * Passes on messages from now on, and keeps the open streams. `listenToOthers` is for servers that share a database. Returns a
 * function that stops both.
 */
export function startLiveUpdates(
  deps: Deps,
  listenToOthers?: (onNews: () => void) => OtherServers,
): () => Promise<void> {
  const logFailure = oncePerMinute((error: unknown) =>
    deps.log.error({ err: error }, 'outbox messages could not be passed on'),
  );
  let stopped = false;
  const sendNews = coalesced(async () => {
    if (!stopped) await sendNewUpdates(deps);
  });
  const dispatch = coalesced(async () => {
    if (stopped) return;
    await dispatchAll(deps);
    await sendNews();
  }, pauseAfter);
  const inBackground = (work: () => Promise<void>) => () => {
    if (!stopped) work().catch(logFailure);
  };
  deps.wakeDispatcher = inBackground(dispatch);
  const others = listenToOthers?.(inBackground(sendNews));
  const ticking = setInterval(() => {
    deps.streams.tick();
    if (others && !others.works()) inBackground(sendNews)();
  }, TICK_EVERY_MILLISECONDS).unref();
  const jobs = [
    repeat(
      'pass on messages',
      DISPATCH_EVERY_MILLISECONDS,
      async () => {
        await dispatchWaiting(deps);
        await sendNews();
      },
      deps,
    ),
    repeat('check event streams', CHECK_EVERY_MILLISECONDS, () => checkStreams(deps), deps),
    repeat('delete old live updates', CLEANUP_EVERY_MILLISECONDS, () => deleteOldUpdates(deps), deps),
  ];
  return async () => {
    // What commits from now on is passed on after the next start.
    stopped = true;
    clearInterval(ticking);
    deps.wakeDispatcher = () => undefined;
    await Promise.all([others?.stop(), ...jobs.map((stop) => stop())]);
    // These do nothing more, after what is running.
    await Promise.all([dispatch(), sendNews()]);
  };
}
