import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from './processes.mjs';

const PROCESSES = pathToFileURL(join(import.meta.dirname, 'processes.mjs')).href;

describe('run', () => {
  it('returns the exit code and the output', async () => {
    const program = 'console.log("out"); console.error("err"); process.exitCode = 3';
    const { code, output } = await run('node', ['-e', program], { quiet: true });
    expect(code).toBe(3);
    expect(output.split('\n').toSorted()).toEqual(['', 'err', 'out']);
  });

  it('returns an error code for a missing program and for one that a signal ended', async () => {
    expect(await run('no-such-program', [], { quiet: true })).toMatchObject({ code: 127 });
    expect(await run('node', ['-e', 'process.kill(process.pid, "SIGKILL")'], { quiet: true })).toMatchObject({
      code: 137,
    });
  });
});

it('recognizes the started program, even through a link', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hourshare-link-'));
  try {
    mkdirSync(join(folder, 'real'));
    const program = `import { isMain } from ${JSON.stringify(PROCESSES)};\nconsole.log(isMain(import.meta.filename));\n`;
    writeFileSync(join(folder, 'real', 'program.mjs'), program);
    writeFileSync(join(folder, 'importer.mjs'), "import './real/program.mjs';\n");
    symlinkSync(join(folder, 'real'), join(folder, 'link'));
    const outputOf = async (/** @type {string} */ file) =>
      (await run('node', [join(folder, file)], { quiet: true })).output.trim();
    expect(await outputOf('real/program.mjs')).toBe('true');
    expect(await outputOf('link/program.mjs')).toBe('true');
    expect(await outputOf('importer.mjs')).toBe('false');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

describe('a script with a second signal during its cleanup', () => {
  it("ends its programs, starts no others, completes each cleanup once, and exits with the signal's code", async () => {
    const script = `
      import { onSignal, run } from ${JSON.stringify(PROCESSES)};
      import { setTimeout as wait } from 'node:timers/promises';
      onSignal(async () => { console.log('tidying'); await wait(500); console.log('tidy'); });
      onSignal(() => console.log('tidying too'));
      const waits = ['-e', 'console.log("running", process.pid); setTimeout(() => {}, 60_000)'];
      await run('node', waits);
      console.log('went on');
      await run('node', waits);
    `;
    const child = spawn('node', ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    const started = new Promise((resolve) => {
      child.stdout.setEncoding('utf8').on('data', (text) => {
        output += text;
        if (/running \d+\n/.test(output)) resolve(undefined);
        if (output.includes('tidying')) child.kill('SIGTERM');
      });
    });
    const closed = once(child, 'close');
    await started;
    child.kill('SIGTERM');

    expect(await closed).toEqual([143, null]);
    expect(output).toMatch(/^running (\d+)\ntidying\ntidying too\ntidy\n$/);
    const ended = Number(/running (\d+)/.exec(output)?.[1]);
    expect(() => process.kill(ended, 0)).toThrow('ESRCH');
  });
});
