import { startEngine } from './embedded-engine.ts';
import { syncTree } from './sync-folder.ts';

// A process of its own: creating a database takes some 800 MB for seconds, and the engine never gives memory back.

// As main.ts does, and here too because the parent may be another program.
process.umask(0o077);

const folder = process.argv[2];
if (folder === undefined) throw new Error('Name the folder to create.');

// Whoever asked for the database is gone: nobody will use it.
process.on('disconnect', () => process.exit(1));

const { engine } = await startEngine(folder);
await engine.close();
// The engine copies the first files into place without a sync.
syncTree(folder);
process.exit(0);
