import { setTimeout as pause } from 'node:timers/promises';
import { onSignal } from '../../scripts/processes.mjs';
import { createClient, Violation } from '../../harness/client.mjs';
import { createInstallation } from '../../harness/installation.mjs';

// What the scripts in this folder have in common: they break something, measure, clean up, and print one verdict.

/** @typedef {Awaited<ReturnType<typeof import('./load.mjs').createLoad>>} Load */
/** @typedef {ReturnType<typeof createFault>} Fault */

/** A reason why a fault can't be tried here. */
export class Impossible extends Error {}

function createFault() {
  /** @type {(() => unknown)[]} */
  const cleanUps = [];
  /** @type {string[]} */
  const failures = [];
  /** @type {string[]} */
  const figures = [];

  /** @param {boolean} holds @param {string} figure */
  function check(holds, figure) {
    console.log(`${holds ? '  ' : '! '}${figure}`);
    (holds ? figures : failures).push(figure);
  }

  /** Has something undone at the end, the last first. @param {() => unknown} cleanUp */
  const defer = (cleanUp) => void cleanUps.push(cleanUp);

  /** @type {Promise<void> | undefined} */
  let disposed;
  const dispose = async () => {
    for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
  };

  return {
    check,
    defer,
    failures,
    figures,
    /** Starts servers, which end with the fault. @param {Parameters<typeof createInstallation>[0]} options */
    install: async (options) => {
      const installation = await createInstallation(options);
      defer(installation.dispose);
      const client = createClient(installation.urls);
      defer(client.close);
      return { installation, client };
    },
    /** Checks what every fault must keep. Stop the load first. @param {Load} load */
    checkOracle: async (load) => {
      const { acknowledged, lost, doubled, broken } = await load.compare();
      check(lost === 0, `${lost} of ${acknowledged} acknowledged writes lost`);
      check(doubled === 0, `${doubled} doubled`);
      check(broken.length === 0, broken.length === 0 ? 'all sessions and sums hold' : broken.slice(0, 5).join('; '));
    },
    /** Undoes everything once, also if a signal and the end of the fault both ask for it. */
    dispose: () => (disposed ??= dispose()),
  };
}

/** @param {number} milliseconds */
export const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;

/**
 * Waits for a condition.
 *
 * @param {() => Promise<boolean> | boolean} isTrue
 * @param {string} what
 * @param {number} milliseconds
 */
export async function until(isTrue, what, milliseconds) {
  const endsAt = performance.now() + milliseconds;
  while (!(await isTrue())) {
    if (performance.now() > endsAt) throw new Error(`${what} took longer than ${seconds(milliseconds)}`);
    await pause(20);
  }
}

/** @param {unknown} error */
const firstLine = (error) => (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';

/**
 * Runs a fault, and ends with one line and an exit code.
 *
 * @param {(fault: Fault) => Promise<void>} inject
 */
export async function runFault(inject) {
  const fault = createFault();
  onSignal(async () => {
    await fault.dispose();
    console.log('FAILED: ended by a signal');
  });
  // Nothing may end this process before it has cleaned up.
  const failed = new Promise((_resolve, reject) => {
    process.once('unhandledRejection', reject);
    process.once('uncaughtException', reject);
  });
  try {
    await Promise.race([inject(fault), failed]);
  } catch (error) {
    if (!(error instanceof Violation || error instanceof Impossible)) console.error(error);
    fault.failures.push(firstLine(error));
  }
  try {
    await fault.dispose();
  } catch (error) {
    fault.failures.push(`cleaning up failed: ${firstLine(error)}`);
  }
  const { failures, figures } = fault;
  console.log(failures.length === 0 ? `passed: ${figures.join(', ')}` : `FAILED: ${failures.join(', ')}`);
  // Whatever a fault has left open must not keep the process alive.
  process.exit(failures.length === 0 ? 0 : 1);
}
