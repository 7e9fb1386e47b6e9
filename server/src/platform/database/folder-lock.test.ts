import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
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

/** Returns field 3 of /proc/<pid>/stat: Z for a process that has ended but whose parent hasn't read its exit code. */
async function stateOf(pid: number): Promise<string | undefined> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8');
  return status.slice(status.lastIndexOf(')') + 2).split(' ')[0];
}

const hasModes = process.platform !== 'win32';

const python = 'python3';
const hasPython = spawnSync(python, ['--version']).status === 0;

// As variables, because they aren't packages.
const [unshare, mount, umount] = ['unshare', 'mount', 'umount'] as const;

/** Whether this user may mount folders, which takes root and no container that forbids it. */
const canMount = spawnSync(unshare, ['--mount', mount, '--bind', tmpdir(), tmpdir()]).status === 0;

/** Mounts a folder on another path until the test ends. */
async function mountOn(folder: string, path: string): Promise<void> {
  await mkdir(path);
  expect(spawnSync(mount, ['--bind', folder, path]).status).toBe(0);
  onTestFinished(() => void spawnSync(umount, [path]));
}

/** Writes the lock of a process. */
async function writeLock(path: string, holder: object): Promise<void> {
  await writeFile(path, '');
  const { dev, ino } = await stat(path, { bigint: true });
  await writeFile(path, JSON.stringify({ ...holder, file: `${dev}:${ino}` }));
}

/** Returns the holder that the lock names after it was taken over from another, or from a file with other content. */
async function takenOver(from: string | object): Promise<unknown> {
  const folder = await temporaryFolder();
  const path = join(folder, 'database-7.lock');
  await (typeof from === 'string' ? writeFile(path, from) : writeLock(path, from));
  const lock = await lockFolder(folder);
  const { file, ...holder } = JSON.parse(await readFile(join(folder, 'database-8.lock'), 'utf8')) as { file: string };
  const { dev, ino } = await stat(join(folder, 'database-8.lock'), { bigint: true });
  expect(file).toBe(`${dev}:${ino}`);
  await lock.release();
  return holder;
}

