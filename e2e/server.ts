import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase } from '../harness/databases.mjs';
import { createServer } from '../harness/server.mjs';

export type Engine = 'embedded' | 'PostgreSQL';

/** The engines that this machine can run. Journeys about data run on both. */
export const engines: Engine[] = process.env.TEST_DATABASE_URL ? ['embedded', 'PostgreSQL'] : ['embedded'];

export interface RunningServer {
  /** `http://127.0.0.1:<port>`, without a trailing slash. It survives a restart. */
  readonly url: string;
  readonly dataDir: string;
  /** Everything that the server has printed so far. */
  readonly log: string;
  /** Asks it to stop, as a service manager does. Returns its exit code. */
  stop: () => Promise<number | null>;
  /** Kills it as a power cut would. */
  kill: () => Promise<void>;
  /** Stops it if it runs, and starts it on the same port and data. */
  restart: () => Promise<void>;
  /** Advances its clock for the rest of its life, including restarts. */
  advance: (milliseconds: number) => Promise<void>;
  /** Stops it and removes its data. */
  dispose: () => Promise<void>;
}

/**
 * Starts the built server on a free port of this machine, with its own empty data: on PostgreSQL if there is one, because
 * the embedded engine takes a fifth of a journey's processor time.
 */
export async function startServer(
  settings: NodeJS.ProcessEnv = {},
  { engine = engines.at(-1), checkout }: { engine?: Engine | undefined; checkout?: string } = {},
): Promise<RunningServer> {
  const folder = await mkdtemp(join(tmpdir(), 'hourshare-e2e-'));
  const dataDir = join(folder, 'data');
  // Settings of whoever runs the tests must not reach the server.
  const { TEST_DATABASE_URL: postgres, DATABASE_URL: _database, APP_URL: _address, ...inherited } = process.env;
  if (engine === 'PostgreSQL' && !postgres) throw new Error('No PostgreSQL here: take the engine from `engines`');
  const database = engine === 'PostgreSQL' ? await createDatabase(postgres ?? '') : undefined;
  const address = database && { DATABASE_URL: database.url };
  let clockOffset = 0;
  const server = createServer(
    { ...inherited, HOST: '127.0.0.1', PORT: '0', DATA_DIR: dataDir, RATE_LIMIT: 'off', ...address, ...settings },
    // Optimizing code pays off only later: the embedded engine's takes a fourth of the server's processor time here, and
    // the rest a fourth of its start.
    { nodeOptions: ['--liftoff-only', '--no-opt', '--single-threaded-gc'], clockOffset, ...(checkout && { checkout }) },
  );

  async function dispose() {
    try {
      await server.end();
    } finally {
      await database?.drop();
      await rm(folder, { recursive: true, force: true });
    }
  }

  try {
    // Creating an embedded database takes seconds, and copying one doesn't. PREPARED_DATA is set by prepare-data.ts.
    // A killed server leaves its socket behind, which can't be copied.
    const filter = (path: string) => !path.endsWith('.sock');
    if (process.env.PREPARED_DATA && !database)
      await cp(process.env.PREPARED_DATA, dataDir, { recursive: true, filter });
    await server.start();
  } catch (error) {
    await dispose();
    throw error;
  }
  return {
    dataDir,
    get url() {
      return server.url;
    },
    get log() {
      return server.log;
    },
    stop: () => server.end(),
    kill: async () => void (await server.end('SIGKILL')),
    restart: async () => {
      await server.end();
      await server.start();
    },
    advance: (milliseconds) => server.setClock((clockOffset += milliseconds)),
    dispose,
  };
}
