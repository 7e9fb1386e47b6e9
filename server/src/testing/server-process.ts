import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from '../platform/database/testing/node-flags.ts';
import { builtServer } from './built-server.ts';

/** The built server in its own process. */
export interface ServerProcess {
  /** The address it announces when ready; undefined if it ended instead. */
  ready: Promise<string | undefined>;
  kill(signal: NodeJS.Signals): void;
  /** Ends what reads its output, so that writing more fails. */
  stopReading(): void;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** What it has written so far. */
  stdout(): string;
  stderr(): string;
}

/** Starts the server, or another build of it, with only these settings, on a free local port. The caller must stop it. */
export function startServer(environment: Record<string, string>, build = builtServer): ServerProcess {
  const main = fileURLToPath(new URL('main.js', build));
  const child = spawn(process.execPath, [...NODE_FLAGS, main], {
    env: { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: '0', RATE_LIMIT: 'off', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (text: string) => (written[stream] += text));
  const ended = once(child, 'close').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
  }));
  const ready = new Promise<string | undefined>((resolve) => {
    child.stdout.on('data', () => {
      const address = /^HourShare is ready at (\S+)$/m.exec(written.stdout)?.[1];
      if (address !== undefined) resolve(address);
    });
    child.once('close', () => resolve(undefined));
  });
  return {
    ready,
    kill: (signal) => void child.kill(signal),
    stopReading: () => {
      child.stdout.destroy();
      child.stderr.destroy();
    },
    ended,
    stdout: () => written.stdout,
    stderr: () => written.stderr,
  };
}

/** Sends bytes to a server. Returns everything it answers until it closes the connection. */
export async function exchange(address: string, bytes: string | Buffer): Promise<string> {
  const socket = await openConnection(address);
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
  // Cutting off a sender that has more to say may reset the connection after the answer.
  socket.on('error', () => undefined);
  socket.write(bytes);
  await once(socket, 'close');
  return answer;
}

/** Connects to a server; rejects if it refuses. */
export async function openConnection(address: string): Promise<Socket> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  return socket;
}
