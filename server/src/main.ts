import { Server } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { buildApp, builtWebDir, connectFeatures } from './app.ts';
import { runCommand } from './commands.ts';
import { loadConfig, tlsFiles } from './config.ts';
import { createDeps, localAddress, networkAddresses, type Deps } from './deps.ts';
import { scheduleCleanup } from './features/accounts/jobs.ts';
import { scheduleMails } from './features/mail/jobs.ts';
import { sealAgain } from './features/installation/sealed-texts/service.ts';
import { readSecret, requireSameSecret } from './features/installation/service.ts';
import { scheduleBackups } from './features/backups/jobs.ts';
import { CHANNEL, notifyServers } from './features/notifications/dispatch/service.ts';
import { startLiveUpdates } from './features/notifications/live/jobs.ts';
import { extendPeriods } from './features/periods/upkeep/service.ts';
import { scheduleNotices } from './features/notifications/jobs.ts';
import { schedulePushes } from './features/notifications/push/jobs.ts';
import { scheduleTargets } from './features/notifications/targets/jobs.ts';
import { scheduleReminders } from './features/notifications/reminders/jobs.ts';
import { scheduleMeters } from './features/meters/jobs.ts';
import { scheduleSessionEnds } from './features/sessions/presses/jobs.ts';
import { scheduleExpiry, scheduleStarts } from './features/shares/jobs.ts';
import { scheduleCosts } from './features/costs/jobs.ts';
import { schedulePeriods } from './features/statements/closing/jobs.ts';
import { systemClock, systemUptime } from './platform/clock.ts';
import { listenForCommands } from './platform/command-socket.ts';
import { messageOf } from './platform/database/error-details.ts';
import { migrate } from './platform/database/migrate.ts';
import { listen } from './platform/database/notifications.ts';
import { openDatabase } from './platform/database/open.ts';
import { watchDisk } from './platform/database/full-disk.ts';
import { createReplica } from './platform/database/replica.ts';
import { asListenError, requireFreePort } from './platform/http/free-port.ts';
import { readCredentials, renewCredentials } from './platform/http/tls.ts';
import { differingTimeZones } from './platform/database/time-zone-data.ts';
import { createLog } from './platform/log.ts';
import { createMetrics } from './platform/metrics.ts';
import { StartupError } from './platform/startup-error.ts';
import { requireTls } from './platform/require-tls.ts';
import { startTracing } from './platform/start-tracing.ts';
import { observeStatements } from './platform/statements.ts';
import type { Tracing } from './platform/tracing.ts';
import { react } from './reactions.ts';

/** Service managers kill a process that has not ended 10 s after being told to. */
const STOP_MILLISECONDS = 9500;

/** How long a server that couldn't extend periods waits until it tries again. */
const RETRY_MILLISECONDS = 5000;

/** Returns how to hear of the live updates of other servers; undefined if there are none. */
function otherServers({ config, db, log }: Deps): Parameters<typeof startLiveUpdates>[1] {
  const url = config.DATABASE_LISTEN_URL ?? config.DATABASE_URL;
  if (config.DATABASE_URL === undefined || url === undefined) return undefined;
  return (onNews) =>
    listen({
      url,
      isChosen: config.DATABASE_LISTEN_URL !== undefined,
      channel: CHANNEL,
      onNotification: onNews,
      notify: (payload) => notifyServers(db, payload),
      log: { info: (message) => log.info(message), warn: (message) => log.warn(message) },
    });
}

async function hasExtendedPeriods(deps: Deps): Promise<boolean> {
  try {
    await extendPeriods(deps);
    return true;
  } catch (error) {
    deps.log.error({ err: error }, 'periods could not be extended');
    return false;
  }
}

