import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

// Event streams that come back, as those of devices do. Hand-written because EventSource isn't in Node.js 20.

/** @typedef {{ name: string, id: number, data: any }} Message */

/**
 * Follows the events of a person, and resumes where the stream ended.
 *
 * @param {string} url of the server
 * @param {() => string} access token
 * @param {(name: string) => void} [onMessage]
 */
export function followEvents(url, access, onMessage = () => {}) {
  const agent = new Agent();
  /** @type {Message[]} */
  const messages = [];
  const state = { isOpen: false, isOver: false, resets: 0, opened: 0 };
  /** @type {number | undefined} */
  let lastId;
  /** @type {import('node:http').ClientRequest | undefined} */
  let sent;

  async function readOne() {
    const resume = lastId === undefined ? {} : { 'last-event-id': String(lastId) };
    sent = request(`${url}/api/events/`, { agent, headers: { authorization: `Bearer ${access()}`, ...resume } });
    // A server that ends may reset the connection at any moment.
    sent.on('error', () => {});
    sent.end();
    const [answer] = /** @type {[import('node:http').IncomingMessage]} */ (await once(sent, 'response'));
    answer.on('error', () => {});
    if (answer.statusCode !== 200) {
      answer.resume();
      return;
    }
    let rest = '';
    for await (const part of answer.setEncoding('utf8')) {
      const blocks = (rest + part).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const [, name = '', id = '', data = ''] = /^event: (.+)\nid: (\d+)\ndata: (.+)$/.exec(block) ?? [];
        if (name === '') continue;
        lastId = Number(id);
        if (name === 'ready') {
          state.isOpen = true;
          state.opened += 1;
        } else if (name === 'reset') state.resets += 1;
        else {
          messages.push({ name, id: lastId, data: JSON.parse(data) });
          onMessage(name);
        }
      }
    }
  }

  const ended = (async () => {
    while (!state.isOver) {
      await readOne().catch(() => undefined);
      state.isOpen = false;
      // Not all at once.
      if (!state.isOver) await pause(250 + Math.random() * 500);
    }
  })();

  return {
    messages,
    state,
    close: async () => {
      state.isOver = true;
      sent?.destroy();
      await ended;
      agent.destroy();
    },
  };
}
