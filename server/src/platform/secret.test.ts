import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { beforeAll, describe, expect, it } from 'vitest';
import { builtServer } from '../testing/built-server.ts';
import { temporaryFolder } from './database/testing/processes.ts';
import { isUsableSecret, loadOrCreateSecret, resolveStagedSecret, secretFingerprint, stageSecret } from './secret.ts';
import { StartupError } from './startup-error.ts';

const permissions = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

describe('the secret of a database that is being restored', () => {
  const RESTORED = 'a secret that only this test knows, 32+';

  it('waits beside the present one, readable by its owner alone', async () => {
    const folder = await temporaryFolder();
    const secret = loadOrCreateSecret(folder);
    stageSecret(folder, RESTORED);
    expect(await permissions(join(folder, 'secret.restored'))).toBe('600');
    expect(loadOrCreateSecret(folder)).toBe(secret);
  });

  it('stays whole while another one is staged over it', async () => {
    const folder = await temporaryFolder();
    stageSecret(folder, 'an older secret that only this test knows');
    // Whoever reads it meanwhile has the file that was there.
    const open = openSync(join(folder, 'secret.restored'), 'r');
    stageSecret(folder, RESTORED);
    expect(readFileSync(open, 'utf8')).toBe('an older secret that only this test knows\n');
    closeSync(open);
    expect(await readFile(join(folder, 'secret.restored'), 'utf8')).toBe(`${RESTORED}\n`);
    expect(await readdir(folder)).toEqual(['secret.restored']);
  });

  it('replaces it once the database was restored, whenever the server was killed', async () => {
    const folder = await temporaryFolder();
    loadOrCreateSecret(folder);
    stageSecret(folder, RESTORED);
    resolveStagedSecret(folder, secretFingerprint(RESTORED));
    resolveStagedSecret(folder, secretFingerprint(RESTORED));
    expect(loadOrCreateSecret(folder)).toBe(RESTORED);
    expect(await readdir(folder)).toEqual(['secret']);
  });

  it.each(['of another secret', 'of none'])('is forgotten if the database has the fingerprint %s', async (which) => {
    const folder = await temporaryFolder();
    const secret = loadOrCreateSecret(folder);
    stageSecret(folder, RESTORED);
    resolveStagedSecret(folder, which === 'of none' ? undefined : secretFingerprint(secret));
    expect(loadOrCreateSecret(folder)).toBe(secret);
    expect(await readdir(folder)).toEqual(['secret']);
  });

  it('ignores a missing data folder', () => {
    expect(() => resolveStagedSecret('/nowhere/at/all', undefined)).not.toThrow();
  });
});

describe('the stored secret', () => {
  it('is generated at the first start and then stays the same', async () => {
    const folder = await temporaryFolder();
    const secret = loadOrCreateSecret(folder);
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(loadOrCreateSecret(folder)).toBe(secret);
    expect(await readFile(join(folder, 'secret'), 'utf8')).toBe(`${secret}\n`);
    expect(await readdir(folder)).toEqual(['secret']);
  });

  it('is different in another folder', async () => {
    expect(loadOrCreateSecret(await temporaryFolder())).not.toBe(loadOrCreateSecret(await temporaryFolder()));
  });

  it('is readable by its owner only, even after its permissions were loosened', async () => {
    const folder = join(await temporaryFolder(), 'made', 'for', 'it');
    loadOrCreateSecret(folder);
    const file = join(folder, 'secret');
    expect(await permissions(file)).toBe('600');
    expect(await permissions(folder)).toBe('700');
    await chmod(file, 0o644);
    loadOrCreateSecret(folder);
    expect(await permissions(file)).toBe('600');
  });

  it.each([0, 1, 31])('stops the start and stays unchanged when truncated to %i characters', async (length) => {
    const folder = await temporaryFolder();
    loadOrCreateSecret(folder);
    const file = join(folder, 'secret');
    await truncate(file, length);
    expect(() => loadOrCreateSecret(folder)).toThrow(StartupError);
    expect(() => loadOrCreateSecret(folder)).toThrow(
      `The file ${file} doesn't contain a usable secret; restore it, or delete it to create a new one.`,
    );
    expect((await stat(file)).size).toBe(length);
  });

  it("stops the start when it isn't random", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'secret'), `${'a'.repeat(43)}\n`);
    expect(() => loadOrCreateSecret(folder)).toThrow(/doesn't contain a usable secret; /);
  });

  it("stops the start when it can't be stored", async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'file');
    await writeFile(file, '');
    expect(() => loadOrCreateSecret(file)).toThrow(StartupError);
    expect(() => loadOrCreateSecret(join(file, 'below'))).toThrow(/set DATA_DIR to another folder, or set SECRET\.$/);
    await mkdir(join(folder, 'secret'));
    expect(() => loadOrCreateSecret(folder)).toThrow(StartupError);
  });
});

