import { describe, expect, it } from 'vitest';
import { createPasswords, HashingOverloaded } from './passwords.ts';

const PASSWORD = 'correct horse battery';

describe('a stored password', () => {
  it('is an argon2id hash with at least 19 MiB, two passes, one lane and a 16-byte salt', async () => {
    const stored = await createPasswords().hash(PASSWORD);
    const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(stored);
    const [memoryKiB, passes, lanes] = parts!.slice(1, 4).map(Number) as [number, number, number];
    expect(memoryKiB).toBeGreaterThanOrEqual(19 * 1024);
    expect(passes).toBeGreaterThanOrEqual(2);
    expect(lanes).toBeGreaterThanOrEqual(1);
    const [salt, hash] = parts!.slice(4).map((part) => Buffer.from(part, 'base64').length) as [number, number];
    expect(salt).toBeGreaterThanOrEqual(16);
    expect(hash).toBeGreaterThanOrEqual(32);
  });

  it('is different each time and matches only its own password', async () => {
    const passwords = createPasswords();
    const [one, other] = await Promise.all([passwords.hash(PASSWORD), passwords.hash(PASSWORD)]);
    expect(one).not.toBe(other);
    expect(await passwords.matches(PASSWORD, one)).toBe(true);
    expect(await passwords.matches(PASSWORD, other)).toBe(true);
    expect(await passwords.matches('Correct horse battery', one)).toBe(false);
    expect(await passwords.matches('', one)).toBe(false);
  });

  it('never matches when there is none', async () => {
    const passwords = createPasswords();
    for (const password of ['a password that nobody has', PASSWORD, ''])
      expect(await passwords.matches(password, undefined)).toBe(false);
  });
});

describe('a hash', () => {
  it('is outdated if its algorithm, version, or parameters differ from the current ones', async () => {
    const passwords = createPasswords();
    const current = await passwords.hash(PASSWORD);
    expect(passwords.isOutdated(current)).toBe(false);
    const others = [
      createPasswords({ memoryCost: 9216, timeCost: 2, parallelism: 1 }),
      createPasswords({ memoryCost: 19_456, timeCost: 1, parallelism: 1 }),
      createPasswords({ memoryCost: 19_456, timeCost: 2, parallelism: 2 }),
    ];
    const outdated = await Promise.all(others.map((other) => other.hash(PASSWORD)));
    for (const stored of [...outdated, current.replace('argon2id', 'argon2i'), current.replace('v=19', 'v=16')])
      expect([stored, passwords.isOutdated(stored)]).toEqual([stored, true]);
    for (const stored of outdated) expect(await passwords.matches(PASSWORD, stored)).toBe(true);
  });
});

describe('concurrent passwords', () => {
  it('are all hashed while few wait', async () => {
    const passwords = createPasswords();
    const stored = await passwords.hash(PASSWORD);
    const results = await Promise.all(Array.from({ length: 100 }, () => passwords.matches(PASSWORD, stored)));
    expect(results.every(Boolean)).toBe(true);
  });

  it('are refused with a time to retry when too many wait, and served again afterwards', async () => {
    const passwords = createPasswords();
    const stored = await passwords.hash(PASSWORD);
    const results = await Promise.allSettled(Array.from({ length: 260 }, () => passwords.matches(PASSWORD, stored)));
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    // 200 may wait, and at most three are being hashed.
    expect(refused.length).toBeGreaterThanOrEqual(260 - 203);
    expect(refused.length).toBeLessThan(60);
    expect(refused.every((reason) => reason instanceof HashingOverloaded)).toBe(true);
    expect((refused[0] as HashingOverloaded).failure).toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 });
    expect(await passwords.matches(PASSWORD, stored)).toBe(true);
  });

  it('are refused when the process stops, except those being hashed', async () => {
    const passwords = createPasswords();
    const stored = await passwords.hash(PASSWORD);
    const waiting = Array.from({ length: 20 }, () => passwords.matches(PASSWORD, stored));
    passwords.stop();
    const results = await Promise.allSettled([...waiting, passwords.hash(PASSWORD)]);
    expect(results[0]).toEqual({ status: 'fulfilled', value: true });
    expect(results.slice(-10).map((result) => result.status === 'rejected' && (result.reason as unknown))).toEqual(
      Array.from({ length: 10 }, () => expect.any(HashingOverloaded) as unknown),
    );
  });

  it("don't block the process", async () => {
    const passwords = createPasswords();
    const work = Promise.all(Array.from({ length: 32 }, () => passwords.matches(PASSWORD, undefined)));
    let longest = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    await work;
    clearInterval(timer);
    expect(longest).toBeLessThan(500);
  });

  it('are still hashed after one that failed', async () => {
    const passwords = createPasswords();
    await Promise.allSettled(Array.from({ length: 20 }, () => passwords.matches(PASSWORD, 'no hash at all')));
    expect(await passwords.matches(PASSWORD, await passwords.hash(PASSWORD))).toBe(true);
  });
});

describe('a password typed on different keyboards', () => {
  // "ü" as one character, and as "u" with a combining diaeresis.
  const composed = 'gr\u00fcne b\u00e4ume 42';
  const decomposed = composed.normalize('NFD');

  it('matches in composed and decomposed form', async () => {
    expect(decomposed).not.toBe(composed);
    const passwords = createPasswords();
    for (const [chosen, typed] of [
      [composed, decomposed],
      [decomposed, composed],
    ] as const)
      expect(await passwords.matches(typed, await passwords.hash(chosen))).toBe(true);
  });
});
