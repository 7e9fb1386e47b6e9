import { execFile } from 'node:child_process';
import { messageOf } from './database/error-details.ts';

/** Tells systemd that the server is ready, if it waits for that: a service with Type=notify. */
export function tellServiceManager(
  { NOTIFY_SOCKET: socket }: NodeJS.ProcessEnv,
  log: { warn: (fields: object, message: string) => void },
): void {
  if (socket === undefined) return;
  execFile('systemd-notify', ['--ready'], (error) => {
    if (error) log.warn({ reason: messageOf(error) }, 'systemd could not be told that the server is ready');
  });
}