async function start(): Promise<void> {
  // Only this user may read what the process writes, above all the embedded database.
  process.umask(0o077);
  const config = loadConfig(process.env);
  requireTls(config);
  const files = tlsFiles(config);
  const credentials = files && (await readCredentials(files));
  // Runs before the database is created, which takes seconds and leaves files behind.
  await requireFreePort(config.HOST, config.PORT);
  let tracing: Tracing | undefined;
  const log = createLog(config.LOG_LEVEL, undefined, () => tracing?.logFields() ?? {});
  tracing = await startTracing(config, (reason) => log.warn({ reason }, 'traces could not be sent'));
  const isMeasured = config.METRICS_TOKEN !== undefined;
  const metrics = createMetrics({ clock: systemClock, uptime: systemUptime, includeProcessMetrics: isMeasured });
  const disk = watchDisk(systemUptime);
  const database = await openDatabase({
    databaseUrl: config.DATABASE_URL,
    dataDir: config.DATA_DIR,
    poolSize: config.DATABASE_POOL_SIZE,
    prepare: config.DATABASE_PREPARE === 'on',
    log,
    observe: observeStatements({
      uptime: systemUptime,
      metrics: isMeasured ? metrics : undefined,
      tracing,
      onFailure: disk.note,
    }),
  });
  const { DATABASE_REPLICA_URL: replicaUrl } = config;
  const replica =
    replicaUrl === undefined
      ? undefined
      : createReplica({
          url: replicaUrl,
          primary: database.db,
          poolSize: config.DATABASE_POOL_SIZE,
          prepare: config.DATABASE_PREPARE === 'on',
          uptime: systemUptime,
          log: { info: (message) => log.info(message), warn: (message) => log.warn(message) },
          metrics,
          // Not in the metrics: its failures do no harm, and must not raise an alert.
          observe: observeStatements({ uptime: systemUptime, metrics: undefined, tracing }),
        });
  await migrate(database.db);
  const secret = await readSecret(config, database.db);
  await requireSameSecret(database.db, secret, config);
  const readiness = { draining: false, isDiskFull: disk.isFull };
  const deps = createDeps({
    react,
    config,
    db: database.db,
    pool: database.pool,
    replica,
    secret,
    log,
    metrics,
    tracing,
    otherClock: database.clock,
  });
  // Before anything reads or adds such texts, so that a server that is ready no longer needs SECRET_PREVIOUS.
  await sealAgain(deps);
  connectFeatures(deps);
  const app = await buildApp(deps, { readiness, webDir: builtWebDir, credentials });

  await app.listen({ port: config.PORT, host: config.HOST }).catch((error: NodeJS.ErrnoException) => {
    throw asListenError(error, config.HOST, config.PORT);
  });

  if (files && credentials && app.server instanceof Server) renewCredentials(app.server, files, credentials, log);

  differingTimeZones(database.db, deps.clock).then(
    ({ zones, databaseVersion }) => {
      if (zones.length > 0)
        log.warn(
          { zones, database: databaseVersion, node: `${process.version}, time zones ${process.versions.tz}` },
          'the database and Node.js have different time-zone data; months and days follow the database',
        );
    },
    (error: unknown) => log.warn({ err: error }, 'the time-zone data could not be compared'),
  );

  const listening = app.server.address();
  const port = typeof listening === 'object' && listening ? listening.port : config.PORT;
  const listeningAt = { ...config, PORT: port };
  const elsewhere = config.APP_URL === undefined ? networkAddresses(listeningAt) : [];
  const address = config.APP_URL ?? elsewhere[0] ?? localAddress(listeningAt);
  deps.server.address = address;
  if (deps.mailer && config.APP_URL === undefined)
    log.warn(
      { address },
      'APP_URL is not set, so links in email lead to an address that may work on this machine alone',
    );

  const stopCommands =
    database.engine === 'embedded'
      ? await listenForCommands(config.DATA_DIR ?? '', (args) => runCommand(deps, args), log)
      : () => undefined;
  const jobs: (() => Promise<void>)[] = [];

  const stop = (signal: string) => {
    if (readiness.draining) return;
    readiness.draining = true;
    log.info({ signal }, 'stopping');
    const fail = (error: unknown) => {
      log.error({ err: error }, 'could not stop cleanly');
      process.exit(1);
    };
    setTimeout(() => fail(new Error('Stopping took too long.')), STOP_MILLISECONDS).unref();
    stopCommands();
    // Refused work may still be running; nothing waits for it.
    Promise.all([app.close(), ...jobs.map((stopJob) => stopJob())])
      .then(() => Promise.all([database.close(), replica?.close(), tracing?.stop()]))
      .then(() => process.exit(0), fail);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);

  process.stdout.write(`HourShare is ready at ${config.APP_URL ?? localAddress(listeningAt)}\n`);
  for (const each of elsewhere) process.stdout.write(`On your network: ${each}\n`);

  // Jobs and requests of users read periods. That takes long only if no server ran for weeks, and nothing else waits for it.
  while (!(await hasExtendedPeriods(deps))) {
    if (readiness.draining) return;
    await pause(RETRY_MILLISECONDS);
  }
  if (readiness.draining) return;
  jobs.push(
    scheduleStarts(deps),
    scheduleExpiry(deps),
    scheduleSessionEnds(deps),
    scheduleMeters(deps),
    schedulePeriods(deps),
    scheduleCosts(deps),
    scheduleCleanup(deps),
    scheduleMails(deps),
    scheduleNotices(deps),
    scheduleReminders(deps),
    schedulePushes(deps),
    scheduleTargets(deps),
    scheduleBackups(deps),
    startLiveUpdates(deps, otherServers(deps)),
  );
}

// When nothing reads the output any more, the server goes on. Otherwise the error would end the process, whose log then
// tries to write forever.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);

/** Settled once the server is ready and does its jobs; a failure ends the process. */
export const started = start().catch((error: unknown) => {
  const startup = error instanceof StartupError;
  process.stderr.write(
    `${startup ? error.message : error instanceof Error ? (error.stack ?? error.message) : messageOf(error)}\n`,
  );
  process.exit(1);
});
