import { startEngine } from './embedded-engine.ts';
import { syncTree } from './sync-folder.ts';

// Runs in its own process because creating a database takes about 800 MB, which the engine never gives back.

// Set here as well as in main.ts, because the parent may be another program.
process.umask(0o077);

const folder = process.argv[2];
if (folder === undefined) throw new Error('Name the folder to create.');

// The parent is gone, so no one will use the database.
process.on('disconnect', () => process.exit(1));

const { engine } = await startEngine(folder);
await engine.close();
// The engine copies its first files into place without syncing them.
syncTree(folder);
process.exit(0);