describe('a usable secret', () => {
  it.each([
    ['31 characters', randomBytes(32).toString('base64').slice(0, 31)],
    ['one character', 'x'.repeat(64)],
    ['7 different characters', 'canary-canynarc-raynca-nyracyan-rcat'],
    ['a pattern of 2', 'ab'.repeat(20)],
    ['a pattern of 8', 'password'.repeat(4)],
    ['a pattern of 16, cut short', '0123456789abcdef'.repeat(3).slice(0, 45)],
  ])("can't be %s", (_, text) => {
    expect(isUsableSecret(text)).toBe(false);
  });

  it('is anything that a random generator produces', () => {
    for (let round = 0; round < 200; round += 1) {
      for (const encoding of ['hex', 'base64', 'base64url'] as const)
        expect(isUsableSecret(randomBytes(32).toString(encoding))).toBe(true);
      expect(isUsableSecret(randomBytes(16).toString('hex'))).toBe(true);
    }
  });
});

describe('concurrent creators of the secret', () => {
  let module: string;
  beforeAll(() => {
    module = new URL('secret.js', builtServer).href;
  });

  /** Returns a program that creates the secret of each folder at the instant given for it. */
  const program = (folders: string[], from: number) => `
    import(${JSON.stringify(module)}).then(({ loadOrCreateSecret }) => {
      const secrets = ${JSON.stringify(folders)}.map((folder, index) => {
        while (Date.now() < ${from} + index * 50);
        return loadOrCreateSecret(folder);
      });
      const text = JSON.stringify(secrets);
      require('node:worker_threads').parentPort?.postMessage(text) ?? process.stdout.write(text);
    });`;

  const keptIn = (folders: string[]) =>
    Promise.all(folders.map(async (folder) => (await readFile(join(folder, 'secret'), 'utf8')).trim()));
  const filesIn = (folders: string[]) => Promise.all(folders.map((folder) => readdir(folder)));

  it('agree when they are 10 processes', async () => {
    const folders = [await temporaryFolder(), await temporaryFolder(), await temporaryFolder()];
    const code = program(folders, Date.now() + 1500);
    const answers = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
        let text = '';
        child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
        await once(child, 'close');
        return text;
      }),
    );
    const kept = await keptIn(folders);
    expect(answers.map((answer) => JSON.parse(answer) as string[])).toEqual(answers.map(() => kept));
    expect(await filesIn(folders)).toEqual(folders.map(() => ['secret']));
  });

  // Like servers in containers that share a volume, where each is process 1.
  it('agree when they have the same process id', async () => {
    const folders = await Promise.all(Array.from({ length: 10 }, () => temporaryFolder()));
    const code = program(folders, Date.now() + 1500);
    const answers = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const worker = new Worker(code, { eval: true });
        const [text] = (await once(worker, 'message')) as [string];
        return text;
      }),
    );
    const kept = await keptIn(folders);
    expect(answers.map((answer) => JSON.parse(answer) as string[])).toEqual(answers.map(() => kept));
    expect(await filesIn(folders)).toEqual(folders.map(() => ['secret']));
  });
});