describe('a lock', () => {
  test('rejects a second process with a message that names the first and the folder', async () => {
    const folder = await temporaryFolder();
    const first = start('lock.mjs', [folder]);
    expect(await first.line()).toBe('held');
    await expect(lockFolder(folder)).rejects.toMatchObject({
      name: 'StartupError',
      message: `The data folder ${folder} is in use by process ${first.pid}; stop that process first, or set DATA_DIR to another folder.`,
    });
  });

  test('rejects the process that already holds it', async () => {
    const folder = await temporaryFolder();
    const lock = await lockFolder(folder);
    await expect(lockFolder(folder)).rejects.toThrow(`in use by process ${process.pid}`);
    await lock.release();
  });

  test('can be taken again after every release, and leaves no pile of files', async () => {
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

  test.runIf(hasProc)('of a killed process is taken over even if its parent never reaps it', async () => {
    const folder = await temporaryFolder();
    // The program that replaces the shell doesn't know of its child. A shell gives background processes no input.
    const parent = start(
      'lock.mjs',
      [folder],
      ['sh', '-c', 'exec 3<&0; "$@" <&3 & exec sleep 1000', 'sh', process.execPath],
    );
    expect(await parent.line()).toBe('held');
    const [holder] = await childrenOf(parent.pid);
    process.kill(holder!, 'SIGKILL');
    // The other threads end a moment after the first.
    const threads = async () => (await readdir(`/proc/${holder}/task`)).length;
    await until(async () => (await stateOf(holder!)) === 'Z' && (await threads()) === 1, 'a zombie');
    await (await lockFolder(folder)).release();
    expect(await stateOf(holder!)).toBe('Z');
    expect(await locksIn(folder)).toEqual(['database-1.lock', 'database-2.lock']);
  });

  // A process that is being killed looks like this while one of its threads still waits for the disk.
  test.runIf(hasProc && hasPython)('of a process with one live thread left is not taken over', async () => {
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
    await writeLock(join(folder, 'database-1.lock'), { ...thisProcess(), pid, started: '' });
    await expect(lockFolder(folder)).rejects.toThrow(`in use by process ${pid};`);
  });

  test('of a process that has ended is taken over', async () => {
    expect(await takenOver({ ...thisProcess(), pid: await endedProcess() })).toEqual(thisProcess());
  });

  test.runIf(hasProc)('of a process whose number now belongs to another is taken over', async () => {
    expect(await takenOver({ ...thisProcess(), started: '1' })).toEqual(thisProcess());
  });

  test('with other content is taken over', async () => {
    for (const content of [
      '',
      'garbage',
      '{',
      'null',
      '12',
      '{"pid":1}',
      '{"pid":-1,"started":"","space":"","file":""}',
    ]) {
      expect(await takenOver(content)).toEqual(thisProcess());
    }
  });

  test("that can't be read is not taken over", async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'database-7.lock'));
    await expect(lockFolder(folder)).rejects.toMatchObject({ code: 'EISDIR' });
    expect(await locksIn(folder)).toEqual(['database-7.lock']);
  });

  test.runIf(hasModes)('is accessible to its own user only, held or released', async () => {
    const folder = await temporaryFolder();
    const lock = await lockFolder(folder);
    const modeOfLock = async () => (await stat(join(folder, 'database-1.lock'))).mode & 0o777;
    expect(await modeOfLock()).toBe(0o600);
    await lock.release();
    expect(await modeOfLock()).toBe(0o600);
  });

  test('of another machine is taken over when it shows no heartbeat', async () => {
    expect(await takenOver({ pid: 1, started: '1', space: 'elsewhere pid:[1]' })).toEqual(thisProcess());
  });

  test('of another machine is respected while it shows a heartbeat', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'database-1.lock');
    await writeLock(path, { pid: 1, started: '1', space: 'elsewhere pid:[1]' });
    const beat = setInterval(() => void utimes(path, new Date(), new Date()), 500);
    onTestFinished(() => clearInterval(beat));
    await expect(lockFolder(folder)).rejects.toThrow('in use by process 1 on elsewhere;');
  });

  test('of a folder that was copied while it was held is taken over in the copy, and stays held in the original', async () => {
    const [folder, other] = [await temporaryFolder(), await temporaryFolder()];
    const first = start('lock.mjs', [folder]);
    expect(await first.line()).toBe('held');
    const copy = join(other, 'copy');
    await cp(folder, copy, { recursive: true, preserveTimestamps: true });
    const lock = await lockFolder(copy);
    onTestFinished(() => lock.release());
    expect(await locksIn(copy)).toEqual(['database-1.lock', 'database-2.lock']);
    await expect(lockFolder(folder)).rejects.toThrow(`in use by process ${first.pid};`);
    await expect(lockFolder(copy)).rejects.toThrow(`in use by process ${process.pid};`);
  });

  test('of a copy is respected while it shows a heartbeat', async () => {
    const folder = await temporaryFolder();
    const path = join(folder, 'database-1.lock');
    await writeFile(path, JSON.stringify({ ...thisProcess(), file: '1:1' }));
    const beat = setInterval(() => void utimes(path, new Date(), new Date()), 500);
    onTestFinished(() => clearInterval(beat));
    await expect(lockFolder(folder)).rejects.toThrow(`in use by process ${process.pid};`);
  });

  test.each(['symlink', 'bind mount'].slice(0, canMount ? 2 : 1))('is held under another path, by %s', async (kind) => {
    const [folder, other] = [await temporaryFolder(), await temporaryFolder()];
    const lock = await lockFolder(folder);
    onTestFinished(() => lock.release());
    const path = join(other, 'path');
    if (kind === 'symlink') await symlink(folder, path);
    else await mountOn(folder, path);
    await expect(lockFolder(path)).rejects.toThrow(`in use by process ${process.pid};`);
  });

  test('shows a heartbeat while it is held', async () => {
    const folder = await temporaryFolder();
    const lock = await lockFolder(folder);
    onTestFinished(() => lock.release());
    const path = join(folder, 'database-1.lock');
    const holder = JSON.parse(await readFile(path, 'utf8')) as { space: string };
    expect(holder.space).toContain(hostname());
    // From another machine, only the heartbeat shows whether this process runs.
    await writeFile(path, JSON.stringify({ ...holder, space: 'elsewhere' }));
    await expect(lockFolder(folder)).rejects.toThrow(`in use by process ${process.pid} on elsewhere;`);
  });

  test('of a killed process goes to exactly one of ten processes that want it', async () => {
    for (let round = 0; round < 3; round += 1) {
      const folder = await temporaryFolder();
      await writeLock(join(folder, 'database-3.lock'), { ...thisProcess(), pid: await endedProcess() });
      const processes = Array.from({ length: 10 }, () => start('lock.mjs', [folder]));
      const answers = await Promise.all(processes.map((process) => process.line()));
      const winner = processes[answers.indexOf('held')]!;
      expect(answers.filter((answer) => answer === 'held')).toHaveLength(1);
      expect(answers.filter((answer) => answer.includes(`in use by process ${winner.pid};`))).toHaveLength(9);
      await winner.finish();
    }
  });

  test('goes to exactly one of a hundred concurrent attempts in one process', async () => {
    const folder = await temporaryFolder();
    const answers = await Promise.allSettled(Array.from({ length: 100 }, () => lockFolder(folder)));
    const held = answers.filter((answer) => answer.status === 'fulfilled');
    expect(held).toHaveLength(1);
    for (const { value } of held) await value.release();
  });
});
