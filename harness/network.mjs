import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

// The network between a server and its database, which can be slow, silent, or cut. Hand-written because toxiproxy is
// no npm package, and tc needs root.

/**
 * Returns a way to a Unix socket whose bytes can be held up.
 *
 * @param {string} socket
 */
export async function createNetwork(socket) {
  /** @type {Set<import('node:net').Socket>} */
  const connections = new Set();
  let delay = 0;
  let silence = Promise.resolve();

  const server = createServer((near) => {
    const far = connect(socket);
    for (const [from, to] of /** @type {const} */ ([
      [near, far],
      [far, near],
    ])) {
      connections.add(from);
      let order = Promise.resolve();
      from.on('data', (bytes) => {
        order = order.then(async () => {
          if (delay > 0) await pause(delay);
          await silence;
          to.write(bytes);
        });
      });
      from.on('error', () => to.destroy());
      from.on('close', () => {
        connections.delete(from);
        void order.then(() => to.end());
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());

  return {
    port,
    /** Resets every connection. */
    cut: () => {
      for (const connection of connections)
        // Only TCP has resets.
        if (connection.remoteAddress === undefined) connection.destroy();
        else connection.resetAndDestroy();
    },
    /** Holds up all bytes by some milliseconds from now on; 0 for none. @param {number} milliseconds */
    slowDown: (milliseconds) => {
      delay = milliseconds;
    },
    /** Passes on nothing until the returned function is called. */
    silence: () => {
      let end = () => {};
      silence = new Promise((resolve) => {
        end = () => resolve(undefined);
      });
      return end;
    },
    close: () => {
      for (const connection of connections) connection.destroy();
      server.close();
    },
  };
}
