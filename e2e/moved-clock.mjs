import { ServerResponse } from 'node:http';

// Loaded into the server's process before its own code: gives it a clock that a test can put forward. The product has
// no such switch; it only ever asks the runtime for the time.

const RealDate = Date;
let offset = Number(process.env.CLOCK_OFFSET_MS ?? 0);
// A clock that stands moves only when it is put forward: what is measured with it is exact, however slow the machine.
const standsAt = process.env.CLOCK_STANDS_AT ? RealDate.parse(process.env.CLOCK_STANDS_AT) : undefined;
const now = () => (standsAt ?? RealDate.now()) + offset;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, parts, self) => Reflect.construct(target, parts.length === 0 ? [now()] : parts, self),
  apply: () => new RealDate(now()).toString(),
  get: (target, property) => (property === 'now' ? now : Reflect.get(target, property)),
});

// Time that passes on the clock passes for the process too.
const startedAt = now();
performance.now = () => now() - startedAt;

// The runtime stamps answers with a clock of its own, and screens count from that stamp.
// oxlint-disable-next-line typescript/unbound-method -- the proxy calls it on the response it was called on
ServerResponse.prototype.writeHead = new Proxy(ServerResponse.prototype.writeHead, {
  apply: (target, response, parts) => {
    response.setHeader('date', new RealDate(now()).toUTCString());
    return Reflect.apply(target, response, parts);
  },
});

process.on('message', (message) => {
  offset = Number(message);
  process.send?.(offset);
});
// Listening must not keep a process alive that has been told to end.
process.channel?.unref();
