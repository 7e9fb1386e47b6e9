import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Clock, Uptime } from '../clock.ts';
import { fail, type Failure } from '../result.ts';
import { whenClosed } from './closing.ts';

/** How many streams a user, and a user's scripts, may have open on one server. Tabs share one, so this is about devices. */
const STREAMS_PER_USER = 6;
const STREAMS_MAX = 5000;
/** Proxies cut off connections that are silent for 30 seconds or more. */
const HEARTBEAT_MILLISECONDS = 20_000;
/**
 * What a client that doesn't read may have waiting, besides what the kernel buffers; it then reconnects and resumes.
 */
const WAITING_MAX_BYTES = 262_144;

/** Whose stream it is, and what it ends with. */
export interface StreamOwner {
  userId: number;
  /** The handle of the sign-in that opened it; undefined if a script did. */
  signIn?: string;
  /** The id of the token of the script that opened it. */
  token?: number;
  /** When the access token expires that it was opened with. */
  expiresAt: Date;
}

export interface Message {
  name: string;
  /** What the client resumes after. */
  id: number;
  data: object;
}

export interface EventStream extends StreamOwner {
  /** What is sent to the client. */
  body: Readable;
  /**
   * Sends these, and then what was published since the stream was opened and comes after them, which is buffered until
   * then.
   */
  begin: (messages: Message[]) => void;
  end: () => void;
}

/** The open streams of this process, whatever their events are about. */
export interface EventStreams {
  /** The newest message that this process has sent to its streams; undefined until it has started to. */
  lastId: number | undefined;
  /** Opens a stream, or returns why the user can't have another. It counts until its response is closed. */
  open: (reply: FastifyReply, owner: StreamOwner) => EventStream | Failure;
  /** Sends a message to each stream of these users that hasn't had it. */
  publish: (userIds: Iterable<number>, message: Message) => void;
  /** Ends the streams of these sign-ins. */
  endSignIns: (signIns: Iterable<string>) => void;
  /** Ends the streams of scripts with these tokens. */
  endTokens: (tokens: Iterable<number>) => void;
  /** Ends all streams; their clients reconnect. */
  endAll: () => void;
  /** The owners of all open streams. */
  owners: () => StreamOwner[];
  count: () => number;
  /** Sends due heartbeats and ends streams whose access token has expired; called every second. */
  tick: () => void;
  /** Ends all streams, and refuses others from now on. */
  close: () => void;
}

const STOPPING = fail('unavailable', { retryAfterSeconds: 2 });
const FULL = fail('unavailable', { retryAfterSeconds: 30 });
const TOO_MANY = fail('rate_limited', { retryAfterSeconds: 10 });

const textOf = ({ name, id, data }: Message): string => `event: ${name}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;

interface OpenStream extends EventStream {
  /** The id of the last message that was sent, or that the client had before. */
  position: number;
  /** What was published before `begin`. */
  held: Message[] | undefined;
  wroteAt: number;
}

export function createEventStreams({ clock, uptime }: { clock: Clock; uptime: Uptime }): EventStreams {
  const all = new Set<OpenStream>();
  const byUser = new Map<number, Set<OpenStream>>();
  let closed = false;

  function write(stream: OpenStream, text: string): void {
    if (stream.body.destroyed) return;
    stream.wroteAt = uptime();
    stream.body.push(text);
  }

  function send(stream: OpenStream, message: Message): void {
    if (message.id <= stream.position) return;
    stream.position = message.id;
    write(stream, textOf(message));
    if (stream.body.readableLength > WAITING_MAX_BYTES) cutOff(stream);
  }

  function cutOff(stream: OpenStream): void {
    forget(stream);
    stream.body.destroy();
  }

  function forget(stream: OpenStream): void {
    all.delete(stream);
    const others = byUser.get(stream.userId);
    others?.delete(stream);
    if (others?.size === 0) byUser.delete(stream.userId);
  }

  return {
    lastId: undefined,
    open(reply, owner) {
      if (closed) return STOPPING;
      const others = byUser.get(owner.userId) ?? new Set();
      const isOfSame = ({ token }: OpenStream) => (token === undefined) === (owner.token === undefined);
      if ([...others].filter(isOfSame).length >= STREAMS_PER_USER) return TOO_MANY;
      if (all.size >= STREAMS_MAX) return FULL;
      const stream: OpenStream = {
        ...owner,
        body: new Readable({ read: () => undefined }),
        position: 0,
        held: [],
        wroteAt: uptime(),
        begin(messages) {
          for (const message of messages) write(stream, textOf(message));
          stream.position = messages.at(-1)?.id ?? stream.position;
          const held = stream.held ?? [];
          stream.held = undefined;
          for (const message of held) send(stream, message);
        },
        end() {
          forget(stream);
          if (!stream.body.destroyed) stream.body.push(null);
        },
      };
      all.add(stream);
      byUser.set(owner.userId, others.add(stream));
      whenClosed(reply, () => forget(stream));
      return stream;
    },
    publish(userIds, message) {
      for (const userId of userIds)
        for (const stream of byUser.get(userId) ?? []) {
          if (stream.held) stream.held.push(message);
          else send(stream, message);
        }
    },
    endSignIns(signIns) {
      const ended = new Set(signIns);
      for (const stream of all) if (stream.signIn !== undefined && ended.has(stream.signIn)) stream.end();
    },
    endTokens(tokens) {
      const ended = new Set(tokens);
      for (const stream of all) if (stream.token !== undefined && ended.has(stream.token)) stream.end();
    },
    endAll() {
      for (const stream of all) stream.end();
    },
    owners: () => [...all],
    count: () => all.size,
    tick() {
      const now = clock();
      for (const stream of all) {
        if (stream.expiresAt <= now) stream.end();
        else if (!stream.held && uptime() - stream.wroteAt >= HEARTBEAT_MILLISECONDS) write(stream, ': still here\n\n');
      }
    },
    close() {
      closed = true;
      for (const stream of all) stream.end();
    },
  };
}
