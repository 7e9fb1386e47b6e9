import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { codeOf } from './error-details.ts';

/** One process, told apart from a later one that got the same number. */
export interface ProcessIdentity {
  pid: number;
  /** When it started, in whatever unit the system counts; empty where that can't be read. */
  started: string;
  /** Where its number means something: the machine and, in containers, the process namespace. */
  space: string;
}

export function thisProcess(): ProcessIdentity {
  return { pid: process.pid, started: statusOf('/proc/self')?.started ?? '', space: thisSpace() };
}

/** Whether that process runs; undefined when it belongs to another machine or container and can't be asked. */
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
  /** It has ended and does nothing more, though its parent may not have asked for its exit code yet. */
  isDead: boolean;
  started: string;
}

/** What the system says about a process or a thread by its folder in /proc; undefined where it says nothing. */
function statusOf(folder: string): Status | undefined {
  try {
    const stat = readFileSync(`${folder}/stat`, 'utf8');
    // From field 3 on, after the command's name, which may hold spaces and brackets (man 5 proc).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { isDead: /^[ZXx]$/.test(fields[0] ?? ''), started: fields[19] ?? '' };
  } catch {
    return undefined;
  }
}

/** A process whose first thread has ended runs on in its others, and while it is being killed these may still write. */
function hasLiveThread(pid: number): boolean {
  const folder = `/proc/${pid}/task`;
  try {
    return readdirSync(folder).some((thread) => statusOf(`${folder}/${thread}`)?.isDead === false);
  } catch (error) {
    return codeOf(error) !== 'ENOENT';
  }
}
