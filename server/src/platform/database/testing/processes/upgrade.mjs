// Migrates a data folder as a build of the server does, and stops at a migration until it is killed.
//   node upgrade.mjs <URL of the build> <data folder> <before|after> <migration>

const [, , build, dataDir, moment, name] = process.argv;
const { openDatabase } = await import(new URL('open.js', build).href);
const { migrate } = await import(new URL('migrate.js', build).href);
const { migrations } = await import(new URL('migrations.js', build).href);

const stop = () => {
  process.stdout.write('stopped\n');
  return new Promise((resolve) => process.stdin.resume().on('end', resolve));
};
const { up } = migrations[name];
migrations[name] = {
  up: async (db) => {
    if (moment === 'before') await stop();
    await up(db);
    if (moment === 'after') await stop();
  },
};

const { db, close } = await openDatabase({ dataDir });
await migrate(db);
await close();
