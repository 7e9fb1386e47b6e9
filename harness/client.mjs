import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

// How people's devices call the servers: they repeat what got no answer, with the same key, until they get one.
// Hand-written because HTTP clients hide lost answers instead of causing them.

/** What must never happen. */
export class Violation extends Error {}

/** @param {boolean} holds @param {() => string} sentence */
export function must(holds, sentence) {
  if (!holds) throw new Violation(sentence());
}

/**
 * `unsure` if an earlier attempt got no answer, or a 503, so that the server may have done what it was asked already.
 *
 * @typedef {{ status: number, body: any, text: string, unsure: boolean }} Answer
 */
/** @typedef {{ method: string, path: string, body?: object | undefined, access?: string | undefined, loseAfterMs?: number | undefined }} Message */

const ANSWER_WITHIN_MS = 20_000;
const REPEAT_WITHIN_MS = 90_000;

/** @param {string[]} urls of all servers, any of which may be down */
export function createClient(urls) {
  const agent = new Agent({ keepAlive: true });
  const counts = { requests: 0, unanswered: 0, unavailable: 0, longestMs: 0 };
  let turn = 0;

  /** Returns undefined if no answer arrived. @param {Message} message @param {string} key @param {number | undefined} loseAfterMs */
  async function attempt({ method, path, body, access }, key, loseAfterMs) {
    const url = urls[turn++ % urls.length];
    counts.requests += 1;
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      ...(method === 'GET' ? {} : { 'idempotency-key': key }),
      ...(access === undefined ? {} : { authorization: `Bearer ${access}` }),
      ...(payload === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
    };
    const sent = request(`${url}${path}`, { method, headers, agent });
    const giveUp = (/** @type {number} */ milliseconds) =>
      setTimeout(() => sent.destroy(new Error('given up')), milliseconds);
    const startedAt = performance.now();
    const timers = [giveUp(ANSWER_WITHIN_MS), ...(loseAfterMs === undefined ? [] : [giveUp(loseAfterMs)])];
    try {
      sent.end(payload);
      const [answer] = /** @type {[import('node:http').IncomingMessage]} */ (await once(sent, 'response'));
      return { status: answer.statusCode ?? 0, headers: answer.headers, text: await text(answer) };
    } catch {
      return undefined;
    } finally {
      for (const timer of timers) clearTimeout(timer);
      counts.longestMs = Math.max(counts.longestMs, performance.now() - startedAt);
    }
  }

  /**
   * Sends a request until there is an answer other than 503.
   *
   * @param {Message} message
   * @param {string} [key] the same for a request that is sent again with another token
   * @returns {Promise<Answer>}
   */
  async function send(message, key = randomUUID()) {
    const what = `${message.method} ${message.path}`;
    const endsAt = performance.now() + REPEAT_WITHIN_MS;
    let { loseAfterMs } = message;
    for (let unsure = false; ; unsure = true) {
      const answer = await attempt(message, key, loseAfterMs);
      loseAfterMs = undefined;
      if (answer && answer.status !== 503) {
        if (answer.status >= 500) throw new Violation(`${what} answered ${answer.status}: ${answer.text}`);
        const isJson = answer.headers['content-type']?.startsWith('application/json') === true;
        return { ...answer, body: isJson && answer.text !== '' ? JSON.parse(answer.text) : undefined, unsure };
      }
      if (answer) counts.unavailable += 1;
      else counts.unanswered += 1;
      if (answer && answer.headers['retry-after'] === undefined)
        throw new Violation(`${what} answered 503 without Retry-After: ${answer.text}`);
      if (performance.now() > endsAt)
        throw new Violation(
          `${what} had no answer but ${answer ? `503 (${answer.text})` : 'none'} for ${REPEAT_WITHIN_MS / 1000} s.`,
        );
      await pause(100);
    }
  }

  return { send, counts, close: () => agent.destroy() };
}
