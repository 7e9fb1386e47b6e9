// Takes the lock of a folder and holds it until its input ends.

const build = process.env['DATABASE_BUILD'];
const { lockFolder } = await import(new URL('platform/database/folder-lock.js', build).href);

try {
  const lock = await lockFolder(process.argv[2]);
  console.log('held');
  process.stdin.resume().on('end', () => {
    void lock.release().then(() => process.exit(0));
  });
} catch (error) {
  console.log(error.name === 'StartupError' ? `refused: ${error.message}` : `failed: ${error.stack}`);
}
