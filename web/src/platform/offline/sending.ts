import { ApiError, isUnanswered } from '../http/errors.ts';
import { randomId } from '../http/random-id.ts';
import { errorText } from '../i18n/error-texts.ts';
import { withLock } from '../live/tab-lock.ts';
import { queue, storeWith, type Outcome, type Press } from './queue.ts';
import type { StoredValue } from './storage.ts';

// Stores starts and ends that were pressed offline, and sends them in order once online
// (docs/decisions/0090-offline.md).

export interface StoredQueue<Result> {
  presses: (Press & { id: string })[];
  outcomes: Outcome<Result>[];
}

interface Options<Result> {
  userId: number;
  stored: StoredValue<StoredQueue<Result>>;
  send: (press: Press) => Promise<Result>;
  /** Reads again what the presses that were sent have changed. */
  onSent: () => Promise<void>;
  onOutcomes: (outcomes: Outcome<Result>[]) => void;
}

/** More than anyone presses in a day offline. */
const MAX_OUTCOMES = 50;

const RETRY_MS = 15_000;

/** Returns whether the server may take it later: it wasn't reached, is overloaded or broken, or wants another sign-in. */
const mayHelpLater = (error: unknown) =>
  isUnanswered(error) || !(error instanceof ApiError) || [401, 408, 429].includes(error.status) || error.status >= 500;

/** Stores and sends a user's presses, also those that another tab or an earlier page load has stored. */
export class PressSender<Result> {
  readonly #options: Options<Result>;
  readonly #channel: BroadcastChannel;
  #sending: Promise<void> | undefined;
  #stops: (() => void)[] = [];

  constructor(options: Options<Result>) {
    this.#options = options;
    this.#channel = new BroadcastChannel(`hourshare_queue_${options.userId}`);
  }

  /** Stores and sends presses until it is stopped, also those that are stored already. */
  async start(): Promise<void> {
    this.#channel.addEventListener('message', () => void this.#read());
    const timer = setInterval(() => void this.send(), RETRY_MS);
    this.#stops = [storeWith((press) => this.#store(press)), () => clearInterval(timer)];
    await this.#read();
    await this.send();
  }

  stop(): void {
    for (const stop of this.#stops) stop();
    this.#channel.close();
    queue.set([]);
  }

  /**
   * Sends the waiting presses, in order, until the server can't be reached; one tab at a time. Without locks, the server takes
   * presses that arrive twice for one.
   */
  send(): Promise<void> {
    if (queue.get().length === 0) return Promise.resolve();
    this.#sending ??= withLock(`hourshare-queue-${this.#options.userId}`, () => this.#sendAll()).finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  async forgetOutcomes(): Promise<void> {
    await this.#change(({ presses }) => ({ presses, outcomes: [] }));
  }

  async #store(press: Press): Promise<boolean> {
    try {
      await this.#change(({ presses, outcomes }) => ({
        presses: [...presses, { ...press, id: randomId() }],
        outcomes,
      }));
    } catch {
      // Without storage, the press fails as it would without this.
      return false;
    }
    return true;
  }

  async #sendAll(): Promise<void> {
    let isChanged = false;
    for (;;) {
      const [press] = (await this.#read()).presses;
      if (!press) break;
      const { id, shareId, asset, verb, at } = press;
      const outcome: Outcome<Result> = { id, shareId, asset, verb, at: new Date(at).toISOString(), result: null };
      try {
        outcome.result = await this.#options.send(press);
      } catch (error) {
        if (mayHelpLater(error)) break;
        outcome.reason = errorText(error);
      }
      isChanged = true;
      await this.#change(({ presses, outcomes }) => ({
        presses: presses.filter((each) => each.id !== id),
        outcomes: [...outcomes, outcome].slice(-MAX_OUTCOMES),
      }));
    }
    if (isChanged) await this.#options.onSent();
  }

  async #change(change: (stored: StoredQueue<Result>) => StoredQueue<Result>): Promise<void> {
    await this.#options.stored.update((stored) => change(stored ?? { presses: [], outcomes: [] }));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has only its own origin
    this.#channel.postMessage('changed');
    await this.#read();
  }

  async #read(): Promise<StoredQueue<Result>> {
    const stored = (await this.#options.stored.get()) ?? { presses: [], outcomes: [] };
    queue.set(stored.presses);
    this.#options.onOutcomes(stored.outcomes);
    return stored;
  }
}
