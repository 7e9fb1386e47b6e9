import type { Session } from '@hourshare/contract/sessions';
import { hashKey, type QueryClient } from '@tanstack/react-query';
import { announceChange } from '../../platform/live/changes.ts';
import { errorText } from '../../platform/i18n/error-texts.ts';
import { heldPresses, holdWith, setHeldPresses, type HeldPress } from '../../platform/offline/queue.ts';
import { call } from '../../platform/http/call.ts';
import { ApiError, isUnanswered, NoConnection } from '../../platform/http/errors.ts';
import { withLock } from '../../platform/live/tab-lock.ts';
import { randomId } from '../../platform/http/random-id.ts';
import { serverNow } from '../../platform/http/server-clock.ts';
import type { KeptValue } from '../../platform/offline/storage.ts';
import { sharesQuery } from '../shares/api.ts';
import { setRunning } from './api.ts';

// Stores starts and ends that were pressed offline, and sends them in order once online
// (docs/decisions/0090-offline.md).

/** The outcome of a press that was sent. */
export interface Outcome {
  id: string;
  shareId: number;
  asset: string;
  verb: HeldPress['verb'];
  /** When it was pressed, as an instant. */
  at: string;
  /** Null if the server refused it. */
  session: Pick<Session, 'id' | 'start_time' | 'end_time' | 'duration'> | null;
  /** Why it was refused, in the language of the page then. */
  reason?: string;
}

export interface Held {
  presses: (HeldPress & { id: string })[];
  outcomes: Outcome[];
}

/** More than anyone presses in a day offline. */
const MAX_OUTCOMES = 50;

const RETRY_MS = 15_000;

interface HolderOptions {
  client: QueryClient;
  userId: number;
  kept: KeptValue<Held>;
  onOutcomes: (outcomes: Outcome[]) => void;
}

const instant = (at: number) => new Date(at).toISOString();

/** Returns whether the server may take it later: it wasn't reached, is overloaded or broken, or wants another sign-in. */
const mayHelpLater = (error: unknown) =>
  isUnanswered(error) || !(error instanceof ApiError) || [401, 408, 429].includes(error.status) || error.status >= 500;

/** Sends a press. The time of sending is new each time, because the server counts back from it. */
async function send({ shareId, verb, at }: HeldPress): Promise<Session> {
  const input = { params: { id: shareId }, body: { at: instant(at), client_time: instant(Math.max(at, Date.now())) } };
  const session = await (verb === 'start'
    ? call('POST /api/shared-assets/{id}/late-start/', input)
    : call('POST /api/shared-assets/{id}/late-end/', input));
  // Such as the JSON of something in between.
  if (!('id' in session)) throw new NoConnection();
  return session;
}

/** Stores and sends a user's presses, also those that another tab or an earlier page load has stored. */
export class Holder {
  readonly #options: HolderOptions;
  readonly #channel: BroadcastChannel;
  #sending: Promise<void> | undefined;
  #stops: (() => void)[] = [];

  constructor(options: HolderOptions) {
    this.#options = options;
    this.#channel = new BroadcastChannel(`hourshare_held_${options.userId}`);
  }

  /** Shows stored presses, and stores and sends presses until it is stopped. */
  async start(): Promise<void> {
    const { client } = this.#options;
    this.#channel.addEventListener('message', () => void this.#show());
    const sharesHash = hashKey(sharesQuery.queryKey);
    this.#stops = [
      holdWith((press) => this.#hold(press)),
      // The server doesn't know of them yet, so its answers lack them.
      client.getQueryCache().subscribe(({ type, query, ...event }) => {
        const action = 'action' in event ? event.action : undefined;
        if (type === 'updated' && query.queryHash === sharesHash && action?.type === 'success' && !action.manual)
          this.showPresses();
      }),
    ];
    const timer = setInterval(() => void this.send(), RETRY_MS);
    this.#stops.push(() => clearInterval(timer));
    await this.#show();
    await this.send();
  }

  stop(): void {
    for (const stop of this.#stops) stop();
    this.#channel.close();
    setHeldPresses([]);
  }

  /** Shows in the list of shares what the presses will do. */
  showPresses(): void {
    for (const { shareId, verb, at } of heldPresses())
      setRunning(this.#options.client, shareId, {
        active_session: verb === 'start',
        active_since: verb === 'start' ? instant(at + serverNow() - Date.now()) : null,
      });
  }

  /**
   * Sends the waiting presses, in order, until the server can't be reached; one tab at a time. Without locks, the server takes
   * presses that arrive twice for one.
   */
  send(): Promise<void> {
    if (heldPresses().length === 0) return Promise.resolve();
    this.#sending ??= withLock(`hourshare-held-${this.#options.userId}`, () => this.#sendAll()).finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  async forgetOutcomes(): Promise<void> {
    await this.#change(({ presses }) => ({ presses, outcomes: [] }));
  }

  async #hold(press: HeldPress): Promise<boolean> {
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
      const outcome: Outcome = { id, shareId, asset, verb, at: instant(at), session: null };
      try {
        outcome.session = await send(press);
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
    if (isChanged) await announceChange(this.#options.client, 'sessions');
  }

  async #read(): Promise<Held> {
    return (await this.#options.kept.get()) ?? { presses: [], outcomes: [] };
  }

  async #change(change: (held: Held) => Held): Promise<void> {
    await this.#options.kept.update((held) => change(held ?? { presses: [], outcomes: [] }));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has only its own origin
    this.#channel.postMessage('changed');
    await this.#show();
  }

  async #show(): Promise<void> {
    const { presses, outcomes } = await this.#read();
    setHeldPresses(presses);
    this.showPresses();
    this.#options.onOutcomes(outcomes);
  }
}
