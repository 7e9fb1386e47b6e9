import { openClockedApp } from './clocked-app.mjs';
import { beginning, liveTogether, PASSWORD, PEOPLE } from './household.mjs';

// Fills an empty database with a sample household: `npm run demo`.

/** @param {Date} today */
async function demo(today) {
  let now = beginning(today);
  const app = await openClockedApp(process.env, () => new Date(now));
  try {
    const lived = await liveTogether(app.call, (next) => (now = next), today);
    console.log(`${PEOPLE.length} people, ${lived.assets} assets, ${lived.sessions} sessions.`);
    console.log(`Sign in as ${PEOPLE.join(', ')}; the password of each is: ${PASSWORD}`);
  } finally {
    await app.close();
  }
}

/** The date on which the sample data ends: `--date 2026-11-21`, else now. */
const named = process.argv[process.argv.indexOf('--date') + 1];
const today = process.argv.includes('--date') ? new Date(`${named}T18:00:00Z`) : new Date();
if (Number.isNaN(today.getTime())) {
  console.error('Usage: npm run demo -- [--date YYYY-MM-DD]');
  process.exit(2);
}
await demo(today).catch((/** @type {unknown} */ error) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
