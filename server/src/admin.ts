import { basename, resolve } from 'node:path';
import { connectFeatures } from './app.ts';
import { fileToRestore, resolveFile, restoreProblem, runCheck, runCommand, usageProblem } from './commands.ts';
import { loadConfig, type Config } from './config.ts';
import { createDeps } from './deps.ts';
import { readSecret } from './features/installation/service.ts';
import { callServer, type Output } from './platform/command-socket.ts';
import { hasDatabase } from './platform/data-folder.ts';
import { messageOf } from './platform/database/error-details.ts';
import { isNew, migrate, requireCurrent } from './platform/database/migrate.ts';
import { openDatabase } from './platform/database/open.ts';
import { createLog } from './platform/log.ts';
import { StartupError } from './platform/startup-error.ts';
import { requireTls } from './platform/require-tls.ts';
import { react } from './reactions.ts';

/** The command of a release, unless npm ran it as a script. */
const isOwnCommand =
  /^hourshare(?:\.mjs)?$/.test(basename(process.argv[1] ?? '')) && process.env['npm_lifecycle_event'] !== 'admin';

/**
 * Runs an administrator's command: in the server if it uses the embedded database, otherwise in this process. Returns
 * the exit code: 1 if the command failed or found a problem, 2 if there is no such command.
 */
async function admin(typed: string[]): Promise<number> {
  const problem = usageProblem(typed, isOwnCommand ? 'hourshare admin' : 'npm run admin --');
  if (problem !== undefined) {
    process.stderr.write(`${problem}\n`);
    return 2;
  }
  // npm runs scripts in the app's folder, and says where it was called.
  const folder = process.env['npm_lifecycle_event'] === 'admin' ? process.env['INIT_CWD'] : undefined;
  const args = resolveFile(typed, folder ?? process.cwd());
  // Only this user may read files that the process creates.
  process.umask(0o077);
  const file = fileToRestore(args);
  const outputs = file?.isCheck === true ? runCheck(file.path) : await runOnDatabase(args, file?.path);
  for (;;) {
    const { done, value } = await outputs.next();
    if (done) return value;
    // Names come from users, and control characters could manipulate a terminal.
    (value.isError ? process.stderr : process.stdout).write(`${value.text.replaceAll(/\p{C}/gu, '?')}\n`);
  }
}

async function runOnDatabase(args: string[], file: string | undefined): Promise<AsyncGenerator<Output, number>> {
  const config = loadConfig(process.env);
  requireTls(config);
  const { DATABASE_URL: url, DATA_DIR: dataDir = '' } = config;
  return (url === undefined ? await callServer(dataDir, args) : undefined) ?? runHere(config, args, file);
}

async function* runHere(
  config: Config,
  args: string[],
  fileToRead: string | undefined,
): AsyncGenerator<Output, number> {
  // Opening the embedded database would create it.
  const problem = fileToRead === undefined ? missingDatabase(config) : await restoreProblem(fileToRead);
  if (problem !== undefined) {
    yield { text: problem, isError: true };
    return 1;
  }
  const database = await openDatabase({
    databaseUrl: config.DATABASE_URL,
    dataDir: config.DATA_DIR,
    // One connection for the command, and one for a read inside its transaction.
    poolSize: 2,
    prepare: config.DATABASE_PREPARE === 'on',
    log: createLog('warn', process.stderr),
  });
  try {
    if (fileToRead !== undefined && (await isNew(database.db))) await migrate(database.db);
    await requireCurrent(database.db);
    const secret = await readSecret(config, database.db);
    const log = createLog(config.LOG_LEVEL, process.stderr);
    const deps = createDeps({ react, config, db: database.db, secret, log, otherClock: database.clock });
    connectFeatures(deps);
    return yield* runCommand(deps, args);
  } finally {
    await database.close();
  }
}

/** Returns what to set if the embedded database doesn't exist, which then isn't the server's. */
function missingDatabase({ DATABASE_URL: url, DATA_DIR: dataDir = '' }: Config): string | undefined {
  if (url !== undefined || hasDatabase(dataDir)) return undefined;
  return `There is no database in ${resolve(dataDir)} that this user can read; set DATA_DIR or DATABASE_URL as the server has it, or start the server first.`;
}

// Whoever reads the output may stop early, as "head" does; the command still does its work.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

admin(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(
      `${error instanceof StartupError ? error.message : error instanceof Error ? (error.stack ?? error.message) : messageOf(error)}\n`,
    );
    process.exit(1);
  },
);
