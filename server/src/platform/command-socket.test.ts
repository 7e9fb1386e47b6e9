import { once } from 'node:events';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callServer, listenForCommands, type RunCommand } from './command-socket.ts';

let folder: string;
let close: () => void;
let ran: string[][];
let ended: number;
const log = pino({ level: 'silent' });
const echo: RunCommand = async function* (args) {
  ran.push(args);
  try {
    for (const text of args) yield { text, isError: text === 'bad' };
    return args.length;
  } finally {
    ended += 1;
  }
};
const path = () => join(folder, 'admin.sock');
const listen = async (run: RunCommand = echo) => (close = await listenForCommands(folder, run, log));

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hourshare-socket-'));
  ran = [];
  ended = 0;
  close = () => undefined;
});
afterEach(async () => {
  close();
  await rm(folder, { recursive: true });
});

async function call(...args: string[]): Promise<unknown> {
  const outputs = await callServer(folder, args);
  if (!outputs) return undefined;
  const lines: string[] = [];
  for (;;) {
    const { done, value } = await outputs.next();
    if (done) return { lines, code: value };
    lines.push(`${value.isError ? '! ' : ''}${value.text}`);
  }
}

/** Sends bytes. Returns what the server sends until it closes the connection. */
async function send(text: string): Promise<string> {
  const socket = connect(path());
  let answer = '';
  socket.setEncoding('utf8').on('data', (part: string) => (answer += part));
  socket.on('error', () => undefined);
  socket.write(text);
  await once(socket, 'close');
  return answer;
}

describe('a command', () => {
  it('runs in the server, with any text as an argument', async () => {
    await listen();
    const odd = 'line\nbreak "quoted" \u0000 ü 漢';
    expect(await call('one', 'bad', odd)).toEqual({ lines: ['one', '! bad', odd], code: 3 });
    expect([ran, ended]).toEqual([[['one', 'bad', odd]], 1]);
  });

  it('runs elsewhere if no server listens, even if the last one left a socket behind', async () => {
    expect(await call('one')).toBeUndefined();
    await writeFile(path(), 'left behind');
    expect(await call('one')).toBeUndefined();
    await listen();
    expect(await call('one')).toEqual({ lines: ['one'], code: 1 });
    close();
    expect(await call('one')).toBeUndefined();
  });

  it('gets a long answer in full, as fast as it is read', async () => {
    let produced = 0;
    const text = 'x'.repeat(1000);
    await listen(async function* () {
      for (; produced < 20_000; produced += 1) yield { text, isError: false };
      return 0;
    });
    const outputs = (await callServer(folder, ['many']))!;
    await outputs.next();
    for (let turns = 0; turns < 1000; turns += 1) await turn();
    expect(produced).toBeLessThan(5000);
    let read = 1;
    while (!(await outputs.next()).done) read += 1;
    expect(read).toBe(20_000);
  });

  it('ends before its next line if its caller disconnects', async () => {
    await listen(async function* () {
      try {
        for (;;) yield { text: 'again', isError: false };
      } finally {
        ended += 1;
      }
    });
    const socket = connect(path());
    socket.on('error', () => undefined).write('["go"]\n');
    await once(socket, 'data');
    socket.destroy();
    await expect.poll(() => ended).toBe(1);
  });

  it('reports that the server stopped before it was done', async () => {
    await listen(async function* () {
      yield { text: 'one', isError: false };
      await once(new EventTarget(), 'never');
      return 0;
    });
    const outputs = (await callServer(folder, ['slow']))!;
    await outputs.next();
    close();
    await expect(outputs.next()).rejects.toThrow('The server hung up before the command was done; look into its log.');
  });
});

describe('the socket', () => {
  it('belongs only to the user of the server', async () => {
    await listen();
    const { mode } = await stat(path());
    expect((mode & 0o777).toString(8)).toBe('600');
  });

  it.each([
    '{}\n',
    '[1]\n',
    '["a"]\n["b"]\n',
    '["a"\n',
    'GET / HTTP/1.1\r\n\r\n',
    `["${'x'.repeat(4096)}"]\n`,
    'x'.repeat(10_000),
  ])('closes the connection on invalid input: %.20j', async (text) => {
    await listen();
    expect(await send(text)).toBe('');
    expect(ran).toEqual([]);
    expect(await call('one')).toEqual({ lines: ['one'], code: 1 });
  });

  it('is not created if its path would be too long', async () => {
    folder = join(folder, 'x'.repeat(100));
    await listen();
    expect(await call('one')).toBeUndefined();
    folder = join(folder, '..');
  });
});

it('refuses arguments that the server would reject', async () => {
  await expect(call('x'.repeat(5000))).rejects.toThrow('The arguments are too long.');
});
