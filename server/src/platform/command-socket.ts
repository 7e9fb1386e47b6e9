import { once } from 'node:events';
import { chmodSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import { SOCKET_NAME } from './data-folder.ts';
import { StartupError } from './startup-error.ts';

// The embedded database belongs to one process, so an administrator's command runs in the server if there is one. The socket
// is in the data folder, and only the server's own user can use it. The request is one line of JSON, the arguments; the response is
// lines of JSON: what to print, and finally the exit code.

/** A socket's path can have at most 104 bytes on macOS and 108 on Linux, including the final NUL. */
const PATH_MAX_BYTES = 103;
const REQUEST_MAX_BYTES = 4096;
const REQUEST_MILLISECONDS = 5000;
const CONNECTIONS_MAX = 8;

const Request = z.array(z.string());
const Answer = z.union([
  z.strictObject({ text: z.string(), isError: z.boolean() }),
  z.strictObject({ code: z.int().min(0).max(255) }),
]);

/** A line to print. */
export interface Output {
  text: string;
  isError: boolean;
}

/** Runs a command: yields lines to print, and returns the exit code. Never throws. */
export type RunCommand = (args: string[]) => AsyncGenerator<Output, number>;

/** Returns the path of a data folder's socket; undefined if there can't be one. */
function socketIn(dataDir: string): string | undefined {
  const path = join(resolve(dataDir), SOCKET_NAME);
  return process.platform === 'win32' || Buffer.byteLength(path) > PATH_MAX_BYTES ? undefined : path;
}

/**
 * Runs commands that arrive at the socket of the data folder, which this process must have locked. Returns a function that
 * stops listening and closes connections. If there can't be a socket, the server still works, and commands ask to stop it.
 */
export async function listenForCommands(dataDir: string, run: RunCommand, log: FastifyBaseLogger): Promise<() => void> {
  const path = socketIn(dataDir);
  if (path === undefined) {
    log.warn({ dataDir }, 'administrator commands only work while the server is stopped: no socket can be in DATA_DIR');
    return () => undefined;
  }
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)).on('error', () => undefined));
    void answer(socket, run);
  });
  server.maxConnections = CONNECTIONS_MAX;
  try {
    // A killed server may have left one behind.
    rmSync(path, { force: true });
    server.listen(path);
    await once(server, 'listening');
    chmodSync(path, 0o600);
    // Without a listener, a connection that the system can't accept would end the process.
    server.on('error', (error) => log.warn({ err: error }, 'a command could not connect'));
  } catch (error) {
    server.close();
    log.warn({ err: error }, 'administrator commands only work while the server is stopped');
    return () => undefined;
  }
  return () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
}

async function answer(socket: Socket, run: RunCommand): Promise<void> {
  const args = await readRequest(socket);
  if (!args) return void socket.destroy();
  // Closing the connection ends the command before its next line.
  await pipeline(Readable.from(answers(run(args))), socket).catch(() => undefined);
}

async function* answers(outputs: AsyncGenerator<Output, number>): AsyncGenerator<string> {
  try {
    for (;;) {
      const { done, value } = await outputs.next();
      yield `${JSON.stringify(done ? { code: value } : value)}\n`;
      if (done) return;
    }
  } finally {
    await outputs.return(1);
  }
}

/** Returns the arguments, or undefined if they are too long, too late, or not a list of strings. */
function readRequest(socket: Socket): Promise<string[] | undefined> {
  return new Promise((done) => {
    let received = '';
    const timer = setTimeout(() => done(undefined), REQUEST_MILLISECONDS).unref();
    const finish = (args: string[] | undefined) => {
      clearTimeout(timer);
      done(args);
    };
    socket.setEncoding('utf8').on('close', () => finish(undefined));
    socket.on('data', (text: string) => {
      if (received.includes('\n')) return;
      received += text;
      if (Buffer.byteLength(received) > REQUEST_MAX_BYTES) finish(undefined);
      else if (received.includes('\n')) finish(parse(Request, received));
    });
  });
}

/**
 * Has the server of a data folder run a command. Yields what it prints and returns its exit code, as `RunCommand` does, or
 * returns undefined if no server listens.
 */
export async function callServer(dataDir: string, args: string[]): Promise<AsyncGenerator<Output, number> | undefined> {
  const path = socketIn(dataDir);
  if (path === undefined) return undefined;
  const request = `${JSON.stringify(args)}\n`;
  if (Buffer.byteLength(request) > REQUEST_MAX_BYTES) throw new StartupError('The arguments are too long.');
  const socket = connect(path);
  try {
    await once(socket, 'connect');
  } catch {
    return undefined;
  }
  socket.on('error', () => undefined);
  socket.write(request);
  return readAnswers(socket);
}

async function* readAnswers(socket: Socket): AsyncGenerator<Output, number> {
  for await (const line of createInterface({ input: socket })) {
    const received = parse(Answer, line);
    if (!received) break;
    if ('code' in received) return received.code;
    yield received;
  }
  throw new StartupError('The server hung up before the command was done; look into its log.');
}

function parse<T>(schema: z.ZodType<T>, text: string): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
