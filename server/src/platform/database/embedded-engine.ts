import { setFlagsFromString } from 'node:v8';
import { PGlite } from '@electric-sql/pglite';
import { EngineStoppedError } from './engine-stopped-error.ts';
import { messageOf } from './error-details.ts';
import { DurableFiles } from './durable-files.ts';

const settings = [
  // The default of 128 MB would be most of the process's memory, and the system's file cache works as well.
  'shared_buffers=16MB',
  'timezone=UTC',
  // As on PostgreSQL: a new plan for each call of a prepared statement costs more than running it.
  'plan_cache_mode=force_generic_plan',
  'random_page_cost=1.1',
];

const asParams = (list: string[]): string[] => list.flatMap((setting) => ['-c', setting]);

/** Start parameters of an engine whose files are in memory. */
export const inMemoryParams = [...PGlite.defaultStartParams, ...asParams(settings)];

const durableParams = [
  // -F turns fsync off.
  ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
  // fdatasync, the default, is a no-op in the engine.
  ...asParams([...settings, 'wal_sync_method=fsync']),
];

export interface DurableEngine {
  engine: PGlite;
  files: DurableFiles;
  /** Returns why the engine stopped, or undefined while it runs. */
  stopped: () => EngineStoppedError | undefined;
}

// The engine's entry point for one message.
const mainLoop = '_PostgresMainLoopOnce';

/** Starts the engine on a folder. An empty folder becomes a new database. */
export async function startEngine(folder: string): Promise<DurableEngine> {
  // Compiling the engine on several threads costs 40 MB that is never freed on two cores; one thread is as fast.
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

/** PostgreSQL leaves a failed statement by a jump, which the engine throws as a process exit with this status. */
function isOrdinaryFailure(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'status' in error && error.status === 100;
}

/**
 * Detects that the engine has stopped, and keeps it from being called again: it would take the stop for a failed
 * statement and retry forever, which blocks the process.
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
  // The caller runs it outside the engine's error handling, so its exceptions get through.
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
