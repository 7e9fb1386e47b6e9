import { once } from 'node:events';
import { createServer } from 'node:net';
import { StartupError } from '../startup-error.ts';

/** Turns a listen error into a one-sentence StartupError that says what to set. */
export function asListenError(error: NodeJS.ErrnoException, host: string, port: number): StartupError {
  return new StartupError(
    `Can't listen on ${host} port ${port} (${error.code ?? error.message}); set HOST and PORT to a free address on this machine.`,
    { cause: error },
  );
}

/** Throws a StartupError when the address can't be listened on, and leaves it free otherwise. */
export async function requireFreePort(host: string, port: number): Promise<void> {
  const server = createServer((socket) => socket.destroy()).listen(port, host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw asListenError(error, host, port);
  });
  server.close();
}
