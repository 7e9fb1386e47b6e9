import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from '../scripts/build.mjs';
import { root } from '../scripts/processes.mjs';
import { HasAccounts, openClockedApp } from './clocked-app.mjs';
import { beginning, liveTogether, PASSWORD, PEOPLE } from './household.mjs';

// Fills a database with a sample household, unless it has one, and becomes its server: `npm run demo`. Keeps it apart from
// the data of `npm start`, and listens on another port, so that both can run.

const FOLDER = join(root, 'demo-data');
const PORT = '3001';

async function fill() {
  const today = new Date();
  let now = beginning(today);
  const app = await openClockedApp(process.env, () => new Date(now));
  console.log('Creating half a year of sample data, which takes about a minute …');
  try {
    await liveTogether(app, (next) => (now = next), today);
  } finally {
    await app.close();
  }
}

async function fillUnlessLivedIn() {
  const { DATA_DIR: folder, DATABASE_URL: url, DATABASE_URL_FILE: urlFile } = process.env;
  const isOwn = !folder && !url && !urlFile;
  process.env.DATA_DIR ||= FOLDER;
  process.env.PORT ||= PORT;
  // Only this user may read the data, as if the server had made it.
  process.umask(0o077);
  try {
    await fill();
  } catch (error) {
    if (!(error instanceof HasAccounts)) throw error;
    const isComplete = PEOPLE.every((username) => error.usernames.includes(username));
    if (!isComplete && !isOwn) throw error;
    if (isComplete)
      return console.log(`The sample data is in ${process.env.DATA_DIR}; for new data, delete that folder.`);
    // What an interrupted run left behind.
    rmSync(FOLDER, { recursive: true });
    await fill();
  }
}

if (!(await build())) process.exit(1);
try {
  await fillUnlessLivedIn();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
console.log(`Sign in as ${PEOPLE.join(', ')}; the password of each is: ${PASSWORD}`);
await import(new URL('../server/dist/main.js', import.meta.url).href);
