import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from './test.ts';

const ROUNDS = 10;
const WRITERS = 4;

/** Moments to kill at, spread over the first 400 ms of writing; the same ones every run. */
const killAfterMs = (round: number) => 20 + ((round * 149) % 380);

test('ten deaths in the middle of writing lose no acknowledged asset and double none', async ({ launch }) => {
  test.setTimeout(180_000);
  const server = await launch('embedded');
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
    const death = new AbortController();
    const write = async (writer: number) => {
      for (let count = 0; !death.signal.aborted; count++) {
        const name = `asset ${round}-${writer}-${count}`;
        attempted.add(name);
        try {
          const answer = await post('/api/assets/', { name, subscription_cost: 1 }, access);
          if (answer.status === 201) acknowledged.add(name);
        } catch {
          return; // the server died before it could answer: whether this one was kept is open
        }
      }
    };
    const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer));
    await wait(killAfterMs(round));
    await server.kill();
    death.abort();
    await Promise.all(writers);

    await server.restart();
    // A list holds 500 assets at most; each is also there by its id.
    const names: string[] = [];
    for (let id = 1; ; id++) {
      const answer = await fetch(`${server.url}/api/assets/${id}/`, { headers: { authorization: `Bearer ${access}` } });
      if (answer.status === 200) names.push((await answer.json()).name);
      else if (id > attempted.size + 40 * ROUNDS) break; // a crash may skip some 32 ids of a sequence
    }
    expect(new Set(names).size).toBe(names.length);
    expect([...acknowledged].filter((name) => !names.includes(name))).toEqual([]);
    expect(names.filter((name) => !attempted.has(name))).toEqual([]);
  }
  expect(acknowledged.size).toBeGreaterThan(ROUNDS);
  console.log(`${acknowledged.size} acknowledged writes, all kept`);
});
