import { PGlite } from '@electric-sql/pglite';
import { DurableFiles } from './durable-files.ts';

const settings = [
  // 128 MB, the default, is what most of the process would be; the system's file cache serves as well.
  'shared_buffers=16MB',
  'timezone=UTC',
];

const asParams = (list: string[]): string[] => list.flatMap((setting) => ['-c', setting]);

/** How an engine starts whose files are in memory. */
export const inMemoryParams = [...PGlite.defaultStartParams, ...asParams(settings)];

const durableParams = [
  // -F turns fsync off.
  ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
  // fdatasync, the usual choice, is one of the engine's calls that do nothing.
  ...asParams([...settings, 'wal_sync_method=fsync']),
];

export interface DurableEngine {
  engine: PGlite;
  files: DurableFiles;
}

/** Starts the engine on a folder; an empty one becomes a new database. */
export async function startEngine(folder: string): Promise<DurableEngine> {
  const files = new DurableFiles(folder);
  const said: string[] = [];
  const listen = (line: string): boolean => {
    said.push(line);
    if (said.length > 20) said.shift();
    return false;
  };
  try {
    const engine = await PGlite.create({ fs: files, startParams: durableParams, onStderr: listen, onStdout: listen });
    return { engine, files };
  } catch (error) {
    const reason = said.findLast((line) => /FATAL|PANIC|ERROR/.test(line)) ?? (error as Error).message;
    throw new Error(reason.replace(/^.*?(FATAL|PANIC|ERROR):\s*/, ''), { cause: error });
  }
}
