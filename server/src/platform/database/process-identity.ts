import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { codeOf } from './error-details.ts';

/** A process, distinguishable from a later one with the same number. */
export interface ProcessIdentity {
  pid: number;
  /** When it started, in the system's own unit; empty where that can't be read. */
  started: string;
  /** Where its number is valid: the machine and, in containers, the process namespace. */
  space: string;
}

/** Returns the identity of this process. */
export function thisProcess(): ProcessIdentity {
  return { pid: process.pid, started: statusOf('/proc/self')?.started ?? '', space: thisSpace() };
}

/** Returns whether the process runs, or undefined when it belongs to another machine or container. */
export function isRunning({ pid, started, space }: ProcessIdentity): boolean | undefined {
  if (space !== thisSpace()) return undefined;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs as another user
    if (codeOf(error) !== 'EPERM') return false;
  }
  const now = statusOf(`/proc/${pid}`);
  if (!now) return true;
  if (now.isDead && !hasLiveThread(pid)) return false;
  return started === '' || now.started === '' || started === now.started;
}

function thisSpace(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

interface Status {
  /** It has ended, though its parent may not have read its exit code yet. */
  isDead: boolean;
  started: string;
}

/** Returns what the system says about a process or thread by its folder in /proc, or undefined if nothing. */
function statusOf(folder: string): Status | undefined {
  try {
    const stat = readFileSync(`${folder}/stat`, 'utf8');
    // Starts at field 3, after the command's name, which may contain spaces and parentheses (man 5 proc).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { isDead: /^[ZXx]$/.test(fields[0] ?? ''), started: fields[19] ?? '' };
  } catch {
    return undefined;
  }
}

/** A process whose first thread has ended continues in its others, which may still write while it is being killed. */
function hasLiveThread(pid: number): boolean {
  const folder = `/proc/${pid}/task`;
  try {
    return readdirSync(folder).some((thread) => statusOf(`${folder}/${thread}`)?.isDead === false);
  } catch (error) {
    return codeOf(error) !== 'ENOENT';
  }
}
