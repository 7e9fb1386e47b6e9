import { expect, test } from './test.ts';

const ROUNDS = 10;
const WRITERS = 4;

/** After how many acknowledged writes the server is killed in a round: 3 to 32, the same in every run. */
const killAfter = (round: number) => 3 + ((round * 11) % 30);

test('a server killed ten times while writing loses and duplicates no acknowledged asset', async ({ launch }) => {
  const server = await launch({}, { engine: 'embedded' });
  const post = (path: string, body: object, access?: string) =>
    fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(access && { authorization: `Bearer ${access}` }) },
      body: JSON.stringify(body),
    });

  const account = { username: 'mira', email: 'mira@example.org', password: 'correct horse battery' };
  const registered = await post('/api/register/', account);
  expect(registered.status).toBe(201);
  const { access } = await registered.json();

  const attempted = new Set<string>();
  const acknowledged = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const enough = acknowledged.size + killAfter(round);
    const death = new AbortController();
    const write = async (writer: number) => {
      for (let count = 0; !death.signal.aborted; count++) {
        const name = `asset ${round}-${writer}-${count}`;
        attempted.add(name);
        try {
          const answer = await post('/api/assets/', { name, subscription_cost: 1 }, access);
          if (answer.status === 201) acknowledged.add(name);
        } catch {
          return; // killed before it answered, so this write may or may not have succeeded
        }
        // The other writers are in the middle of a write when the server dies.
        if (acknowledged.size >= enough && !death.signal.aborted) {
          death.abort();
          await server.kill();
        }
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));

    await server.restart();
    const answer = await fetch(`${server.url}/api/assets/`, { headers: { authorization: `Bearer ${access}` } });
    const { results }: { results: { name: string }[] } = await answer.json();
    const names = results.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect([...acknowledged].filter((name) => !names.includes(name))).toEqual([]);
    expect(names.filter((name) => !attempted.has(name))).toEqual([]);
  }
  expect(acknowledged.size).toBeGreaterThan(100);
});
