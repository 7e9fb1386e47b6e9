// Writes one row a commit and says so after each, until it is killed or has written as many as asked. First it says
// what it found.
//   node write.mjs <data folder> <prefix of the rows' names> [how many]

const build = process.env['DATABASE_BUILD'];
const { openDatabase } = await import(new URL('platform/database/open.js', build).href);
const { migrate } = await import(new URL('platform/database/migrate.js', build).href);

const [, , dataDir, prefix, count] = process.argv;
const { db, close } = await openDatabase({ dataDir });
await migrate(db);

const now = new Date();
let owner = await db.selectFrom('users').select('id').executeTakeFirst();
owner ??= await db
  .insertInto('users')
  .values({ username: 'owner', email: 'owner@example.org', password_hash: '', time_zone: 'UTC', created_at: now })
  .returning('id')
  .executeTakeFirstOrThrow();
const found = await db.selectFrom('assets').select('name').orderBy('id').execute();
// Writing to a pipe is synchronous here, so what is said was said even if the next moment is the last.
process.stdout.write(`found ${JSON.stringify(found.map((row) => row.name))}\n`);

for (let number = 0; number < Number(count ?? Infinity); number += 1) {
  const name = `${prefix}-${number}`;
  await db
    .insertInto('assets')
    .values({
      owner_id: owner.id,
      name,
      description: '',
      created_at: now,
    })
    .execute();
  process.stdout.write(`wrote ${name}\n`);
}
await close();
process.exit(0);
