import { setTimeout as pause } from 'node:timers/promises';
import { Violation } from '../harness/client.mjs';
import { between, pick } from './story.mjs';

// What breaks while people act, and how it is mended. People repeat what got no answer until then.

/** @typedef {import('./world.mjs').World} World */
/** @typedef {(world: World, dice: number[]) => Promise<boolean>} Fault resolves with whether it applies to this engine */

/** @type {Record<string, { weight: number, happen: Fault }>} */
const FAULTS = {
  /** A power cut for the process. */
  killServer: {
    weight: 5,
    happen: async ({ installation }, [which, after]) => {
      await pause(between(after, 0, 60));
      await pick(installation.servers, which)?.end('SIGKILL');
      await installation.restart();
      return true;
    },
  },

  restartServer: {
    weight: 3,
    happen: async ({ installation }, [which, after]) => {
      await pause(between(after, 0, 60));
      const code = await pick(installation.servers, which)?.end('SIGTERM');
      if (code !== 0) throw new Violation(`A server that was told to stop ended with ${code}.`);
      await installation.restart();
      return true;
    },
  },

  /** All at once, as when a machine loses power. */
  killEverything: {
    weight: 2,
    happen: async ({ installation }, [after]) => {
      await pause(between(after, 0, 60));
      await Promise.all(installation.servers.map((server) => server.end('SIGKILL')));
      installation.restartDatabase();
      await installation.restart();
      return true;
    },
  },

  restartDatabase: {
    weight: 3,
    happen: async ({ installation }, [after]) => {
      if (installation.engine !== 'postgresql') return false;
      await pause(between(after, 0, 60));
      installation.restartDatabase();
      return true;
    },
  },

  cutConnections: {
    weight: 3,
    happen: async ({ installation: { network } }, [after, times]) => {
      if (!network) return false;
      for (let count = between(times, 1, 4); count > 0; count -= 1) {
        await pause(between(after, 0, 40));
        network.cut();
      }
      return true;
    },
  },

  slowConnections: {
    weight: 2,
    happen: async ({ installation: { network } }, [delay, during]) => {
      if (!network) return false;
      network.slowDown(between(delay, 20, 400));
      await pause(between(during, 300, 2500));
      network.slowDown(0);
      return true;
    },
  },

  /** Longer than the five seconds in which each request must end. */
  silentDatabase: {
    weight: 1,
    happen: async ({ installation: { network } }, [during]) => {
      if (!network) return false;
      const end = network.silence();
      await pause(between(during, 3000, 7000));
      end();
      return true;
    },
  },

  /** Devices give up on the first answer at a random moment, and ask again. */
  loseAnswers: { weight: 6, happen: async () => true },

  fullDisk: {
    weight: 3,
    happen: async ({ installation }, [during]) => {
      if (!installation.hasSmallDisk) return false;
      const free = installation.fillDisk();
      await pause(between(during, 200, 1500));
      free();
      return true;
    },
  },

  /** The clock of one server is wrong for a while, by up to an hour either way. */
  wrongClock: {
    weight: 2,
    happen: async ({ installation }, [by, during]) => {
      await installation.setWrongClock(between(by, -60, 60) * 60_000);
      await pause(between(during, 50, 500));
      await installation.setWrongClock();
      return true;
    },
  },

  /** Someone starts a second server on the folder of the embedded database. */
  secondServer: {
    weight: 1,
    happen: async ({ installation }) => {
      if (installation.engine !== 'embedded') return false;
      const { code, output } = await installation.startIntruder();
      if (code === 0 || !/already|in use/i.test(output))
        throw new Violation(`A second server on the same folder ended with ${code} and printed: ${output}`);
      return true;
    },
  },
};

export const faultWeights = Object.fromEntries(Object.entries(FAULTS).map(([kind, { weight }]) => [kind, weight]));

/** @param {World} world @param {import('./story.mjs').Event} fault @returns {Promise<boolean>} whether it applies to this engine */
export async function breakSomething(world, { kind, dice }) {
  const fault = FAULTS[kind];
  return fault ? fault.happen(world, dice) : false;
}
