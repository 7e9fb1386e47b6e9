import { readFileSync, readlinkSync } from 'node:fs';
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
  return { pid: process.pid, started: startOf(process.pid), space: thisSpace() };
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
  const startedNow = startOf(pid);
  return started === '' || startedNow === '' || started === startedNow;
}

function thisSpace(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Field 22, counted after the command's name, which may hold spaces and brackets (man 5 proc).
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
