import { setFlagsFromString } from 'node:v8';
import { PGlite } from '@electric-sql/pglite';
import { EngineStoppedError } from './engine-stopped-error.ts';
import { messageOf } from './error-details.ts';
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
  /** Why the engine has stopped; undefined while it runs. */
  stopped: () => EngineStoppedError | undefined;
}

// The engine's entry for one message.
const mainLoop = '_PostgresMainLoopOnce';

/** Starts the engine on a folder; an empty one becomes a new database. */
export async function startEngine(folder: string): Promise<DurableEngine> {
  // Compiling the engine on several threads leaves each with memory it never gives back, 40 MB in all on two cores;
  // on one it takes no longer to start.
  setFlagsFromString('--wasm-num-compilation-tasks=1');
  const files = new DurableFiles(folder);
  const said: string[] = [];
  const listen = (line: string): boolean => {
    said.push(line);
    if (said.length > 20) said.shift();
    return false;
  };
  const lastFailure = (): string | undefined =>
    said.findLast((line) => /FATAL|PANIC|ERROR/.test(line))?.replace(/^.*?(FATAL|PANIC|ERROR):\s*/, '');
  try {
    const engine = await PGlite.create({ fs: files, startParams: durableParams, onStderr: listen, onStdout: listen });
    return { engine, files, stopped: watchForStop(engine, lastFailure) };
  } catch (error) {
    files.abandon();
    throw new Error(lastFailure() ?? messageOf(error), { cause: error });
  }
}

/** PostgreSQL jumps out of a failed statement, which the engine throws as the end of a process with this status. */
function isOrdinaryFailure(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'status' in error && error.status === 100;
}

/**
 * Notices that the engine has stopped, and keeps it from being called again: it takes the end of the engine for a failed
 * statement and tries the next, for ever, which would block the whole process.
 */
function watchForStop(engine: PGlite, reason: () => string | undefined): () => EngineStoppedError | undefined {
  const { Module: module } = engine;
  let stopped: EngineStoppedError | undefined;

  const step = module[mainLoop];
  module[mainLoop] = () => {
    try {
      step();
    } catch (error) {
      if (!isOrdinaryFailure(error)) {
        const message = `The embedded database has stopped: ${reason() ?? messageOf(error)}`;
        stopped = new EngineStoppedError(message, { cause: error });
      }
      throw error;
    }
  };
  // Called outside the engine's own error handling, so what it throws gets out.
  const restore = module.stackRestore;
  module.stackRestore = (pointer) => {
    if (stopped) throw stopped;
    return restore(pointer);
  };
  const execute = engine.execProtocolStream.bind(engine);
  engine.execProtocolStream = async (...args) => {
    if (stopped) throw stopped;
    try {
      return await execute(...args);
    } catch (error) {
      throw stopped ?? error;
    }
  };
  return () => stopped;
}
