import { parseArgs } from 'node:util';
import { loadConfig } from './config.ts';
import { brokenPeriods } from './features/periods/service.ts';
import { verifyUsage } from './features/usage/service.ts';
import { messageOf } from './platform/database/error-details.ts';
import { isCurrent } from './platform/database/migrate.ts';
import { openDatabase } from './platform/database/open.ts';
import { createLog } from './platform/log.ts';
import { StartupError } from './platform/startup-error.ts';

const USAGE = `npm run admin -- verify            check the stored usage totals against the sessions they come from
npm run admin -- verify --repair   and rebuild wrong totals of open months; closed months never change`;

/** Runs an administrator's command. Returns the exit code: 1 if something is wrong, 2 for an unknown command. */
async function admin(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args);
  if (positionals.length !== 1 || positionals[0] !== 'verify') {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  const config = loadConfig(process.env);
  const database = await openDatabase({
    databaseUrl: config.DATABASE_URL,
    dataDir: config.DATA_DIR,
    poolSize: 1,
    prepare: config.DATABASE_PREPARE === 'on',
    log: createLog('warn', process.stderr),
  });
  try {
    if (!(await isCurrent(database.db)))
      throw new StartupError("The database isn't up to date; start HourShare once, then run this again.");
    let [assets, wrong, repaired] = [0, 0, 0];
    for (const line of await brokenPeriods(database.db)) {
      wrong += 1;
      process.stdout.write(`${line}\n`);
    }
    for await (const { assetId, days } of verifyUsage(database.db, { repair: values.repair })) {
      assets += 1;
      for (const day of days) {
        wrong += 1;
        if (day.repaired) repaired += 1;
        const [stored, expected] = [
          usage(day.seconds, day.sessions),
          usage(day.expected_seconds, day.expected_sessions),
        ];
        const outcome = day.repaired ? ', repaired' : day.closed ? ', closed' : '';
        process.stdout.write(
          `asset ${assetId}, share ${day.share_id}, ${day.day}: ${stored} stored, ${expected} expected${outcome}\n`,
        );
      }
    }
    const differences = wrong === 0 ? 'no differences' : `${countWithNoun(wrong, 'difference')}, ${repaired} repaired`;
    process.stdout.write(`Verified ${countWithNoun(assets, 'asset')}: ${differences}.\n`);
    return wrong === repaired ? 0 : 1;
  } finally {
    await database.close();
  }
}

const countWithNoun = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

const usage = (seconds: number, sessions: number) => `${seconds} s in ${countWithNoun(sessions, 'session')}`;

function readArguments(args: string[]) {
  try {
    return parseArgs({ args, options: { repair: { type: 'boolean', default: false } }, allowPositionals: true });
  } catch {
    return { values: { repair: false }, positionals: [] };
  }
}

admin(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(
      `${error instanceof StartupError ? error.message : error instanceof Error ? (error.stack ?? error.message) : messageOf(error)}\n`,
    );
    process.exit(1);
  },
);
