/** A message of an event stream, as a client reads it. */
export interface ReadMessage {
  name: string;
  id: number;
  data: Record<string, unknown>;
}

/** An open event stream. */
export interface EventClient {
  status: number;
  headers: Headers;
  /** Every message so far. */
  messages: ReadMessage[];
  /** How many comments have arrived. */
  comments: () => number;
  /** Waits until the messages fulfill a condition; fails if the stream ends before. */
  until: (condition: (messages: ReadMessage[]) => boolean) => Promise<ReadMessage[]>;
  /** Waits until a comment has arrived. */
  comment: () => Promise<void>;
  /** Waits until the server has ended the stream. */
  ended: Promise<void>;
  close: () => void;
}

/** Opens the event stream of a server with an access token, after an event if its id is given. */
export async function openEvents(
  origin: string,
  token: string,
  { after, headers = {} }: { after?: number | string; headers?: Record<string, string> } = {},
): Promise<EventClient> {
  const abort = new AbortController();
  const response = await fetch(`${origin}/api/events/`, {
    headers: {
      authorization: `Bearer ${token}`,
      ...(after === undefined ? {} : { 'last-event-id': String(after) }),
      ...headers,
    },
    signal: abort.signal,
  });
  const messages: ReadMessage[] = [];
  let comments = 0;
  let isOver = false;
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const each of waiting) each();
  };

  async function read(): Promise<void> {
    let rest = '';
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body ?? []) {
        const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) {
          if (block.startsWith(':')) comments += 1;
          else {
            const [, name = '', id = '', data = ''] = /^event: (.+)\nid: (\d+)\ndata: (.+)$/.exec(block) ?? [];
            messages.push({ name, id: Number(id), data: JSON.parse(data) as Record<string, unknown> });
          }
        }
        wake();
      }
    } catch {
      // It was cut off, by either side.
    }
    isOver = true;
    wake();
  }
  const ended = read();

  const waitFor = (isTrue: () => boolean) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (!isTrue() && !isOver) return;
        waiting.delete(look);
        if (isTrue()) resolve();
        else reject(new Error(`The stream ended after ${messages.map(({ name }) => name).join(', ')}.`));
      };
      waiting.add(look);
      look();
    });

  return {
    status: response.status,
    headers: response.headers,
    messages,
    comments: () => comments,
    until: async (condition) => {
      await waitFor(() => condition(messages));
      return messages;
    },
    comment: () => waitFor(() => comments > 0),
    ended,
    close: () => abort.abort(),
  };
}
