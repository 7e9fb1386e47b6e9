// Opens a data folder as the server does and keeps it open until its input ends.

const build = process.env['DATABASE_BUILD'];
const { openDatabase } = await import(new URL('platform/database/open.js', build).href);
const { migrate } = await import(new URL('platform/database/migrate.js', build).href);

try {
  const database = await openDatabase({ dataDir: process.argv[2] });
  await migrate(database.db);
  console.log('open');
  process.stdin.resume().on('end', () => {
    void database.close().then(() => process.exit(0));
  });
} catch (error) {
  console.log(error.name === 'StartupError' ? `refused: ${error.message}` : `failed: ${error.stack}`);
  process.exit(1);
}
