import { once } from 'node:events';
import { chmod, chown, lstat, mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { asStartupError, closeDataFolder, prepareDataFolder } from './data-folder.ts';
import { hasProc, temporaryFolder } from './database/testing/processes.ts';
import { StartupError } from './startup-error.ts';

const modeOf = async (path: string) => ((await lstat(path)).mode & 0o7777).toString(8);

/** Creates a folder with these files, regardless of the umask. */
async function folderOf(mode: number, names: string[]): Promise<string> {
  const folder = join(await temporaryFolder(), 'data');
  await mkdir(folder);
  for (const name of names) {
    await writeFile(join(folder, name), '');
    await chmod(join(folder, name), 0o644);
  }
  await chmod(folder, mode);
  return folder;
}

/** Returns the message of the StartupError. */
function startupMessage(start: () => unknown): string {
  try {
    start();
  } catch (error) {
    if (error instanceof StartupError) return error.message;
    throw error;
  }
  return 'started';
}

describe.runIf(process.platform !== 'win32')('a data folder', () => {
  it('is created along with its missing parents, for its own user only', async () => {
    const above = join(await temporaryFolder(), 'it is', "mira's");
    prepareDataFolder(join(above, 'data'));
    prepareDataFolder(join(above, 'data'));
    expect([await modeOf(above), await modeOf(join(above, 'data'))]).toEqual(['700', '700']);
  });

  it.each([
    ['empty', []],
    [
      "full of the server's files",
      ['admin.sock', 'secret', 'secret.0a', 'database-12.lock', 'database-lock-0a.new', 'database.new-1-2'],
    ],
  ])('is closed to other users when it is %s', async (_, names) => {
    for (const mode of [0o777, 0o775, 0o755, 0o710]) {
      const folder = await folderOf(mode, names);
      prepareDataFolder(folder);
      expect(await modeOf(folder)).toBe('700');
    }
  });

  it('stays readable for others if it contains other files, too', async () => {
    const folder = await folderOf(0o755, ['secret', 'notes.txt']);
    prepareDataFolder(folder);
    expect(closeDataFolder(folder)).toBe(1);
    expect(await modeOf(folder)).toBe('755');
    expect(await modeOf(join(folder, 'secret'))).toBe('600');
    expect(await modeOf(join(folder, 'notes.txt'))).toBe('644');
  });

  it.each([
    ['with other files and write access for everyone', 0o777, ['notes.txt'], ', or run chmod go-w on this one'],
    ['with other files and write access for its group', 0o775, ['notes.txt'], ', or run chmod go-w on this one'],
    ['for temporary files', 0o1777, [], ''],
  ])('is rejected and left unchanged: %s', async (_, mode, names, chmod) => {
    const folder = await folderOf(mode, names);
    expect(startupMessage(() => prepareDataFolder(folder))).toBe(
      `Other users can write to the data folder ${folder}, and it contains other files; set DATA_DIR to a folder of its own${chmod}.`,
    );
    expect(await modeOf(folder)).toBe(mode.toString(8));
  });

  it('is rejected when it belongs to another user', async () => {
    // Root owns the root of the file system.
    const folder = process.getuid?.() === 0 ? await folderOf(0o700, []) : '/';
    if (folder !== '/') await chown(folder, 12_345, 12_345);
    expect(startupMessage(() => prepareDataFolder(folder))).toMatch(
      /^[^ ]+ belongs to another user \(uid \d+, but the server runs as \d+\); run the server as that user, or set DATA_DIR to /,
    );
  });

  it('is rejected when it is a file', async () => {
    const file = join(await folderOf(0o700, ['file']), 'file');
    expect(startupMessage(() => prepareDataFolder(file))).toBe(
      `${file} isn't a folder; set DATA_DIR to another folder.`,
    );
  });

  it('may be a link to a folder', async () => {
    const folder = await folderOf(0o755, []);
    const link = join(await temporaryFolder(), 'link');
    await symlink(folder, link);
    prepareDataFolder(link);
    expect(await modeOf(folder)).toBe('700');
  });

  it('fails at once below a dangling link', async () => {
    const link = join(await temporaryFolder(), 'link');
    await symlink('/nowhere/at/all', link);
    expect(() => prepareDataFolder(link)).toThrow(/ENOENT/);
    expect(() => prepareDataFolder(join(link, 'below', 'it'))).toThrow(/ENOENT/);
  });

  it.runIf(hasProc)('fails at once where the system creates no folders', () => {
    expect(() => prepareDataFolder('/proc/self/data')).toThrow(/ENOENT/);
    expect(() => prepareDataFolder('/proc/self/data/below')).toThrow(/ENOENT/);
  });

  it('leaves nothing behind when its path is too long', async () => {
    const folder = await temporaryFolder();
    expect(() => prepareDataFolder(join(folder, ...Array.from({ length: 30 }, () => 'x'.repeat(200))))).toThrow(
      /ENAMETOOLONG/,
    );
    expect(await readdir(folder)).toEqual([]);
  });
});

describe.runIf(process.platform !== 'win32')('the files in a data folder', () => {
  it('are closed to other users recursively and counted once', async () => {
    const folder = await folderOf(0o700, ['secret']);
    const log = join(folder, 'database', 'pg_wal');
    await mkdir(log, { recursive: true });
    await writeFile(join(log, '1'), '');
    for (const path of [join(log, '1'), log, join(folder, 'database')]) await chmod(path, 0o777);
    expect(closeDataFolder(folder)).toBe(4);
    expect(closeDataFolder(folder)).toBe(0);
    expect(await modeOf(join(folder, 'database'))).toBe('700');
    expect(await modeOf(log)).toBe('700');
    expect(await modeOf(join(log, '1'))).toBe('600');
  });

  it('may include the socket of a killed server', async () => {
    const folder = await folderOf(0o700, ['secret']);
    const socket = createServer().listen(join(folder, 'admin.sock'));
    await once(socket, 'listening');
    expect(closeDataFolder(folder)).toBe(1);
    socket.close();
  });

  it.each(['database', 'database/link', 'secret'])(
    'are rejected when %s is a link, whose target stays unchanged',
    async (name) => {
      const elsewhere = await folderOf(0o755, []);
      const folder = await folderOf(0o700, []);
      if (name.includes('/')) await mkdir(join(folder, 'database'));
      await symlink(elsewhere, join(folder, name));
      expect(startupMessage(() => closeDataFolder(folder))).toBe(
        `${join(folder, name)} is neither a file nor a folder; move it away, or set DATA_DIR to another folder.`,
      );
      expect((await stat(elsewhere)).mode & 0o777).toBe(0o755);
    },
  );

  it.runIf(process.getuid?.() === 0)('are rejected when one belongs to another user', async () => {
    const folder = await folderOf(0o700, ['secret']);
    await chown(join(folder, 'secret'), 12_345, 12_345);
    expect(startupMessage(() => closeDataFolder(folder))).toMatch(
      /secret belongs to another user \(uid 12345, but the server runs as 0\)/,
    );
  });
});

describe('a failure to use the data folder', () => {
  it.each([
    [
      'ENOSPC: no space left on device, write',
      'free space on the disk that holds DATA_DIR, or set DATA_DIR to another folder',
    ],
    [
      'could not write lock file "postmaster.pid": No space left on device',
      'free space on the disk that holds DATA_DIR, or set DATA_DIR to another folder',
    ],
    [
      'could not extend file "base/5/1259": Disk quota exceeded',
      'free space on the disk that holds DATA_DIR, or set DATA_DIR to another folder',
    ],
    ["EROFS: read-only file system, mkdir '/x'", 'make its file system writable, or set DATA_DIR to another folder'],
    [
      "EACCES: permission denied, mkdir '/x'",
      'let the user that runs the server read and write there, or set DATA_DIR to another folder',
    ],
    ["ENAMETOOLONG: name too long, mkdir '/x'", 'set DATA_DIR to a shorter path'],
    ['WebAssembly.Memory(): could not allocate memory', 'free memory, then start again'],
    ["ENOENT: no such file or directory, mkdir '/proc/x'", 'set DATA_DIR to another folder'],
  ])('turns the reason "%s" into the advice: %s', (reason, remedy) => {
    expect(asStartupError(new Error(reason), "Can't use it").message).toBe(`Can't use it (${reason}); ${remedy}.`);
  });

  it('keeps the message of a StartupError', () => {
    const error = new StartupError('Set DATA_DIR.');
    expect(asStartupError(error, "Can't use it")).toBe(error);
  });
});
