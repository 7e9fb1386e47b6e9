import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setInterval } from 'node:timers';
import { utimes } from 'node:fs/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { lockFolder } from './folder-lock.ts';
import { thisProcess } from './process-identity.ts';
import { childrenOf, hasProc, start, temporaryFolder, until } from './testing/processes.ts';

async function locksIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.lock')).toSorted();
}

async function endedProcess(): Promise<number> {
  const folder = await temporaryFolder();
  const process = start('lock.mjs', [folder]);
  await process.line();
  await process.finish();
  return process.pid;
}

/** Field 3 of /proc/<pid>/stat; Z for a process that has ended and whose parent hasn't asked for its exit code. */
async function stateOf(pid: number): Promise<string | undefined> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8');
  return status.slice(status.lastIndexOf(')') + 2).split(' ')[0];
}

const hasModes = process.platform !== 'win32';

const python = 'python3';
const hasPython = spawnSync(python, ['--version']).status === 0;

/** What the lock says after it was taken over from another with this content. */
async function takenOver(content: string): Promise<unknown> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'database-7.lock'), content);
  const lock = await lockFolder(folder);
  const said: unknown = JSON.parse(await readFile(join(folder, 'database-8.lock'), 'utf8'));
  await lock.release();
  return said;
}

describe('a lock', () => {
  test('refuses a second process with a sentence that names the first and the folder', async () => {
    const folder = await temporaryFolder();
    const first = start('lock.mjs', [folder]);
    expect(await first.line()).toBe('held');
    await expect(lockFolder(folder)).rejects.toMatchObject({
      name: 'StartupError',
      message: `The data folder ${folder} is in use by process ${first.pid}; stop that one first or set DATA_DIR to another folder.`,
    });
  });

  test('refuses the process that holds it as well', async () => {
    const folder = await temporaryFolder();
    const lock = await lockFolder(folder);
    await expect(lockFolder(folder)).rejects.toThrow(`in use by process ${process.pid}`);
    await lock.release();
  });

  test('is free again once released, again and again, and leaves no heap of files', async () => {
    const folder = await temporaryFolder();
    for (let round = 0; round < 20; round += 1) await (await lockFolder(folder)).release();
    expect(await locksIn(folder)).toEqual(['database-19.lock', 'database-20.lock']);
    expect(await readdir(folder)).toHaveLength(2);
  });

  test('of a killed process is taken over', async () => {
    const folder = await temporaryFolder();
    const first = start('lock.mjs', [folder]);
    await first.line();
    first.kill('SIGKILL');
    await first.ended;
    await (await lockFolder(folder)).release();
    expect(await locksIn(folder)).toEqual(['database-1.lock', 'database-2.lock']);
  });

  test.runIf(hasProc)('of a killed process is taken over though its parent never reaps it', async () => {
    const folder = await temporaryFolder();
    // What a shell is replaced with doesn't know of its child. A shell gives a child in the background no input.
    const parent = start(
      'lock.mjs',
      [folder],
      ['sh', '-c', 'exec 3<&0; "$@" <&3 & exec sleep 1000', 'sh', process.execPath],
    );
    expect(await parent.line()).toBe('held');
    const [holder] = await childrenOf(parent.pid);
    process.kill(holder!, 'SIGKILL');
    // Its other threads end a moment later than the first.
    const threads = async () => (await readdir(`/proc/${holder}/task`)).length;
    await until(async () => (await stateOf(holder!)) === 'Z' && (await threads()) === 1, 'a zombie');
    await (await lockFolder(folder)).release();
    expect(await stateOf(holder!)).toBe('Z');
    expect(await locksIn(folder)).toEqual(['database-1.lock', 'database-2.lock']);
  });

  // As a process that is being killed looks while one of its threads still waits for the disk.
  test.runIf(hasProc && hasPython)('of a process whose first thread alone has ended is not taken over', async () => {
    const code = `
import ctypes, threading, time
threading.Thread(target=time.sleep, args=(1000,)).start()
ctypes.CDLL(None).pthread_exit(None)`;
    const holder = spawn(python, ['-c', code], { stdio: 'ignore' });
    const ended = once(holder, 'close');
    onTestFinished(async () => {
      holder.kill('SIGKILL');
      await ended;
    });
    const pid = holder.pid!;
    await until(async () => (await stateOf(pid)) === 'Z', 'the end of its first thread');
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'database-1.lock'), JSON.stringify({ ...thisProcess(), pid, started: '' }));
    await expect(lockFolder(folder)).rejects.toThrow(`in use by process ${pid};`);
  });

  test('of a process that is gone is taken over', async () => {
    expect(await takenOver(JSON.stringify({ ...thisProcess(), pid: await endedProcess() }))).toEqual(thisProcess());
  });

  test.runIf(hasProc)('of a process whose number another one has now is taken over', async () => {
    expect(await takenOver(JSON.stringify({ ...thisProcess(), started: '1' }))).toEqual(thisProcess());
  });

  test('with any other content is taken over', async () => {
    for (const content of ['', 'garbage', '{', 'null', '12', '{"pid":1}', '{"pid":-1,"started":"","space":""}']) {
      expect(await takenOver(content)).toEqual(thisProcess());
    }
  });

  test('that cannot be read is not taken over', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'database-7.lock'));
    await expect(lockFolder(folder)).rejects.toMatchObject({ code: 'EISDIR' });
    expect(await locksIn(folder)).toEqual(['database-7.lock']);
  });

  test.runIf(hasModes)('is for its own user alone, held and released', async () => {
    const folder = await temporaryFolder();
    const lock = await lockFolder(folder);
    const modeOfLock = async () => (await stat(join(folder, 'database-1.lock'))).mode & 0o777;
    expect(await modeOfLock()).toBe(0o600);
    await lock.release();
    expect(await modeOfLock()).toBe(0o600);
  });

  test('of another machine is taken over when it shows no sign of life', async () => {
    expect(await takenOver(JSON.stringify({ pid: 1, started: '1', space: 'elsewhere pid:[1]' }))).toEqual(
      thisProcess(),
    );
  });

  test('of another machine refuses while it shows signs of life', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'database-1.lock');
    await writeFile(path, JSON.stringify({ pid: 1, started: '1', space: 'elsewhere pid:[1]' }));
    const beat = setInterval(() => void utimes(path, new Date(), new Date()), 500);
    onTestFinished(() => clearInterval(beat));
    await expect(lockFolder(folder)).rejects.toThrow('in use by process 1 on elsewhere;');
  });

  test('shows signs of life while it is held', async () => {
    const folder = await temporaryFolder();
    const lock = await lockFolder(folder);
    onTestFinished(() => lock.release());
    const path = join(folder, 'database-1.lock');
    const holder = JSON.parse(await readFile(path, 'utf8')) as { space: string };
    expect(holder.space).toContain(hostname());
    // Seen from elsewhere this process can only be judged by its beat.
    await writeFile(path, JSON.stringify({ ...holder, space: 'elsewhere' }));
    await expect(lockFolder(folder)).rejects.toThrow(`in use by process ${process.pid} on elsewhere;`);
  });

  test('of a killed process goes to exactly one of ten that want it at once', async () => {
    for (let round = 0; round < 3; round += 1) {
      const folder = await temporaryFolder();
      await writeFile(join(folder, 'database-3.lock'), JSON.stringify({ ...thisProcess(), pid: await endedProcess() }));
      const processes = Array.from({ length: 10 }, () => start('lock.mjs', [folder]));
      const answers = await Promise.all(processes.map((process) => process.line()));
      const winner = processes[answers.indexOf('held')]!;
      expect(answers.filter((answer) => answer === 'held')).toHaveLength(1);
      expect(answers.filter((answer) => answer.includes(`in use by process ${winner.pid};`))).toHaveLength(9);
      await winner.finish();
    }
  });

  test('goes to exactly one of a hundred that want it at once in one process', async () => {
    const folder = await temporaryFolder();
    const answers = await Promise.allSettled(Array.from({ length: 100 }, () => lockFolder(folder)));
    const held = answers.filter((answer) => answer.status === 'fulfilled');
    expect(held).toHaveLength(1);
    for (const { value } of held) await value.release();
  });
});
