import { channel } from 'node:diagnostics_channel';

// Loaded into the attacked server's process. A request whose sender has left is still carried out, and only the server
// knows when that is over.

/** A request with this header is answered once all changes that others began before are over. */
export const SETTLED = 'x-settled';

/** The changes that each server works on. @type {WeakMap<object, Set<Promise<void>>>} */
const working = new WeakMap();

channel('http.server.request.start').subscribe((message) => {
  const { request, response, server } =
    /** @type {{ request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse, server: object }} */ (
      message
    );
  const changes = working.get(server) ?? new Set();
  working.set(server, changes);
  /** Has something done before the answer ends. @param {(end: () => void) => void} before */
  const beforeEnd = (before) => {
    const end = response.end.bind(response);
    response.end = (/** @type {any[]} */ ...parts) => {
      before(() => Reflect.apply(end, response, parts));
      return response;
    };
  };
  if (request.headers[SETTLED]) {
    const begun = [...changes];
    beforeEnd((end) => void Promise.all(begun).then(end));
  } else if (!['GET', 'HEAD', 'OPTIONS'].includes(request.method ?? '')) {
    const over = new Promise((/** @type {(value?: undefined) => void} */ resolve) => {
      beforeEnd((end) => {
        resolve();
        end();
      });
    });
    changes.add(over);
    void over.then(() => changes.delete(over));
  }
});
